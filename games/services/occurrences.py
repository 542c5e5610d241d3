"""Occurrences in a room that rooms after it act upon in the same transaction: what they write stands or falls with it.

A room declares an `Occurrence` and tells it; `games.services.following` connects those who follow it. What only
informs, after the commit, is news (`games.services.publication`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVarTuple

Ps = TypeVarTuple("Ps")


class Occurrence(Generic[*Ps]):
    """A kind of occurrence; `Ps` are the types of what is said of one, such as a night."""

    def __init__(self) -> None:
        self._followers: list[Callable[[*Ps], object]] = []

    @property
    def is_followed(self) -> bool:
        """Tell whether anybody acts upon it."""
        return bool(self._followers)

    def follow(self, *followers: Callable[[*Ps], object]) -> None:
        """Call the followers each time from now on, in this order; following twice has no further effect."""
        self._followers += [each for each in followers if each not in self._followers]

    def tell(self, *about: *Ps) -> None:
        """Call the followers; an exception of one is the teller's, and undoes the transaction."""
        for follower in self._followers:
            follower(*about)
