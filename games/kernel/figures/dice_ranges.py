"""Ranges in which 99 of 100 honest sets lie: of hits and of chi-squares."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

Range: TypeAlias = tuple[float, float]

TAIL = 0.005
"""The share of all honest sets that may lie outside the range, at each end."""
_DEVIATIONS = 2.5758293035489004
MOST_EXACT = 400
"""The most trials with different chances that are computed exactly; for more the normal curve is used."""
MOST_ALIKE = 10_000
"""The most trials with one common chance that are computed exactly."""
OF_CHI_SQUARE: Mapping[int, Range] = {5: (0.4117, 16.7496), 20: (7.4338, 39.9968), 35: (17.1918, 60.2748)}
"""Degrees of freedom → the range of the middle 99 of 100 chi-squares."""


def of_hits(trials: Mapping[Fraction, int]) -> Range | None:
    """Return the fewest and the most hits of 99 in 100 honest sets; None without trials.

    `trials` maps a chance to its number of trials.
    """
    trials = {chance: n for chance, n in trials.items() if n}
    total = sum(trials.values())
    if not total:
        return None
    if total <= (MOST_ALIKE if len(trials) == 1 else MOST_EXACT):
        return _of_weights(_together([_binomial(n, float(chance)) for chance, n in trials.items()]))
    mean = float(sum(n * chance for chance, n in trials.items()))
    spread = math.sqrt(sum(n * chance * (1 - chance) for chance, n in trials.items())) * _DEVIATIONS
    return max(0, math.floor(mean - spread)), min(total, math.ceil(mean + spread))


def _binomial(n: int, chance: float) -> list[float]:
    """Return the weights of 0..n hits."""
    sure = math.lgamma(n + 1)
    yes, no = math.log(chance), math.log1p(-chance)
    return [math.exp(sure - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * yes + (n - k) * no) for k in range(n + 1)]


def _together(parts: Sequence[list[float]]) -> list[float]:
    """Return the weights of the sum of several numbers of hits."""
    found = [1.0]
    for part in parts:
        longer = [0.0] * (len(found) + len(part) - 1)
        for i, one in enumerate(found):
            for k, other in enumerate(part):
                longer[i + k] += one * other
        found = longer
    return found


def _of_weights(weights: list[float]) -> Range:
    """Return the range that leaves less than TAIL at each end."""
    return _first(weights), len(weights) - 1 - _first(weights[::-1])


def _first(weights: Sequence[float]) -> int:
    """Return the first number at which the weights so far add up to more than TAIL."""
    passed = 0.0
    for number, weight in enumerate(weights):
        passed += weight
        if passed > TAIL:
            return number
    return len(weights) - 1
