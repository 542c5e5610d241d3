"""People who have gone home before the end of a phase, and what follows from it there.

Where all play so many matches, who has played half of them or more loses those that were not played: walkovers, without
points. Who has played less does not count: the matches leave the standing, for everybody, and stay among the results.
In an open end a place needs half as many matches as the median. Nothing of it holds before the end: who comes back
plays on. A tournament that began with an earlier version of the pairing is played by the rules of its time.
"""

from __future__ import annotations

from dataclasses import dataclass

GONE_HOME = 4
"""The first version with these rules."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A person who has gone home with matches left: how many were played, of how many.

    In an open end `of` is the median of those who are here, and whoever has too few has no place before the others.
    """

    name: str
    played: int
    of: float

    @property
    def is_struck(self) -> bool:
        """Tell whether the matches do not count if it stays so: less than half of them was played."""
        return 2 * self.played < self.of


@dataclass(frozen=True, slots=True)
class GoneHome:
    """The effects at the end: whose matches do not count, and the walkovers (loser, winner).

    Of two `losers`, who have both gone, both lose.
    """

    is_over: bool
    struck: frozenset[str] = frozenset()
    walkovers: tuple[tuple[str, str], ...] = ()
    losers: frozenset[str] = frozenset()
