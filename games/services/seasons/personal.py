"""Data of a person in seasons: places, organising, notices."""

from __future__ import annotations

from django.db.models import Q

from games.kernel.contract import JsonObject
from games.models import Entrant, Player, Season, SeasonEvent, SeasonNotice
from games.services.kept import Kept, Leaver
from games.services.seasons import entrants


def _forget(leaver: Leaver) -> None:
    entrants.forget(leaver.player)


def _own(player: Player) -> JsonObject:
    """Return the seasons that a player organises or is counted in, and the notices of them."""
    rows = Season.objects.filter(Q(organiser=player) | Q(second=player) | Q(entrants__player=player))
    notices = player.season_notices.select_related("season", "night")
    return {
        "seasons": [_season(row) for row in rows.distinct().order_by("first_day", "pk")],
        "season_notices": [_notice(row) for row in notices],
    }


def _season(row: Season) -> JsonObject:
    return {"season": row.public_id, "name": row.name, "from": str(row.first_day), "to": str(row.last_day)}


def _notice(row: SeasonNotice) -> JsonObject:
    return {"season": row.season.public_id, "night": row.night.public_id, "kind": row.kind}


KEPT = Kept((Season, Entrant, SeasonEvent, SeasonNotice), forget=_forget, join=entrants.join, own=_own)
