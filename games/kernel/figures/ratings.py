"""Ratings of matches between two people, by the formulas of FIBS (the First Internet Backgammon Server).

The root of the length of a match is a convention: in a study of 33,238 matches any exponent from 0 to 0.7 fits as well,
and only 1 is excluded. No rating for chouettes was ever published, and there is none here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

START = 1500.0
"""The rating of a player without a match."""

Person = TypeVar("Person")


@dataclass(frozen=True, slots=True)
class RatedMatch(Generic[Person]):
    """A match: its winner, its loser, and the number of points that it was played to."""

    winner: Person
    loser: Person
    length: int


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's rating, the experience behind it (the lengths of their matches, added up), and how many matches."""

    value: float = START
    experience: int = 0
    matches: int = 0


def ratings(matches: Iterable[RatedMatch[Person]]) -> dict[Person, Rating]:
    """Return the rating of each person after matches in the order in which they ended."""
    found: dict[Person, Rating] = {}
    for match in matches:
        winner, loser = found.get(match.winner, Rating()), found.get(match.loser, Rating())
        moved = _upset(winner, loser, match.length)
        found[match.winner] = _after(winner, match.length, moved)
        found[match.loser] = _after(loser, match.length, -moved)
    return found


def underdog_chance(difference: float, length: int) -> float:
    """Return the chance U of the lower-rated of two people whose ratings differ by this much, in a match."""
    return 1 / (10 ** (abs(difference) * math.sqrt(length) / 2000) + 1)


def _upset(winner: Rating, loser: Rating, length: int) -> float:
    """Return P: U if the higher-rated has won, 1 - U if the lower-rated has."""
    chance = underdog_chance(winner.value - loser.value, length)
    return chance if winner.value >= loser.value else 1 - chance


def _after(rating: Rating, length: int, share: float) -> Rating:
    """Return a rating after a match: 4·K·√N·P more or less, K by an experience that counts this match."""
    experience = rating.experience + length
    factor = max(1.0, 5 - experience / 100)
    value = rating.value + 4 * factor * math.sqrt(length) * share
    return Rating(value, experience, rating.matches + 1)
