"""The rate of a player's errors: the mean error of the choices that count, with its range.

Games are the sample, not choices: those of one game hang together (a ratio estimator over clusters).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from games.kernel.contract import JsonObject
from games.kernel.figures.means import student

Counts: TypeAlias = Callable[[JsonObject], bool]
"""A way to count: it tells whether a graded row counts."""

FULL = 200
"""A rate of fewer choices has no decimal."""
LEAST_GAMES = 5
"""A rate of fewer games has no range."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The errors of the choices that count in a game, and their number."""

    error: float
    choices: int


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate with the number of choices and games behind it; `low` to `high` holds the true one in 95 % of cases.

    `value` is None without a choice that counts, `low` and `high` with fewer than LEAST_GAMES games.
    """

    value: float | None
    choices: int
    games: int
    low: float | None = None
    high: float | None = None


def is_counted(row: JsonObject) -> bool:
    """Tell whether a row counts as the game's own formula has it."""
    return bool(row["counts"])


def sum_of(rows: Iterable[JsonObject], counts: Counts = is_counted) -> Sum:
    """Return the sum of the rows that count."""
    errors = [row["error"] for row in rows if row["error"] is not None and counts(row)]
    return Sum(sum(errors), len(errors))


def rate(sums: Sequence[Sum], scale: float) -> Rate:
    """Return the rate of some games, `scale` times the mean error; games without a choice that counts are left out."""
    counted = [each for each in sums if each.choices]
    error, choices, games = sum(each.error for each in counted), sum(each.choices for each in counted), len(counted)
    if not choices:
        return Rate(None, 0, 0)
    value = error / choices
    if games < LEAST_GAMES:
        return Rate(scale * value, choices, games)
    squares = sum((each.error - value * each.choices) ** 2 for each in counted)
    reach = student(games - 1) * sqrt(games / (games - 1) * squares) / choices
    return Rate(scale * value, choices, games, scale * max(value - reach, 0.0), scale * (value + reach))
