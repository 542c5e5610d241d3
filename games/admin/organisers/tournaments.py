"""The admin's tournaments: read-only, with places, matches, and their file."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.base import Downloads, Inline, NewestNightsFilter, ReadOnly, counted, link
from games.admin.house_rules import GameFilter
from games.models import Participant, Tournament
from games.services.history.exports import File
from games.services.regions import written
from games.services.tournaments import files, overview, results
from games.services.tournaments.overview import MatchShown
from games.web.tournaments.words import format_text

STANDING = "standing.csv"


class ParticipantInline(Inline):
    """The people of a tournament by place."""

    model = Participant
    fields = readonly_fields = ("place", "player", "wins", "losses", "is_paid")
    ordering = ("place", "pk")
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participant]:
        """Load the players with the places."""
        rows: QuerySet[Participant] = super().get_queryset(request)
        return rows.select_related("player")


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, Downloads):
    """Tournaments with the places of their people and their matches."""

    help = gettext_lazy("Tournaments of all nights: who has which place, and every match.")
    list_display = ("created_at", "name", "night_link", "status", "people", "won_by")
    list_select_related = ("night",)
    list_filter = (GameFilter, "status", NewestNightsFilter, "created_at")
    search_fields = ("public_id", "name", "night__name", "participants__player__nickname")
    search_help_text = gettext_lazy("Names of tournaments, of players or of a night")
    date_hierarchy = "created_at"
    ordering = ("-created_at", "-pk")
    list_per_page = 50
    inlines = (ParticipantInline,)
    fields = readonly_fields = ("name", "night_link", "played_as", "status", "created_at", "closes_at", "matches")
    file_route = "games_tournament_file"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        """Count the people in the same query."""
        rows: QuerySet[Tournament] = super().get_queryset(request)
        return rows.annotate(people_in=counted(Participant.objects.all(), "tournament"))

    @admin.display(description=gettext_lazy("night"), ordering="night")
    def night_link(self, tournament: Tournament) -> SafeString:
        """Return the night, as a link to it."""
        return link("night", tournament.night_id, tournament.night.name)

    @admin.display(description=gettext_lazy("people"), ordering="people_in")
    def people(self, tournament: Any) -> int:
        """Return the number of people."""
        return int(tournament.people_in)

    @admin.display(description=gettext_lazy("won by"))
    def won_by(self, tournament: Tournament) -> str:
        """Return the names of the winners; "" while the tournament is played."""
        if tournament.status != Tournament.Status.FINISHED:
            return ""
        rows = tournament.participants.filter(place=1).select_related("player")
        return written.names(row.player.displayed_name for row in rows)

    @admin.display(description=gettext_lazy("format"))
    def played_as(self, tournament: Tournament) -> str:
        """Return the format in words."""
        return format_text(tournament)

    @admin.display(description=gettext_lazy("matches"))
    def matches(self, tournament: Tournament) -> SafeString:
        """Return the matches in the order in which they ended."""
        shown = results.read(tournament)
        rows = [] if shown is None else [(_match(each),) for each in reversed(shown.done)]
        return format_html_join("", "<div>{}</div>", rows)

    def files_of(self, row: Any) -> list[tuple[str, Any]]:
        """Return the file that every tournament has."""
        return [(STANDING, _("Standing and matches as CSV"))]

    def file_of(self, row: Any, name: str) -> File:
        """Return the file; raises Illegal `log_unread`."""
        return files.csv_of(overview.of(row))


def _match(match: MatchShown) -> str:
    """Return a match in words: winner first, and the score where it is known."""
    if match.winner is None:
        return f"{match.one.name} – {match.other.name}"
    score = "" if match.score is None else f" {match.score[0]}:{match.score[1]}"
    won = _("%(name)s won") % {"name": match.winner.name}
    return f"{match.one.name} – {match.other.name}{score} ({won})"
