"""The rolls in a log of Chicago, and the rates that hang on them."""

from __future__ import annotations

from fractions import Fraction

from chicago.rules.events.rounds import RolledOff, StarterDrawn
from chicago.rules.events.turns import DiceThrown
from chicago.rules.fold import EVENTS
from chicago.rules.state import State
from chicago.rules.throwing.scoring import CHICK
from games.kernel.contract import Event
from games.kernel.figures.rolls import Faces, Roll, Trial, level_of, one_by_one

_ENDS = {1, 6}


def rolls(event: Event) -> list[Roll]:
    """Return the rolls of an event: a throw of one to three dice, or one die each for a place."""
    match EVENTS.read(event):
        case DiceThrown() as thrown:
            return [Roll(thrown.seat, "throw", tuple(thrown.dice), level=level_of(event.data))]
        case RolledOff(rolls=rolls) | StarterDrawn(rolls=rolls):
            return one_by_one("place", rolls)
    return []


def trials(state: State, roll: Roll) -> list[Trial]:
    """Return the trials of a throw of all three dice: Chick, Fish, triple; none for other rolls."""
    if roll.kind != "throw" or len(roll.faces) != len(CHICK):
        return []
    return [
        Trial("chick", Fraction(1, 216), lambda faces: faces == CHICK),
        Trial("fish", Fraction(64, 216), lambda faces: not _ENDS.intersection(faces)),
        Trial("triple", Fraction(6, 216), _is_triple),
    ]


def _is_triple(faces: Faces) -> bool:
    return len(set(faces)) == 1
