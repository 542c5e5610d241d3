"""The rate of a player's errors: the mean error of the choices that count, with its range.

Games are the sample, not choices: those of one game hang together (a ratio estimator over clusters).

Means with a 95 % range: Student's, from the number of games, their sum and the sum of their squares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TypeAlias

from games.kernel.contract import JsonObject

STUDENT = (
    12.7062047, 4.3026527, 3.1824463, 2.7764451, 2.5705818, 2.4469119, 2.3646243, 2.3060041, 2.2621572, 2.2281389,
    2.2009852, 2.1788128, 2.1603687, 2.1447867, 2.1314495, 2.1199053, 2.1098156, 2.1009220, 2.0930241, 2.0859634,
    2.0796138, 2.0738731, 2.0686576, 2.0638986, 2.0595386, 2.0555294, 2.0518305, 2.0484071, 2.0452296, 2.0422725,
)  # fmt: skip
"""The 97.5 % points of Student's distribution with 1, 2, … degrees of freedom."""
_NORMAL = 1.959963985


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of `n` games, and its 95 % range; None where there is none: with one game nothing is known of the rest.

    The range is where the true mean lies for 95 of 100 people of whom it is said, if one's games were independent of
    each other and their points distributed roughly like a bell.
    """

    n: int
    mean: Fraction
    low: float | None
    high: float | None


def mean_of(n: int, total: int | Fraction, squares: int | Fraction) -> Mean:
    """Return the mean of `n` games, at least one, whose points and their squares add up to these sums."""
    mean = Fraction(total, n)
    if n < 2:
        return Mean(n, mean, None, None)
    variance = Fraction(squares * n - total * total, n * (n - 1))
    half = student(n - 1) * math.sqrt(variance / n)
    return Mean(n, mean, float(mean) - half, float(mean) + half)


def student(degrees: int) -> float:
    """Return the 97.5 % point of Student's distribution, exact to 0.00001."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    # Cornish and Fisher's expansion around the normal distribution (Abramowitz and Stegun 26.7.5).
    z = _NORMAL
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / math.pow(degrees, power) for power, term in enumerate(terms, 1))


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
