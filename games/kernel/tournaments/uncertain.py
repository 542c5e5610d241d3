"""Uncertain minutes: what is added up to the forecast of an end, by the mean and the variance of each match.

A match lasts as gamma-distributed minutes, with a spread that was measured at backgammon matches. The later one of two
ends is taken as that of two normal ones (C. E. Clark, The Greatest of a Finite Set of Random Variables, 1961).
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable
from functools import lru_cache, reduce
from math import erf, exp, factorial, pi, sqrt
from statistics import fmean, pvariance
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

    def times(self, count: int) -> Uncertain:
        """Return the sum of so many of these that have nothing to do with each other."""
        return Uncertain(self.mean * count, self.variance * count)


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
    whole = _together(max(1, count), at_once)
    return Uncertain(whole.mean * minutes, whole.variance * minutes**2)


WAYS, MOST_TOGETHER = 200, 128
"""The ways that are tried, and the most matches: more are taken for so many, with boards in proportion."""


@lru_cache(maxsize=512)
def _together(count: int, boards: int) -> Uncertain:
    """Return the duration of so many matches on so many boards, in mean durations; chance has a fixed seed."""
    if count > MOST_TOGETHER:
        count, boards = MOST_TOGETHER, max(1, round(boards * MOST_TOGETHER / count))
    chance, scale = random.Random(0), SPREAD**2
    ends = []
    for _ in range(WAYS):
        free = [0.0] * boards
        for _ in range(count):
            heapq.heapreplace(free, free[0] + chance.gammavariate(1 / scale, scale))
        ends.append(max(free))
    return Uncertain(fmean(ends), pvariance(ends))
