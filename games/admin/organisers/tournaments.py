"""The admin's tournaments."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.base import Acts, ReadOnly, counted, link
from games.models import Pairing, Participant, Tournament
from games.services.house_rules.cards import game_title


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, Acts):
    """Tournaments without their seed, which is secret until the end; their pages are for the people of the night."""

    help = _("Every tournament, with its night and how many play in it. Directors act on its page.")
    show_full_result_count = False
    list_per_page = 50
    list_display = ("name", "at_night", "game", "status", "people", "matches", "created_at")
    list_select_related = ("night",)
    list_filter = ("status", "created_at")
    search_fields = ("name", "night__name", "public_id")
    fields = readonly_fields = (
        "name", "at_night", "game", "status", "people", "matches", "directed_by", "created_at", "public_id",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        """Count people and matches of each tournament in the same query."""
        rows: QuerySet[Tournament] = super().get_queryset(request)
        people = counted(Participant.objects.filter(is_gone=False), "tournament")
        return rows.annotate(people_in=people, matches_in=counted(Pairing.objects.all(), "tournament"))

    @admin.display(description=_("night"), ordering="night__name")
    def at_night(self, row: Tournament) -> SafeString:
        """Return the night, as a link to it."""
        return link("night", row.night_id, row.night.name)

    @admin.display(description=_("game"), ordering="game_id")
    def game(self, row: Tournament) -> str:
        """Return the game's title."""
        return game_title(row.game_id)

    @admin.display(description=_("people"), ordering="people_in")
    def people(self, row: Any) -> int:
        """Return the number of those who are in it and have not gone home."""
        return int(row.people_in)

    @admin.display(description=_("matches"), ordering="matches_in")
    def matches(self, row: Any) -> int:
        """Return the number of matches, and of tables where it is one of tables."""
        return int(row.matches_in)

    @admin.display(description=_("directors"))
    def directed_by(self, row: Tournament) -> str:
        """Return the directors beside the night's host."""
        return ", ".join(each.player.displayed_name for each in row.directors.select_related("player")) or "–"
