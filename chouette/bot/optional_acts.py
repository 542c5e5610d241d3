"""Optional acts of a bot: answers, advice, giving up.

A bot does an optional act only while its view shows that it has not done it: one suggestion
a roll, each phrase once, and no phrase that was said just before. So bots come to rest by
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from chouette.bot import listening, weighing
from chouette.bot.cube_decisions import Judgement
from chouette.bot.judges import Judge, best_play
from games.kernel.contract import Choice, JsonObject

HOPELESS = 0.002
"""The chance of winning below which a race is resigned; a gammon, or none, has to be as certain."""

SETTLED_FROM = 4
"""The value of a cube from which the Box proposes to settle it."""

DOUBLES, TAKES, DROPS = "I would double.", "I would take.", "I would drop."

Act: TypeAlias = tuple[str, JsonObject]


def aside(judge: Judge, view: JsonObject, choices: list[Choice], level: str) -> Act | None:
    """Return an optional act of a bot as its name and arguments, None to do nothing."""
    by_name = {choice.name: choice for choice in choices if not choice.required}
    game = view["game"]
    if not by_name or game is None or not game["running"] or not game["turn"]:
        return None
    if "answer_take_back" in by_name:
        return "answer_take_back", {"accept": True}
    # The error depends on the position only, so that a bot never gives two opinions about one.
    seat = choices[0].seat
    judgement = judge.judgement(view, f"{game['number']}:{game['position_id']}:{level}:{seat}")
    for find in _ACTS:
        if (act := find(judgement, by_name)) is not None:
            return act
    if (asked := listening.question(judge, view, by_name)) is not None:
        return asked
    if "suggest" in by_name and _has_advice(view):
        return _suggest(judge, view, by_name["suggest"])
    return None


def waits(view: JsonObject, choices: list[Choice]) -> bool:
    """Tell whether a bot gives others time to answer a request to take a play back.

    A bot makes no such request, so the other side made it; a roll or a double of the bot's own
    would end it.
    """
    game = view["game"]
    if game is None or not game["running"] or game["last_play"] is None:
        return False
    last_word = {"roll", "offer", "cube"}
    return bool(game["last_play"]["asked_back"]) and any(c.name in last_word for c in choices)


def _has_advice(view: JsonObject) -> bool:
    """Tell whether bots give advice; at tables older than the house rule they do."""
    return bool(view["options"].get("bot_advice", True))


def _answer(judgement: Judgement, by_name: dict[str, Choice]) -> Act | None:
    """Answer a settlement."""
    if "answer_proposal" not in by_name:
        return None
    return "answer_proposal", weighing.best(weighing.ways(judgement, by_name["answer_proposal"]))[0]


def _propose(judgement: Judgement, by_name: dict[str, Choice]) -> Act | None:
    """Propose a settlement as the Box: whole points by which both sides gain certainty for less than it is worth.

    Only before a roll, for a cube with much at stake, and once between two plays.
    """
    game = judgement.game
    if "propose" not in by_name or by_name["propose"].seat != game["box"] or game["dice"]:
        return None
    if game["proposals"] or any(each["what"] == "settlement" for each in judgement.view["me"]["closed"]):
        return None
    for index in sorted({args["cube"] for args in by_name["propose"].options}):
        cube = judgement.cube(index)
        if cube["extra"] or cube["value"] < SETTLED_FROM:
            continue
        worth = -judgement.value(index, "box")
        if abs(round(worth) - worth) < weighing.certainty(judgement, index):
            return "propose", {"cube": index, "points": round(worth)}
    return None


def _speak(judgement: Judgement, by_name: dict[str, Choice]) -> Act | None:
    """Give a word in a window that does not wait for it yet; a word given stays."""
    if "cube" not in by_name:
        return None
    spoken = {word["for"] for word in judgement.view["me"]["words"]}
    words = tuple(args for args in by_name["cube"].options if args["cube"] not in spoken)[:2]
    if not words:
        return None
    return "cube", weighing.best(weighing.ways(judgement, replace(by_name["cube"], options=words)))[0]


def _resign(judgement: Judgement, by_name: dict[str, Choice]) -> Act | None:
    """Resign a race that is certainly lost, on the bot's own turn and at its certain level."""
    game = judgement.game
    if "resign" not in by_name or not judgement.in_race:
        return None
    choice = by_name["resign"]
    if game["turn"] != ("box" if choice.seat == game["box"] else "team"):
        return None
    level = _costs(judgement, [c["cube"] for c in game["cubes"] if _is_mine(game, c, choice)])
    return ("resign", {"level": level}) if {"level": level} in choice.options else None


def _is_mine(game: JsonObject, cube: JsonObject, choice: Choice) -> bool:
    is_mine = choice.seat == game["box"] or cube["holder"] == choice.seat
    return is_mine and cube["result"] is None and not cube["extra"]


def _costs(judgement: Judgement, cubes: Iterable[int]) -> int:
    """Return the level at which the game is certainly lost (1 to 3), 0 if that is open."""
    win, _, _, gammon, backgammon = judgement.chances
    if win >= HOPELESS:
        return 0
    if all(judgement.is_capped(index) for index in cubes) or gammon < HOPELESS:
        return 1
    certain = 1 - 2 * HOPELESS
    if backgammon > certain:
        return 3
    return 2 if gammon > certain and backgammon < HOPELESS else 0


def _say(judgement: Judgement, by_name: dict[str, Choice]) -> Act | None:
    """Give advice about a cube to another seat that hears it and still has to decide."""
    if "say" not in by_name or not _has_advice(judgement.view):
        return None
    seat, game = by_name["say"].seat, judgement.game
    waiting = _thinking(game)
    advised = [i for i in waiting if _decider(game, i) in judgement.view["me"]["hears"]]
    other = next((i for i in advised if _decider(game, i) != seat), None)
    if other is None or judgement.game["resignation"] is not None:
        return None
    text = _advice(judgement, other)
    talk = judgement.view["me"]["talk"]
    is_repeated = any(line["seat"] == seat and line["text"] == text for line in talk)
    is_known = bool(talk) and talk[-1]["text"] == text
    return None if not text or is_repeated or is_known else ("say", {"text": text})


def _thinking(game: JsonObject) -> list[int]:
    """Return the cubes whose holders have visibly not decided yet: not spoken for, or not answered."""
    if game["window"]:
        return [i for i in game["window"]["may_double"] if i not in game["window"]["spoken"]]
    return [i for i in game["batch"] if i not in game["answered"]]


def _decider(game: JsonObject, index: int) -> int:
    """Return the seat that decides about a cube: its holder, or the Box if it answers."""
    cube = game["cubes"][index]
    is_boxs = game["stage"] == "answers" and game["turn"] == "team"
    return int(cube["against"] if is_boxs else cube["holder"])


def _advice(judgement: Judgement, index: int) -> str:
    """Return a bot's advice about a cube, empty if there is none; no double needs no advice."""
    offer = judgement.offer(index)
    if judgement.game["stage"] == "window":
        return DOUBLES if offer.gain > 0 else ""
    return (TAKES if offer.is_take else DROPS) if judgement.game["stage"] == "answers" else ""


def _suggest(judge: Judge, view: JsonObject, choice: Choice) -> Act | None:
    """Suggest the play that the bot would make, unless it is the only one or is suggested already."""
    drawn = view["me"]["suggestions"]
    if len(choice.options) == 1 or any(line["seat"] == choice.seat for line in drawn):
        return None
    args = best_play(judge, view, choice.options)
    # Where the side was asked, each play needs its voices.
    is_drawn = any(line["play"] == args["play"] for line in drawn) and not listening.has_question(view, choice.seat)
    return None if is_drawn else ("suggest", args)


_ACTS: tuple[Callable[[Judgement, dict[str, Choice]], Act | None], ...] = (
    _answer,
    _resign,
    _propose,
    _say,
    _speak,
)
