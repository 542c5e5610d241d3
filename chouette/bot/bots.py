"""Bots and hints: plays, doubles and answers from the view of a seat.

Levels: `net` takes the best option by the house's evaluator, `lookahead` also looks a roll
ahead for the best few plays and for every cube, `noisy` misjudges every play and every cube by a random
amount. The same view, choices, level and seed always give the same answer. `expert` asks the engine of this
machine, and plays as `lookahead` where that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from chouette.analysis.engine import EngineFailed
from chouette.bot import house_engine, listening, optional_acts, weighing
from chouette.bot.cube_decisions import Judgement, judge
from chouette.bot.evaluator import Evaluator, chosen
from chouette.bot.judges import EngineJudge, Judge, NetJudge
from chouette.bot.playing import EXPERT, LEVELS, LOOKAHEAD, NET, NOISY, ranked_plays
from chouette.bot.weighing import Weighed
from chouette.rules.options.declaration import rule
from games.kernel.bots import Bots
from games.kernel.contract import Choice, Illegal, JsonObject
from games.kernel.dice.typed import BY_HOUSE

__all__ = ["EXPERT", "LEVELS", "LOOKAHEAD", "NET", "NOISY", "aside", "choose", "choose_with", "hint", "waits"]

Decided = TypeVar("Decided")

ALTERNATIVES = 3

# Loaded here so that an evaluator that can't be loaded fails at the house's start, not at a table.
chosen()

_COURTESIES = ("answer_proposal", "answer_take_back", "cube")


def choose(view: JsonObject, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject]:
    """Return the name and the arguments of one listed option.

    Required choices come first, then answers to other seats; other optional choices are left
    alone unless nothing else is open. Raises KeyError for an unknown level, ValueError without
    choices, ImportError if the house's evaluator can't be loaded.
    """
    return choose_with(chosen(), view, choices, level, seed)


def choose_with(
    evaluator: Evaluator, view: JsonObject, choices: list[Choice], level: str, seed: int
) -> tuple[str, JsonObject]:
    """Return name and arguments as `choose` does, judged by the given evaluator."""
    if not choices:
        raise ValueError("a bot needs an open choice")
    return _judged(evaluator, level, seed, lambda judge: _choice(judge, view, choices, f"{seed}:{level}:cube"))


def _judged(evaluator: Evaluator, level: str, seed: int, decide: Callable[[Judge], Decided]) -> Decided:
    """Return a decision by the judge of a level; where the engine fails, by the net in its place.

    Raises KeyError for an unknown level.
    """
    if level == EXPERT:
        engine = house_engine.shared
        try:
            return decide(EngineJudge(engine, evaluator))
        except EngineFailed as why:
            engine.say_that_the_net_plays(why)
            return decide(NetJudge(evaluator, LOOKAHEAD, seed))
    return decide(NetJudge(evaluator, level, seed))


def _choice(judge: Judge, view: JsonObject, choices: list[Choice], source: str) -> tuple[str, JsonObject]:
    """Return the option that a judge thinks best; its error about cubes is drawn from `source`."""
    by_name = {choice.name: choice for choice in _wanted(choices)}
    if "move" in by_name:
        return "move", listening.play(judge, view, by_name["move"].options)
    name = next((name for name in ("offer", "cube") if name in by_name), next(iter(by_name)))
    if name not in weighing.WEIGHED:
        return name, _quiet(by_name[name])
    args, _, name = max(_weighed(judge.judgement(view, source), by_name, name), key=lambda way: way[1])
    return name, args


def aside(view: JsonObject, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject] | None:
    """Return an optional act of a bot as its name and arguments, None to do nothing.

    The bot answers settlements and requests to take a play back, gives its word in a cube
    window before the window waits for it, resigns games that are certainly lost, suggests the
    play it would make, asks its side where that disagrees about the play that it is to make, gives
    cube advice while others still decide, and proposes a settlement as the Box. After such an act it
    is silent until the next roll or double, so that bots never keep each other talking. Required
    choices are not answered here.
    """
    return _judged(chosen(), level, seed, lambda judge: optional_acts.aside(judge, view, choices, level))


def waits(view: JsonObject, choices: list[Choice]) -> bool:
    """Tell whether a bot waits until others have answered a request to take a play back."""
    return optional_acts.waits(view, choices)


def hint(view: JsonObject, choices: list[Choice]) -> JsonObject:
    """Return the advice of the strongest level for the seat of the choices.

    `{"name", "args", "equity", "alternatives": [up to three of {"name", "args", "equity"},
    best first]}`, and for a cube also `"win"`, the chance of the side on turn to win the
    game. Equities are those of the asking seat, in points for each point of the cubes that the
    decision is about (for a play: of all cubes of the game) as the score counts them; in a
    match on the scale on which winning this game singly is 1 and losing it −1.
    `name` and `args` are a command as the choices list it; for a cube decision of the Box
    on its turn the names are `offer` and `roll`, of the Captain `cube` and `roll`.
    Raises Illegal `hints_off` by the house rules, `not_open` if neither a play nor a cube
    waits for the seat.
    """
    if not rule(view["options"], "hints"):
        raise Illegal("hints_off")
    by_name = {choice.name: choice for choice in choices if choice.required or choice.name == "cube"}
    if "move" in by_name:
        options = by_name["move"].options
        ranked = ranked_plays(chosen(), view, options, looks_ahead=True)
        return _with_alternatives([(options[index], equity, "move") for index, equity in ranked])
    name = next((name for name in by_name if name in weighing.WEIGHED), None)
    if name is None:
        raise Illegal("not_open", name="hint")
    judgement, choice = judge(view, chosen(), looks_ahead=True), by_name[name]
    cubes, side = weighing.cubes_of(judgement, choice), weighing.side_of(judgement, choice)
    ways = _weighed(judgement, by_name, name)
    points = [(args, judgement.per_point(worth, cubes, side), way) for args, worth, way in ways]
    return {**_with_alternatives(sorted(points, key=lambda way: -way[1])), "win": judgement.chances[0]}


Ways: TypeAlias = list[tuple[JsonObject, float, str]]
"""Arguments, their worth, and the name of their choice."""


def _weighed(judgement: Judgement, by_name: dict[str, Choice], name: str) -> Ways:
    """Return the ways to answer a choice; with an offer or a double, rolling is one of them."""
    choice = by_name[name]
    found: Weighed = weighing.ways(judgement, choice)
    ways = [(args, worth, name) for args, worth in found]
    if name in ("offer", "cube") and "roll" in by_name:
        ways.insert(0, (by_name["roll"].options[0], weighing.no_offer(judgement, choice), "roll"))
    return ways


def _with_alternatives(ways: Ways) -> JsonObject:
    """Return the first of sorted ways, with at most ALTERNATIVES others."""
    first, *others = ({"name": name, "args": args, "equity": worth} for args, worth, name in ways[: 1 + ALTERNATIVES])
    return {**first, "alternatives": others}


def _wanted(choices: list[Choice]) -> list[Choice]:
    """Return the choices that a bot answers."""
    required = [choice for choice in choices if choice.required]
    return required or [c for c in choices if c.name in _COURTESIES] or choices


def _quiet(choice: Choice) -> JsonObject:
    """Return the answer to a choice that needs no judgement.

    Alone against many, a bot agrees to no more automatic doubles and takes no partner. It lets a
    play be taken back: nothing has been thrown since. It has no real dice: the house throws.
    """
    careful = ({"agree": False}, {"take": False}, {"accept": True}, BY_HOUSE)
    return next((args for args in choice.options if args in careful), choice.options[0])


bots = Bots(choose=choose, aside=aside, waits=waits, listens=listening.listens, hint=hint, missing=house_engine.missing)
