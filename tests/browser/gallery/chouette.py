"""The states of backgammon: what a player, a member, a watcher meets in an evening."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

from games.kernel.contract import CLOSE, LEAVE, TIMEOUT, Choice, Command, Seat
from tests.browser.gallery.states import Course, Finds, Look, Picks, Shown, Wanted, answer, states_of, time_out

ASIDES = {"propose", "resign", "take_back"}


def stage(name: str, asks: str = "", least: int = 1) -> Finds:
    """Find a stage of the game as the seat sees it that has the choice `asks` with so many options."""

    def finds(look: Look) -> tuple[Seat | None] | None:
        seat = look.asked(asks or name)
        if look.game.get("stage") != name or look.view["phase"] != "playing" or seat is None:
            return None
        choice = look.choice(seat, asks or name)
        return (seat,) if choice is not None and len(choice.options) >= least else None

    return finds


def role(wanted: str, *stages: str) -> Finds:
    """Find a running game as somebody sees it who is that in it."""

    def finds(look: Look) -> tuple[Seat | None] | None:
        if look.view["phase"] != "playing" or (stages and look.game["stage"] not in stages):
            return None
        seats = [seat["seat"] for seat in look.view["seats"] if seat["role"] == wanted]
        return (seats[0],) if seats else None

    return finds


def asks(kind: str) -> Finds:
    """Find a question after the takes, as whom it asks sees it."""

    def finds(look: Look) -> tuple[Seat | None] | None:
        first = look.game.get("asks") or [{"kind": ""}]
        return (look.asked("reply"),) if first[0]["kind"] == kind and look.asked("reply") is not None else None

    return finds


def plays(test: Any) -> Finds:
    """Find a roll whose plays are such, as the player sees it."""

    def finds(look: Look) -> tuple[Seat | None] | None:
        seat = look.asked("move")
        choice = look.choice(seat, "move")
        return (seat,) if choice is not None and test([option["play"] for option in choice.options]) else None

    return finds


def doubled_by(members: int) -> Wanted:
    """Return the state in which so many members have doubled."""
    return Wanted(f"doubled, {members} cubes", doubled(members))


def doubled(cubes: int) -> Finds:
    """Find the Box asked about so many cubes."""
    return lambda look: (
        (look.asked("answer_batch"),)
        if len(look.game.get("batch", ())) == cubes and look.asked("answer_batch") is not None
        else None
    )


def open_to(name: str) -> Finds:
    """Find an offer of another that is open to a seat."""
    return lambda look: (look.asked(name),) if look.asked(name) is not None else None


def half_answered(look: Look) -> tuple[Seat | None] | None:
    """Find sealed answers of which some are given, as one sees it who has answered."""
    game = look.game
    if game.get("stage") != "answers" or not game["answered"] or look.view["phase"] != "playing":
        return None
    return (game["cubes"][game["answered"][0]]["member"],)


def waiting(look: Look) -> tuple[Seat | None] | None:
    """Find somebody else's play, as the Box or a member sees it."""
    game = look.game
    return (game["box"],) if game.get("stage") == "move" and game["turn"] == "team" else None


def ringing(look: Look) -> tuple[Seat | None] | None:
    """Find the moment after the Captain's roll, as somebody sees it who may still double."""
    window = look.game.get("window") if look.view["phase"] == "playing" else None
    return (window["asked"][0],) if window and window["ring"] and window["asked"] else None


def between(look: Look) -> tuple[Seat | None] | None:
    """Find the pause after a game, as the next Captain sees it."""
    is_so = look.view["phase"] == "pause" and look.happened("game_ended")
    return (look.view["line"][1],) if is_so else None


def picks(doubles: float = 0.9, takes: float = 0.7, asides: float = 0.03) -> Picks:
    """Return how people play: how likely they double, take, and ask for what nobody waits for."""
    says = {"cube": ("double", doubles), "answer": ("take", takes), "partner": ("take", 1.0)}

    def pick(look: Look, choices: list[Choice], rng: random.Random) -> Command | None:
        roll = rng.random()
        aside = [one for one in choices if not one.required and one.name in ASIDES]
        if aside and roll < asides:
            one = rng.choice(aside)
            return Command(one.name, one.seat, rng.choice(one.options), one.opened_at)
        if roll > 1 - asides / 10:
            return time_out(look)
        asked = next((one for one in choices if one.required and one.name in says), None)
        if asked is None:
            return None
        word, chance = says[asked.name]
        said = answer(asked, **{word: rng.random() < chance})
        roll_instead = next((one for one in choices if one.required and one.name == "roll"), None)
        return said or (roll_instead and answer(roll_instead))

    return pick


def closing(after: int) -> Picks:
    """Return how people play where one of the Team leaves in the second game, and the host closes after so many."""
    usual = picks()

    def pick(look: Look, choices: list[Choice], rng: random.Random) -> Command | None:
        house = {one.name: one for one in look.rules.choices(look.state, None)}
        games = len(look.view["sheet"])
        if games == 1 and look.game["stage"] == "move" and look.seats > 2 and not look.rules.gone(look.state):
            return Command(LEAVE, None, {"seat": look.view["line"][-1]})
        if games >= after and CLOSE in house:
            return Command(CLOSE, None, {})
        return usual(look, choices, rng)

    return pick


def at_real_board(usual: Picks, doubles: float = 0.5) -> Picks:
    """Return how people at a real board act: as usual, and how likely somebody doubles before the result is told."""

    def pick(look: Look, choices: list[Choice], rng: random.Random) -> Command | None:
        doubling = next((one for one in choices if one.name in ("double", "offer")), None)
        if doubling is not None and rng.random() < doubles:
            return Command(doubling.name, doubling.seat, rng.choice(doubling.options), doubling.opened_at)
        return usual(look, choices, rng)

    return pick


def begins(test: Any) -> Finds:
    """Find the beginning of a game at a real board, as the seat sees it that may begin it."""
    return lambda look: open_to("begin_game")(look) if test(look.view) else None


def over(look: Look) -> tuple[Seat | None] | None:
    """Find the end of the session."""
    return (0,) if look.rules.is_over(look.state) else None


COMMON = (
    Wanted("line throws", lambda look: (look.view["line"][1],) if look.command is None else None),
    Wanted("opening half rolled", stage("opening", "opening_roll")),
    Wanted("play to choose", plays(lambda options: len(options) >= 10)),
    Wanted("forced play", plays(lambda options: len(options) == 1 and "cannot" not in options[0])),
    Wanted("no play", plays(lambda options: len(options) == 1 and "cannot" in options[0])),
    Wanted("waiting for a play", waiting),
    Wanted("spectator", lambda look: look.game.get("stage") == "move" and look.view["phase"] == "playing"),
    Wanted("between games", between),
    Wanted("paused", stage("move"), status="paused"),
    Wanted("no connection", stage("move"), cut=True),
    Wanted("over", over),
)
WINDOW = (
    Wanted("cube window", stage("window", "cube")),
    Wanted("window waits", role("box", "window")),
    Wanted("turn to roll", stage("roll")),
)
TIE = Wanted("opening tie", lambda look: (look.game["captain"],) if look.game.get("ties") else None)
MANY = (
    Wanted("ring", ringing),
    *WINDOW,
    TIE,
    Wanted("box may double", stage("offer", "offer")),
    Wanted("answer asked", stage("answers", "answer")),
    Wanted("sealed answers", half_answered),
    Wanted("out of the game", role("out", "move", "window")),
    Wanted("member watches", role("member", "move")),
    Wanted("after a time-out", lambda look: role("captain")(look) if look.is_command(TIMEOUT) else None),
    *COMMON,
)
ASIDE = (
    Wanted("settlement proposed", open_to("answer_proposal")),
    Wanted("resignation offered", open_to("answer_resignation")),
    Wanted("play asked back", open_to("answer_take_back")),
)
AFTER_TAKES = (
    Wanted("must beaver", asks("must_beaver")),
    Wanted("beavered", asks("beavered")),
    Wanted("raccooned", asks("raccooned")),
)
REAL_BOARD = (
    Wanted("first game begins", begins(lambda view: not view["last_game"])),
    Wanted("game on the board", stage("wood", "result")),
    Wanted("result told", open_to("answer_result")),
    Wanted("teller waits", lambda look: (look.game["told"]["seat"],) if look.game.get("told") else None),
    Wanted("another game begins", begins(lambda view: view["last_game"])),
    Wanted("spectator", lambda look: look.game.get("stage") == "wood"),
    Wanted("over", over),
)
REAL_LINE = (
    *REAL_BOARD,
    Wanted("doubled", lambda look: open_to("answer_batch")(look) or open_to("answer")(look)),
    Wanted("member watches", lambda look: role("member")(look) if look.game.get("stage") == "wood" else None),
)
REAL_MATCH = (*REAL_BOARD, Wanted("Crawford game next", begins(lambda view: view["crawford_next"])))
_FIVE = ("box may double", "answer asked", "sealed answers", "opening half rolled", "between games", "over")
FIVE = (doubled_by(4), *(wanted for wanted in MANY if wanted.name in _FIVE), *AFTER_TAKES)
"""What five in a row on a phone have least room for."""
EXTRA = Wanted("extra", asks("extra"))
PARTNER = Wanted("partner", role("partner", "move"))
WITH_PARTNER = {"partner": "compulsory_from", "partner_from": 6}

ONE_CUBE = Wanted("doubled, 1 cube", lambda look: stage("answers", "answer")(look) or doubled(1)(look))

COURSES = (
    Course("chouette", 2, "money", (*WINDOW, *COMMON, ONE_CUBE), picks=closing(3)),
    Course("chouette", 4, "club", (doubled_by(3), *MANY, *ASIDE, *AFTER_TAKES), picks=closing(2)),
    Course("chouette", 4, "german", (EXTRA,), {"sole_taker": "extras", "uniform_response": "none"}, picks(takes=0.4)),
    Course("chouette", 5, "club", FIVE, picks=closing(2)),
    Course("chouette", 6, "german", (doubled_by(5), *MANY), picks=closing(2)),
    Course("chouette", 6, "german", (PARTNER,), WITH_PARTNER, picks()),
    Course("chouette", 5, "wood", REAL_LINE, {}, at_real_board(closing(3))),
    Course("chouette", 2, "match", REAL_MATCH, {"board": "wood", "match_length": 5}, at_real_board(picks())),
    Course("chouette", 10, "german", (doubled_by(9), *MANY), {"max_players": 10}, picks=closing(2)),
)


@cache
def named(*states: tuple[int, str, str]) -> list[Shown]:
    """Return states by seats, preset and name."""
    found: list[Shown] = []
    for seats, preset, name in states:
        course = next(
            one for one in COURSES
            if (one.seats, one.preset) == (seats, preset) and any(wanted.name == name for wanted in one.wanted)
        )  # fmt: skip
        found += states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name == name)))
    return found
