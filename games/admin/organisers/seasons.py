"""The admin's seasons."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.admin.base import counted
from games.admin.organisers.pages import Organised
from games.models import Entrant, Season
from games.services.house_rules.cards import game_title


@admin.register(Season)
class SeasonAdmin(Organised):
    """Seasons with their days, organisers and people."""

    help = _("Every season, archived ones too: who organises it, and until when.")
    list_display = ("name", "first_day", "last_day", "status", "organisers", "game", "entrant_count")
    list_select_related = ("organiser", "second")
    list_filter = ("status", "venue", "last_day")
    search_fields = ("name", "organiser__nickname", "public_id")
    fields = readonly_fields = (
        "name", "first_day", "last_day", "status", "stays_open", "organisers", "venue", "game", "entrant_count",
        "closed_at", "public_id",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        """Count the entrants of each season in the same query."""
        rows: QuerySet[Season] = super().get_queryset(request)
        return rows.annotate(people_in=counted(Entrant.objects.all(), "season"))

    def address(self, row: Season) -> str:
        """Return the address of the season's page."""
        return reverse("season", args=[row.public_id])

    @admin.display(description=_("game"), ordering="game_id")
    def game(self, row: Season) -> str:
        """Return the game's title."""
        return game_title(row.game_id)

    @admin.display(description=_("counted in"), ordering="people_in")
    def entrant_count(self, row: Any) -> int:
        """Return the number of entrants."""
        return int(row.people_in)
