"""Rolls: the dice of a log, one throw after the other, and the chances of each.

A game's rolls module (`GameConfig.rolls_module`) reads the rolls from its events (`rolls`) and gives
the chances that its figures count (`trials`). Dice that were drawn from the table's `Dice` stand in
the log entry in the order of drawing; `matched` combines both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.standings import RolledDie

SEALED = "sealed"
"""Level of a roll: drawn from the table's sealed seed."""
TYPED = "typed"
"""Level of a roll: real dice, typed in at the table."""
OTHER = "other"
"""Kind of a roll that no event of the game describes."""

Faces: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial of a rate: with probability `chance` fair dice fall so that `is_hit` is true of their faces.

    `is_hit` is called with the faces thrown, and with the faces of the control.
    """

    rate: str
    chance: Fraction
    is_hit: Callable[[Faces], bool]


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that fell together: the seat that threw them (None: the house), their purpose, and the faces.

    `event` describes the roll, which is hidden as long as the event is. `first` is the number of the first
    die among all dice of the table, from 0 (for a throw of chains: among the dice of the throw); None for
    typed dice.
    """

    seat: Seat | None
    kind: str
    faces: Faces
    event: Event | None = None
    level: str = SEALED
    first: int | None = None


def level_of(data: JsonObject) -> str:
    """Return the level of an event's dice: TYPED if its data have the mark `typed`, else SEALED."""
    return TYPED if data.get("typed") else SEALED


def one_by_one(kind: str, rolls: Iterable[Iterable[RolledDie]]) -> list[Roll]:
    """Return throws for a place (`standings.Rolls`) as rolls of one die each."""
    return [Roll(one["seat"], kind, (one["die"],)) for each in rolls for one in each]


def with_event(event: Event, roll: Roll) -> Roll:
    """Return a roll with the event that describes it."""
    return replace(roll, event=event)


def matched(
    events: Sequence[Event],
    described: Iterable[Roll],
    drawn: Faces,
    first: int,
    seat: Seat | None,
    *,
    level: str = SEALED,
) -> list[Roll]:
    """Return the rolls of an entry, with faces in the order in which they were drawn.

    `described` are the rolls that the entry's events describe, in order; `drawn` are the dice that it drew, of
    `level`, from the table's die number `first` on; `seat` sent the command. If no dice were drawn, all rolls
    are typed. If both differ, the drawn dice become one roll, as hidden as the first hidden event.
    """
    found = list(described)
    if not drawn:
        return [replace(roll, level=TYPED, first=None) for roll in found]
    rolls, at = [], 0
    for roll in found:
        if roll.level == TYPED:
            rolls.append(replace(roll, first=None))
            continue
        faces = drawn[at : at + len(roll.faces)]
        if sorted(faces) != sorted(roll.faces):
            break
        rolls.append(replace(roll, faces=faces, first=first + at, level=level))
        at += len(faces)
    if at == len(drawn) and len(rolls) == len(found):
        return rolls
    hidden = next((event for event in events if event.audience is not None), None)
    return [Roll(seat, OTHER, drawn, hidden, level, first)]


def is_open(roll: Roll, *, is_over: bool) -> bool:
    """Tell whether everybody may see a roll; after the end of a table all drawn dice are open."""
    if is_over and roll.level != TYPED:
        return True
    return roll.event is None or roll.event.is_open(is_over=is_over)


def faces_text(faces: Iterable[int]) -> str:
    """Return faces as written in files: separated by spaces."""
    return " ".join(map(str, faces))
