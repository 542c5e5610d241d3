"""Figures of a finished game that need its whole log: the pips rolled above the mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from chouette.rules.events.fold import EVENTS
from chouette.rules.events.game import DiceRolled
from chouette.rules.events.session import GameStarted
from games.kernel.contract import Seat
from games.kernel.replay import Entry

MEAN = Fraction(49, 6)
"""Pips that a roll brings on average, doubles counted four times."""


def figures(options: Mapping[str, object], seats: int, entries: Iterable[Entry]) -> dict[Seat, dict[str, int]]:
    """Return `luck` by seat: the pips that its side rolled above the mean, rounded; `luck_typed` of typed dice.

    A game on a real board has none: its rolls are not known. The opening roll is shared and does not count. `entries`
    are those of the game, from the one that begins it.
    """
    if options.get("board") == "wood":
        return {}
    line: tuple[Seat, ...] = ()
    box: set[Seat | None] = set()  # and its partner, if any
    rolled, typed = ({True: Fraction(0), False: Fraction(0)} for _ in range(2))
    for event in (event for entry in entries for event in entry.events):
        match EVENTS.read(event):
            case GameStarted() as started:
                line, box = tuple(started.line), {started.line[0], started.partner}
            case DiceRolled() as fallen:
                source = typed if fallen.typed else rolled
                source[fallen.seat in box] += pips(fallen.dice) - MEAN
    found = {seat: {"luck": 0, "luck_typed": 0} for seat in range(seats)}
    mine = {seat: seat in box for seat in line}
    return found | {s: {"luck": round(rolled[b]), "luck_typed": round(typed[b])} for s, b in mine.items()}


def pips(dice: list[int]) -> int:
    """Return the pips of a roll, a double counted four times."""
    return sum(dice) * (2 if dice[0] == dice[1] else 1)
