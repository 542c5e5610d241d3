"""Data of a person in spreadsheets: the names that are the person's, and sheets that the person took in."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Player, SeasonName, SeasonSheet, SheetRow
from games.services.personal_rooms import FOR_GOOD, NAMELESS, ORGANISERS, Kept, NoticeRow, Traces, time_text
from games.services.seasons import sheet_names


def _own(player: Player) -> JsonObject:
    claimed = player.season_names_claimed.values_list("season__public_id", flat=True)
    taken = SeasonSheet.objects.filter(by=player).select_related("season").order_by("pk")
    return {
        "season_names": sheet_names.own(player),
        "season_names_claimed": list(claimed),
        "season_sheets": [{"season": row.season.public_id, "at": time_text(row.created_at)} for row in taken],
    }


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the names of spreadsheets that are a guest's."""
    return (SeasonName.objects.filter(player=guest),)


_SAID = (
    NoticeRow(
        _("Your name and points in a list that an organiser took in"),
        {
            SeasonName: "season name player asked claimant",
            SeasonSheet: "by digest cells columns",
            SheetRow: "name day points games",
        },
        _("so that evenings held elsewhere count"),
        ORGANISERS,
        FOR_GOOD,
        NAMELESS,
        ("season_names", "season_names_claimed", "season_sheets"),
    ),
)
KEPT = Kept((SeasonName, SeasonSheet), own=_own, traces=_traces, said=_SAID)
