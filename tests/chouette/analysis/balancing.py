"""The balance of a money game: its result, and what luck and errors make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chouette.board.xgid import parse_xgid
from chouette.export.record import BEAVER, TAKE

_TIMES = {TAKE: 2, BEAVER: 4}


@dataclass(frozen=True, slots=True)
class Balance:
    """A game in the points of its first player; `cube` is its value at the end."""

    result: float
    luck: float
    errors: float
    cube: int

    @property
    def rest(self) -> float:
        """What luck and errors leave unsaid."""
        return self.result - self.luck + self.errors


def balance(found: Mapping[str, Any]) -> Balance:
    """Return the balance of the report of one game."""
    luck = errors = 0.0
    last = 1
    for row in found["decisions"]:
        cube = parse_xgid(row["xgid"]).state.cube
        mine = cube if row["player"] == 0 else -cube
        luck += mine * (row["luck"] or 0.0)
        errors += mine * row["error"]
        last = max(last, cube * _TIMES.get(row["kind"], 1))
    return Balance(found["players"][0]["points"], luck, errors, last)
