"""Uncertain minutes: what is added up to the forecast of an end, by the mean and the variance of each match.

A match lasts as gamma-distributed minutes, with a spread that was measured at backgammon matches. The later one of two
ends is taken as that of two normal ones (C. E. Clark, The Greatest of a Finite Set of Random Variables, 1961).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from math import erf, exp, factorial, pi, sqrt
from typing import NamedTuple

SPREAD = 0.35
"""The standard deviation of a match's duration, as a share of it: measured at backgammon matches."""
SHAPE = 8
"""The shape of their gamma distribution: 1 / SPREAD², as a whole number."""


class Uncertain(NamedTuple):
    """Minutes of which the mean and the variance are known."""

    mean: float
    variance: float = 0.0

    def plus(self, other: Uncertain) -> Uncertain:
        """Return the sum of two that have nothing to do with each other."""
        return Uncertain(self.mean + other.mean, self.variance + other.variance)


def match(minutes: float) -> Uncertain:
    """Return the duration of a match of so many minutes in the mean."""
    return Uncertain(minutes, (SPREAD * minutes) ** 2)


def rest_of_match(minutes: float, elapsed: float) -> Uncertain:
    """Return how long a match goes on that lasts `minutes` in the mean and has lasted `elapsed`."""
    if minutes <= 0:
        return Uncertain(0.0)
    at = min(elapsed * SHAPE / minutes, 4.0 * SHAPE)
    left = _tail(SHAPE, at)
    whole = minutes * _tail(SHAPE + 1, at) / left
    square = minutes**2 * (SHAPE + 1) / SHAPE * _tail(SHAPE + 2, at) / left
    return Uncertain(max(0.0, whole - at * minutes / SHAPE), max(0.0, square - whole**2))


def _tail(shape: int, at: float) -> float:
    """Return the probability that a gamma-distributed value of a whole shape and scale 1 is larger."""
    return exp(-at) * sum(at**power / factorial(power) for power in range(shape))


def later(one: Uncertain, other: Uncertain) -> Uncertain:
    """Return the later one of two ends that have nothing to do with each other."""
    spread = sqrt(one.variance + other.variance)
    if spread < 1e-9:
        return max(one, other)
    apart = (one.mean - other.mean) / spread
    share = (1 + erf(apart / sqrt(2))) / 2
    density = spread * exp(-apart * apart / 2) / sqrt(2 * pi)
    mean = one.mean * share + other.mean * (1 - share) + density
    square = (one.mean**2 + one.variance) * share + (other.mean**2 + other.variance) * (1 - share)
    square += (one.mean + other.mean) * density
    return Uncertain(mean, max(0.0, square - mean**2))


def last(ends: Iterable[Uncertain], first: Uncertain) -> Uncertain:
    """Return the last one of ends, and not before `first`."""
    return reduce(later, sorted(ends), first)


def together(count: int, minutes: float, boards: int | None = None) -> Uncertain:
    """Return the duration of so many matches that begin together, on so many boards (None: enough)."""
    at_once = max(1, count if boards is None else min(count, boards))
    longest = _longest(at_once)
    behind = (max(1, count) - at_once) / at_once * minutes
    return Uncertain(behind + longest.mean * minutes, longest.variance * minutes**2)


@cache
def _longest(count: int) -> Uncertain:
    """Return the duration of the longest of so many matches, in mean durations."""
    return last([match(1.0)] * (count - 1), match(1.0))
