"""Lots: chance that follows from a seed and a number of the draw, so that anybody can draw again.

The chance of a draw is HMAC-SHA-256(seed, what the draw follows from: a number or a digest); further bytes are
HMAC-SHA-256 of it and a counter.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
WORD = 1 << 32


class Lot:
    """One draw's source of chance: equal seeds and draws give equal lots."""

    is_drawn = False
    """Something has been drawn from it."""

    def __init__(self, seed: int | str, draw: int | str) -> None:
        key = hmac.digest(str(seed).encode("utf-8", "surrogatepass"), str(draw).encode(), "sha256")
        self._words = _words(key)

    def below(self, count: int) -> int:
        """Return one of 0..count-1, each with the same chance."""
        # Words above the last whole multiple would favour the small numbers.
        limit = WORD - WORD % count
        self.is_drawn = True
        while True:
            word = next(self._words)
            if word < limit:
                return word % count

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items in an order by lot (Fisher and Yates)."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found


def _words(key: bytes) -> Iterator[int]:
    """Return numbers of 32 bits without end."""
    counter = 0
    while True:
        block = hmac.digest(key, str(counter).encode(), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1
