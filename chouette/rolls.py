"""The rolls in a log of backgammon, and the rates that hang on them."""

from __future__ import annotations

from fractions import Fraction

from chouette.board.position import BAR, HOME
from chouette.rules.events.fold import EVENTS
from chouette.rules.events.game import DiceRolled, OpeningDieRolled
from chouette.rules.events.session import LotsDrawn, OrderDieThrown, OrderRolled
from chouette.rules.play import movers_view
from chouette.rules.state import State
from games.kernel.contract import Event
from games.kernel.figures.rolls import Faces, Roll, Trial, level_of, one_by_one


def rolls(event: Event) -> list[Roll]:
    """Return the rolls of an event: two dice, one for the opening, one each for the line, or lots."""
    match EVENTS.read(event):
        case DiceRolled() as rolled:
            return [Roll(rolled.seat, "roll", tuple(rolled.dice), level=level_of(event.data))]
        case OpeningDieRolled() as rolled:
            return [Roll(rolled.seat, "opening", (rolled.die,), level=level_of(event.data))]
        case OrderRolled(rolls=rolls):
            return one_by_one("line", [rolls])
        case OrderDieThrown() as thrown:
            return [Roll(thrown.seat, "line", (thrown.die,), level=level_of(event.data))]
        case LotsDrawn(dice=dice):
            return [Roll(None, "line", tuple(pair)) for pair in dice]
    return []


def trials(state: State, roll: Roll) -> list[Trial]:
    """Return the trials of a roll of two dice: a double, and entering from the bar.

    `state` is the one before the roll. A checker enters if one of the dice names a point of the other
    side's home board that the other side does not hold; if it holds none or all, there is no trial.
    """
    if roll.kind != "roll":
        return []
    found = [Trial("double", Fraction(1, 6), _is_double)]
    if state.game is None:
        return found
    view = movers_view(state.game)
    held = frozenset(face for face in range(1, HOME + 1) if view[BAR - face] < -1)
    if view[BAR] and 0 < len(held) < HOME:
        found.append(Trial("entering", 1 - Fraction(len(held), HOME) ** 2, lambda faces: not held.issuperset(faces)))
    return found


def _is_double(faces: Faces) -> bool:
    return faces[0] == faces[1]
