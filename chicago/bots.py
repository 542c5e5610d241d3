"""Bots and hints (docs/rules-chicago.md §6): they play the odds on the seat's view.

A bot of level `strong` takes the best chance; `medium` and `easy` misjudge each chance by
a random amount. The same view, choices, level and seed always give the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from chicago.odds.objective import Aim, aim_of, rivals_aim, stand_chance, turn_of, ways
from chicago.rules.throwing.scoring import Valuation
from chicago.rules.throwing.throws import lay_of
from chicago.rules.throwing.turn import Turn
from chicago.rules.view_shape import View
from games.kernel.bots import Bots
from games.kernel.contract import Choice, Illegal, JsonObject, Seat
from games.kernel.dice import typed

MISJUDGED = {"easy": 0.35, "medium": 0.12, "strong": 0.0}
"""Level → standard deviation of the error in each chance."""
AMONG_FORFEITS = {"easy": 0.6, "medium": 0.2, "strong": 0.0}
"""The same in the game for forfeits, whose chances lie closer together: most rounds have another loser."""
MISCOUNTED = {"easy": 6.0, "medium": 1.5, "strong": 0.0}
"""Level → standard deviation of the error in the number of a player's forfeits, where a loser is named."""

ALTERNATIVES = 3
_TURN = ("throw", "stand")


@dataclass(frozen=True, slots=True)
class ListedWay:
    """A listed way to continue the turn, and the chance that it leads to.

    `against_one` is the chance of standing if only one player were still to come: it orders
    ways that are almost certain against many.
    """

    name: str
    args: JsonObject
    chance: Fraction
    against_one: Fraction = Fraction(0)

    def to_json(self) -> JsonObject:
        """Return the candidate as a hint shows it."""
        num, den = self.chance.numerator, self.chance.denominator
        chance = {"num": num, "den": den, "decimal": num / den}
        return {"name": self.name, "args": self.args, "chance": chance}


def choose(view: View, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject]:
    """Return the name and the arguments of one listed option.

    Optional choices (calling a breach, taking a leaver's forfeits) are left alone while there is
    another; a bot has no real dice, so it enters no result. Raises KeyError for an unknown level,
    ValueError without choices.
    """
    if not choices:
        raise ValueError("a bot needs an open choice")
    error = (AMONG_FORFEITS if view["options"]["forfeits"] else MISJUDGED)[level]
    needed = [choice for choice in choices if choice.required] or choices
    for choice in needed:
        if choice.name not in (*_TURN, "enter_result"):
            return choice.name, _duty(view, choice, level, seed)
    rng = random.Random(f"{seed}:{view['round']}:{view['turn']}:{view['cup']['throws']}")
    turn = [choice for choice in needed if choice.name in _TURN]
    best = max(candidates(view, turn, rivals_aim(view)), key=lambda c: float(c.chance) + rng.gauss(0, error))
    return best.name, best.args


def hint(view: View, choices: list[Choice]) -> JsonObject:
    """Return the best way to continue the turn, as advice for the seat of the choices.

    `{"name", "args", "chance": {"num", "den", "decimal"}, "aim", "alternatives": [up to
    three of {"name", "args", "chance"}]}`. `aim` names the event of the chance: `beat` the standing
    result, `not_low` or `high` at the end of the round, `high_not_low` the mean of both.
    Raises Illegal: `hints_off` by the house rules, `not_open` if no turn waits for advice.
    """
    if not view["options"]["hints"]:
        raise Illegal("hints_off")
    found = candidates(view, [c for c in choices if c.required and c.name in _TURN])
    if not found:
        raise Illegal("not_open", name="hint")
    others = [other.to_json() for other in found[1 : 1 + ALTERNATIVES]]
    return {**found[0].to_json(), "aim": aim_of(view).goal, "alternatives": others}


def candidates(view: View, choices: Iterable[Choice], aim: Aim | None = None) -> list[ListedWay]:
    """Return every listed way to continue the turn, best first; standing first among equals.

    The aim is that of the seat on turn, unless another is given.
    """
    aim, turn = aim or aim_of(view), turn_of(view)
    found = [c for choice in choices for c in _candidates(aim, turn, choice)]
    return sorted(found, key=lambda c: (-c.chance, c.name != "stand", -c.against_one))


def _candidates(aim: Aim, turn: Turn, choice: Choice) -> Iterator[ListedWay]:
    chances = {move.lay: move.chance for move in ways(aim, turn)}
    for args in choice.options:
        if choice.name == "throw":
            lay = lay_of(args)
            yield ListedWay("throw", args, chances[lay])
        else:
            yield _standing(aim, turn, args)


def _standing(aim: Aim, turn: Turn, args: JsonObject) -> ListedWay:
    valuation = Valuation(**args) if args else aim.house.valuation
    alone = replace(aim, behind=min(aim.behind, 1))
    one = stand_chance(alone, turn, valuation)
    return ListedWay("stand", args, stand_chance(aim, turn, valuation), one)


def _duty(view: View, choice: Choice, level: str, seed: int) -> JsonObject:
    """Return the answer to a choice outside the turn: typing dice, refilling, naming the loser, voting.

    A bot has no real dice: the house throws. It names the other player with the fewest forfeits so far, as far as its
    level lets it see that, and votes not guilty, as it can't have seen a breach.
    """
    if choice.name == "type_dice":
        return typed.BY_HOUSE
    rng = random.Random(f"{seed}:{view['round']}:{choice.name}")
    return min(choice.options, key=lambda args: _reluctance(view, choice.seat, args, rng.gauss(0, MISCOUNTED[level])))


def _reluctance(view: View, me: Seat | None, args: JsonObject, error: float) -> tuple[bool, float]:
    seat = args.get("seat")
    forfeits = 0.0 if seat is None else int(view["seats"][seat]["forfeits"]) + error
    return bool(args.get("guilty")) or (seat is not None and seat == me), forfeits


bots = Bots(choose=choose, hint=hint)
