"""The points of a past game as told in the game's form: by the rules, which decide it at a table of its own."""

from __future__ import annotations

from typing import Any

from games.kernel.contract import PLAYED, Command, Illegal, JsonObject
from games.kernel.dice import SystemDice
from games.kernel.options import Values
from games.kernel.rules import Rules


def points(rules: Rules[Any], options: Values, seats: int, told: JsonObject) -> list[int]:
    """Return the points of each seat, 0 for one that had no part.

    Raises Illegal `bad_form`, `not_ended` for a game that goes on after what is told, and as the rules.
    """
    form = rules.form(options)
    if form is None:
        raise Illegal("not_without_house")
    form.check(told, seats)
    dice = SystemDice()
    state = rules.open(options, seats, dice).state if rules.before is None else rules.before(options, seats, told)
    # Entry 1 is what `open` writes.
    decision = rules.decide(state, Command(PLAYED, None, told), dice, 2)
    found = [outcome for event in decision.events if (outcome := rules.outcome(event)) is not None]
    if not found:
        raise Illegal("not_ended")
    return [sum(outcome.points.get(seat, 0) for outcome in found) for seat in range(seats)]
