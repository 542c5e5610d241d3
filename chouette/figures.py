"""Figures of a finished game that need its whole log: luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from games.kernel.contract import JsonObject, Seat
from games.kernel.replay import Entry

MEAN = Fraction(49, 6)
"""Pips that a roll brings on average, doubles counted four times."""


def figures(options: Mapping[str, object], seats: int, entries: Iterable[Entry]) -> dict[Seat, dict[str, int]]:
    """Return `luck` by seat: the pips that its side rolled above the mean, rounded.

    The opening roll is shared and does not count. `entries` are those since the last
    result. Seats that were not in the game's line have 0.
    """
    line: tuple[Seat, ...] = ()
    box: set[Seat] = set()
    rolled = {True: Fraction(0), False: Fraction(0)}
    for event in (event for entry in entries for event in entry.events):
        if event.type == "game_started":
            line, box = tuple(event.data["line"]), _box_side(event.data)
        elif event.type == "dice_rolled":
            rolled[event.data["seat"] in box] += pips(event.data["dice"]) - MEAN
    found = {seat: {"luck": 0} for seat in range(seats)}
    return found | {seat: {"luck": round(rolled[seat in box])} for seat in line}


def _box_side(data: JsonObject) -> set[Seat]:
    """Return the Box, and the partner in the Box where there is one."""
    return {data["line"][0]} | ({data["partner"]} - {None})


def pips(dice: list[int]) -> int:
    """Return the pips of a roll, a double counted four times."""
    return sum(dice) * (2 if dice[0] == dice[1] else 1)
