"""Figures of a person's grades: what a player did in the games that were graded."""

from __future__ import annotations

from typing import Any

from games.kernel.contract import JsonObject
from games.models import GameGrades, ResultLine

_OTHERS = ("suggested", "lucks")
"""Parts of a row that tell of other people."""


def own_rows(line: ResultLine) -> list[JsonObject]:
    """Return the grades of a player in the game of a result's line, with what they were made with."""
    found = GameGrades.objects.filter(result_id=line.result_id, formula__gt=0).first()
    if found is None:
        return []
    about: dict[str, Any] = {
        "table": line.result.table.public_id,
        "game": line.result.number,
        "engine": found.engine,
        "level": found.level,
        "is_deep": found.is_deep,
        "formula": found.formula,
    }
    rows = [row for row in found.rows if row["seat"] == line.seat]
    return [about | {key: value for key, value in row.items() if key not in _OTHERS} for row in rows]
