"""Drawing lots with one die each, again among those who are equal (§§3, 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from games.kernel.contract import JsonObject, Seat
from games.kernel.dice import Dice


def draw(
    seats: tuple[Seat, ...], dice: Dice, extreme: Callable[[Iterable[int]], int]
) -> tuple[Seat, list[list[JsonObject]]]:
    """Return the seat with the `extreme` (max or min) die, and all rolls on the way there.

    Each roll is a list of `{"seat", "die"}`; those who are equal roll again.
    """
    rolls = []
    while len(seats) > 1:
        values = dict(zip(seats, dice.roll(len(seats)), strict=True))
        rolls.append([{"seat": seat, "die": die} for seat, die in values.items()])
        wanted = extreme(values.values())
        seats = tuple(seat for seat, die in values.items() if die == wanted)
    return seats[0], rolls
