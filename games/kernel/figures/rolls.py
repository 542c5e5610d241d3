"""Rolls: the dice of a log, one throw after the other, and the chances that hung on each.

A game says in its rolls module (`GameConfig.rolls_module`) which of its events tell of dice
(`rolls`) and which chances its figures are of (`trials`). Dice that were drawn from the table's
`Dice` stand in the log entry in the order of drawing; `matched` brings both together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from games.kernel.contract import Event, JsonObject, Seat

SEALED = "sealed"
"""Level of a roll: drawn from the table's sealed seed."""
TYPED = "typed"
"""Level of a roll: real dice, typed in by somebody at the table."""
OTHER = "other"
"""Kind of a roll of which the game tells nothing."""

Faces: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial of a rate: with probability `chance` fair dice do what `is_hit` tells of their faces.

    `is_hit` is asked of the faces thrown, and of as many others for a control.
    """

    rate: str
    chance: Fraction
    is_hit: Callable[[Faces], bool]


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that fell together: who threw them (None: the house), what for, and the faces.

    `event` tells of it: while it is hidden, so is the roll. `first` is the number of the first
    die among all of the table's, from 0 (of a throw of chains: among those of the throw); None where the dice
    were typed.
    """

    seat: Seat | None
    kind: str
    faces: Faces
    event: Event | None = None
    level: str = SEALED
    first: int | None = None


def level_of(data: JsonObject) -> str:
    """Return the level of the dice that an event's data tell of: its mark `typed` says that they were real ones."""
    return TYPED if data.get("typed") else SEALED


def one_by_one(kind: str, rolls: Iterable[Iterable[JsonObject]]) -> list[Roll]:
    """Return throws for a place (`standings.Rolls`) as rolls of one die each."""
    return [Roll(one["seat"], kind, (one["die"],)) for each in rolls for one in each]


def told_by(event: Event, roll: Roll) -> Roll:
    """Return a roll as told by an event."""
    return replace(roll, event=event)


def matched(
    events: Sequence[Event], told: Iterable[Roll], drawn: Faces, first: int, seat: Seat | None, *, level: str = SEALED
) -> list[Roll]:
    """Return the rolls of an entry, with faces in the order in which they were drawn.

    `told` are the rolls that its events tell of, in order; `drawn` the dice that the entry drew, the
    first of them the table's die number `first`, of a `level`; `seat` asked. Rolls without any drawn dice were
    typed. Where both differ, what was drawn is one roll, hidden as the most hidden event.
    """
    found = list(told)
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
    """Tell whether everybody may know a roll; at the end of a table all that it drew is open."""
    if is_over and roll.level != TYPED:
        return True
    return roll.event is None or roll.event.is_open(is_over=is_over)


def faces_text(faces: Iterable[int]) -> str:
    """Return faces as they stand in files: with blanks between them."""
    return " ".join(map(str, faces))
