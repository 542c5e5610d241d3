"""Rankings, and dice thrown to decide places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypedDict

from games.kernel.contract import Seat
from games.kernel.dice import Dice


class RolledDie(TypedDict):
    """A die that a seat has thrown for a place."""

    seat: Seat
    die: int


Rolls: TypeAlias = list[list[RolledDie]]
"""Throws for a place, in order."""


def ranking(keys: Mapping[Seat, Any]) -> list[list[Seat]]:
    """Return the seats in groups of equal keys, lowest key first: the form of `Outcome.ranking`."""
    groups: dict[Any, list[Seat]] = {}
    for seat, key in keys.items():
        groups.setdefault(key, []).append(seat)
    return [groups[key] for key in sorted(groups)]


def throw_off(seats: tuple[Seat, ...], dice: Dice, extreme: Callable[[Iterable[int]], int] = max) -> tuple[Seat, Rolls]:
    """Return the seat with the `extreme` (max or min) die, and all throws that led to it.

    Tied seats throw again. A single seat throws nothing.
    """
    rolls: Rolls = []
    while len(seats) > 1:
        fell = _throw(seats, dice, rolls)
        best = extreme(fell.values())
        seats = tuple(seat for seat, die in fell.items() if die == best)
    return seats[0], rolls


def throw_for_order(seats: tuple[Seat, ...], dice: Dice) -> tuple[list[Seat], Rolls]:
    """Return the seats from the highest die to the lowest, and all throws that led to this order.

    Tied seats throw again, only for the places that they share.
    """
    if len(seats) == 1:
        return list(seats), []
    order: list[Seat] = []
    rolls: Rolls = []
    fell = _throw(seats, dice, rolls)
    for value in sorted(set(fell.values()), reverse=True):
        placed, more = throw_for_order(tuple(seat for seat in seats if fell[seat] == value), dice)
        order += placed
        rolls += more
    return order, rolls


_PAIRS = 36
"""The number of ways in which two dice can fall."""


def draw_lots(seats: tuple[Seat, ...], dice: Dice) -> tuple[list[Seat], list[list[int]]]:
    """Return the seats (at most 36) in a random order, every order equally likely, and the pairs of dice thrown.

    Each lot is drawn with two dice; a pair beyond the largest multiple of the number of lots left is thrown again.
    """
    left, order, pairs = list(seats), [], []
    while len(left) > 1:
        first, second = dice.roll(2)
        pairs.append([first, second])
        number = (first - 1) * 6 + second - 1
        if number < _PAIRS - _PAIRS % len(left):
            order.append(left.pop(number % len(left)))
    return [*order, *left], pairs


def _throw(seats: tuple[Seat, ...], dice: Dice, rolls: Rolls) -> dict[Seat, int]:
    """Throw a die for each seat, and add the throw to `rolls`."""
    fell = dict(zip(seats, dice.roll(len(seats)), strict=True))
    rolls.append([{"seat": seat, "die": die} for seat, die in fell.items()])
    return fell
