"""Means with a 95 % range: Student's, from the number of games, their sum and the sum of their squares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

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
