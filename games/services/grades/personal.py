"""Data of a person in grades: grades of the person's own decisions; they belong to the results' rows."""

from __future__ import annotations

from games.kernel.contract import JsonObject
from games.models import Player, ResultLine
from games.services.grades import figures
from games.services.kept import Kept


def _own(player: Player) -> JsonObject:
    lines = ResultLine.objects.filter(player=player).select_related("result__table")
    found = lines.order_by("result__finished_at", "pk")
    return {"grades": [row for line in found for row in figures.own_rows(line)]}


KEPT = Kept((), own=_own)
