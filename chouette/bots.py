"""Bots and hints: they play, double and answer on what their seat may see.

Levels: `net` takes what the net that comes along judges best, `lookahead` also looks a roll
ahead for the best few plays, `noisy` misjudges every play and every cube by a random
amount. The same view, choices, level and seed always give the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from chouette import choosing, janowski
from chouette.evaluator import Evaluator, embedded
from chouette.janowski import Offer
from chouette.judging import Judged, judge, on_turn, worth_of
from chouette.rules.notation import format_play
from chouette.rules.plays import legal_plays
from chouette.rules.position import Position
from games.kernel.contract import Choice, Illegal, JsonObject

NOISY, NET, LOOKAHEAD = "noisy", "net", "lookahead"

MISJUDGED = {NOISY: 0.12, NET: 0.0, LOOKAHEAD: 0.0}
"""Level → standard deviation of the error in what a play is worth, in points at cube 1."""
ALTERNATIVES = 3

Options: TypeAlias = Sequence[JsonObject]
_ABOUT_CUBES = ("cube", "offer", "answer_batch", "answer", "reply")
_COURTESIES = ("answer_proposal", "answer_take_back")


def choose(
    view: JsonObject, choices: list[Choice], level: str, seed: int
) -> tuple[str, JsonObject]:
    """Return the name and the arguments of one listed option.

    What the game waits for comes first, then answers to others; what nobody waits for is
    left alone unless nothing else is open. Raises KeyError for an unknown level,
    ValueError without choices.
    """
    return choose_with(embedded(), view, choices, level, seed)


def choose_with(
    evaluator: Evaluator, view: JsonObject, choices: list[Choice], level: str, seed: int
) -> tuple[str, JsonObject]:
    """Do what `choose` does, on the judgement of any evaluator."""
    error = MISJUDGED[level]
    if not choices:
        raise ValueError("a bot needs an open choice")
    by_name = {choice.name: choice for choice in _wanted(choices)}
    if "move" in by_name:
        options = by_name["move"].options
        return "move", _play(evaluator, view, options, level, seed)
    # A play errs by points, of which a game has two between losing and winning.
    drawn = random.Random(f"{seed}:{level}:cube").gauss(0, error / 2) if error else 0.0
    if "offer" in by_name:
        return _box_turn(judge(view, evaluator, drawn), by_name)
    choice = next(iter(by_name.values()))
    if choice.name not in _ANSWERS:
        return choice.name, _quiet(choice)
    seen = judge(view, evaluator, drawn)
    return choice.name, _ANSWERS[choice.name](seen, choice)


def hint(view: JsonObject, choices: list[Choice]) -> JsonObject:
    """Return what the strongest level would do, for a player who asks.

    For a play `{"name", "args", "equity", "alternatives": [up to three of {"name", "args",
    "equity"}]}`, equity in points at cube 1 as the score counts them; for a cube `{"name",
    "args", "win"}`, the chance of the side on turn. Raises Illegal `not_open` when neither
    a play nor a cube waits for the seat.
    """
    by_name = {choice.name: choice for choice in choices if choice.required}
    if "move" in by_name:
        return _play_hint(view, by_name["move"].options)
    if not any(name in by_name for name in _ABOUT_CUBES):
        raise Illegal("not_open", name="hint")
    name, args = choose(view, list(by_name.values()), NET, 0)
    return {"name": name, "args": args, "win": judge(view, embedded()).chances[0]}


def _wanted(choices: list[Choice]) -> list[Choice]:
    """Return the choices that a bot answers."""
    required = [choice for choice in choices if choice.required]
    asked = [choice for choice in choices if choice.name in (*_COURTESIES, "cube")]
    return required or asked or choices


def _quiet(choice: Choice) -> JsonObject:
    """Return an answer that nothing has to be judged for.

    Alone against many nobody agrees to more automatics, or needs a partner to share with.
    """
    careful = ({"agree": False}, {"take": False})
    return next((args for args in choice.options if args in careful), choice.options[0])


# Plays.


@lru_cache(maxsize=64)
def _results(position: Position, dice: tuple[int, int]) -> dict[str, Position]:
    """Return the result of each play by its notation."""
    return {format_play(play): play.result for play in legal_plays(position, dice)}


def _listed(view: JsonObject, options: Options) -> list[Position]:
    """Return the results of the plays that are listed, in their order."""
    high, low = view["game"]["dice"]
    results = _results(on_turn(view["game"]), (high, low))
    return [results[args["play"]] for args in options]


def _play(
    evaluator: Evaluator, view: JsonObject, options: Options, level: str, seed: int
) -> JsonObject:
    if len(options) == 1:
        return options[0]
    results, worth = _listed(view, options), worth_of(view)
    if error := MISJUDGED[level]:
        return options[choosing.noisy(evaluator, results, worth, error, f"{seed}:play")]
    looks_ahead = level == LOOKAHEAD
    best = choosing.ranked(evaluator, results, worth, looks_ahead=looks_ahead)
    return options[best[0][0]]


def _play_hint(view: JsonObject, options: Options) -> JsonObject:
    results = _listed(view, options)
    ranked = choosing.ranked(embedded(), results, worth_of(view), looks_ahead=True)
    shown: list[JsonObject] = [
        {"name": "move", "args": options[index], "equity": equity}
        for index, equity in ranked[: 1 + ALTERNATIVES]
    ]
    return {**shown[0], "alternatives": shown[1:]}


# Cubes: offering them.


def _box_turn(seen: Judged, by_name: dict[str, Choice]) -> tuple[str, JsonObject]:
    """Offer the set of cubes that gains most, or roll where none gains anything."""

    def gain(args: JsonObject) -> float:
        return sum(seen.offer(index).gain for index in args["cubes"])

    best = max(by_name["offer"].options, key=gain)
    if gain(best) > 0 or "roll" not in by_name:
        return "offer", best
    return "roll", by_name["roll"].options[0]


def _speak(seen: Judged, choice: Choice) -> JsonObject:
    """Say double or no double for the first cube that is asked about."""
    index = choice.options[0]["cube"]
    return _pick(choice, cube=index, double=seen.offer(index).gain > 0)


# Cubes: answering.


def _answer_batch(seen: Judged, choice: Choice) -> JsonObject:
    """Take the cubes that cost the Box least in all, of the legal sets."""
    return min(choice.options, key=lambda args: _cost(seen, args["take"]))


def _cost(seen: Judged, take: list[int]) -> float:
    """Return what a set of takes brings the Team, in points or match chances."""
    offers = {index: seen.offer(index) for index in seen.game["batch"]}
    if _must_beaver(seen, take):
        (beavered,) = take
        offer = offers[beavered]
        raised = max(2 * offer.taken, -2 * offer.dropped)
        offers[beavered] = Offer(offer.no_double, raised, offer.dropped)
    return sum(o.taken if index in take else o.dropped for index, o in offers.items())


def _must_beaver(seen: Judged, take: list[int]) -> bool:
    """Tell whether the Box would take the Captain's cube alone and have to beaver (§4.5)."""
    if len(take) != 1 or len(seen.game["batch"]) < 2:
        return False
    is_captains = seen.cube(take[0])["member"] == seen.game["captain"]
    return is_captains and bool(seen.view["options"]["sole_captain_beaver"])


def _answer(seen: Judged, choice: Choice) -> JsonObject:
    index = choice.options[0]["cube"]
    return _pick(choice, cube=index, take=seen.offer(index).is_take)


def _reply(seen: Judged, choice: Choice) -> JsonObject:
    """Answer the first open question after the takes."""
    index = choice.options[0]["cube"]
    asks = seen.game["asks"]
    kind = next(a["kind"] for a in asks if a["cube"] == index and a["seat"] == choice.seat)
    ways = [args["reply"] for args in choice.options if args["cube"] == index]
    return _pick(choice, cube=index, reply=_said(kind, seen, ways))


def _said(kind: str, seen: Judged, ways: list[str]) -> str:
    """Return the reply to a kind of question; what is listed decides what can be said."""
    doublers = janowski.cubeful(seen.outlook, janowski.THEIRS)
    if kind == "extra":
        return "give" if doublers > 0.5 else "keep"
    if kind == "beaver":
        return "beaver" if janowski.is_beaver(seen.outlook) else "no"
    if kind == "must_beaver":
        # A beaver costs twice the cube's equity, a drop half of the cube.
        return "beaver" if doublers <= 0.25 else "drop"
    if kind == "beavered":
        return janowski.beaver_reply(seen.outlook, ways)
    return "accept" if janowski.takes_raccoon(seen.outlook) else "drop"


# Giving up and settling.


def _answer_resignation(seen: Judged, choice: Choice) -> JsonObject:
    """Accept what is worth at least as much as playing on."""
    offered = seen.game["resignation"]
    side = "team" if offered["by"] == seen.game["box"] else "box"
    mine = [
        index
        for index in offered["waiting"]
        if side == "box" or seen.cube(index)["holder"] == choice.seat
    ]
    gained = sum(
        seen.won(index, seen.resigned(index, offered["level"]), side) - seen.value(index, side)
        for index in mine
    )
    return _pick(choice, accept=gained >= 0)


def _answer_proposal(seen: Judged, choice: Choice) -> JsonObject:
    """Settle for what is worth at least as much as playing on."""
    index = choice.options[0]["cube"]
    proposal = next(p for p in seen.game["proposals"] if p["cube"] == index)
    side = "box" if choice.seat == seen.game["box"] else "team"
    points = proposal["points"] if side == "team" else -proposal["points"]
    is_fair = seen.won(index, points, side) >= seen.value(index, side)
    return _pick(choice, cube=index, accept=is_fair)


def _answer_take_back(seen: Judged, choice: Choice) -> JsonObject:
    """Let a play be taken back: nothing has been thrown since."""
    return _pick(choice, accept=True)


def _pick(choice: Choice, **wanted: object) -> JsonObject:
    """Return the listed option with these arguments, the first one if there is none."""
    return next((args for args in choice.options if args == wanted), choice.options[0])


_ANSWERS: dict[str, Callable[[Judged, Choice], JsonObject]] = {
    "cube": _speak,
    "answer_batch": _answer_batch,
    "answer": _answer,
    "reply": _reply,
    "answer_resignation": _answer_resignation,
    "answer_proposal": _answer_proposal,
    "answer_take_back": _answer_take_back,
}
