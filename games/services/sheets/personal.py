"""Data of a person in spreadsheets: the names that are the person's, and sheets that the person took in."""

from __future__ import annotations

from games.kernel.contract import JsonObject
from games.models import Player, SeasonName, SeasonSheet
from games.services.kept import Kept
from games.services.seasons import sheet_names


def _own(player: Player) -> JsonObject:
    return {"season_names": sheet_names.own(player)}


KEPT = Kept((SeasonName, SeasonSheet), own=_own)
