"""The value of a result (docs/rules-chicago.md §3).

Pure functions over dice values. A valuation is the worth of ones and sixes and the better
direction; it is part of the house rules or declared by the round's starter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, Protocol

from games.kernel.data.records import record

CHICK = (1, 1, 1)


@record(frozen=True, slots=True)
class Valuation:
    """The worth of ones (100 or 1) and sixes (60 or 6); `high`: the higher sum is better."""

    ones: int = 100
    sixes: int = 60
    high: bool = True

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Valuation:
        """Return the valuation of the house rules; it binds only under `valuation = fixed`."""
        ones, sixes = int(options["ones"]), int(options["sixes"])
        return cls(ones, sixes, options["direction"] == "high")

    @property
    def has_fish(self) -> bool:
        """Tell whether Fish exist: only under 100/60 high."""
        return (self.ones, self.sixes, self.high) == (100, 60, True)


@record(frozen=True, slots=True)
class Score:
    """The result of a turn.

    `value` is the sum under the valuation, 0 for a Fish where all Fish are equal; `throws`
    is the number of throws. A Chick's `value` is its plain sum, without a meaning.
    """

    value: int
    is_chick: bool = False
    is_fish: bool = False
    throws: int = 1


def declarations() -> tuple[Valuation, ...]:
    """Return the eight valuations that a starter may declare, 100/60 high first."""
    combos = product((100, 1), (60, 6), (True, False))
    return tuple(Valuation(ones, sixes, high) for ones, sixes, high in combos)


def total(dice: Iterable[int], valuation: Valuation) -> int:
    """Return the sum of the dice, with ones and sixes at the valuation's worth."""
    special = {1: valuation.ones, 6: valuation.sixes}
    return sum([special.get(die, die) for die in dice])


def is_fish(dice: Iterable[int], valuation: Valuation) -> bool:
    """Tell whether the dice are a Fish: no 1 and no 6, valuation 100/60 high."""
    return valuation.has_fish and {1, 6}.isdisjoint(dice)


def score(dice: Iterable[int], valuation: Valuation, *, chick: bool, throws: int, fish: str) -> Score:
    """Return the score of three dice.

    `chick`: they count as a Chick (`turn.has_chick`). `fish` is the house rule: `equal` gives
    every Fish the value 0, `by_sum` its sum, which is below all other results anyway.
    """
    faces = tuple(dice)
    is_low = is_fish(faces, valuation)
    value = 0 if is_low and fish != "by_sum" else total(faces, valuation)
    return Score(value, chick, is_low, throws)


class Scored(Protocol):
    """A comparable result: a Score, or an object that has its fields."""

    @property
    def value(self) -> int:
        """As in Score."""

    @property
    def is_chick(self) -> bool:
        """As in Score."""

    @property
    def throws(self) -> int:
        """As in Score."""


def compare(a: Scored, b: Scored, valuation: Valuation, ties: str) -> int:
    """Return > 0 when `a` is better, < 0 when `b` is, 0 when they are equal.

    A Chick is best in either direction. Under `ties = fewer_throws` equal results differ by
    their throws; the round decides between equals by the order of play (`later_loses`) or by dice
    (`roll_off`).
    """
    if a.is_chick != b.is_chick:
        return 1 if a.is_chick else -1
    by_value = 0 if a.is_chick else _sign(a.value - b.value)
    if by_value:
        return by_value if valuation.high else -by_value
    return _sign(b.throws - a.throws) if ties == "fewer_throws" else 0


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
