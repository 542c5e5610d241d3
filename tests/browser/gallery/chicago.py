"""The states of Chicago in its variants: every stage of a turn, a round, a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from games.kernel.contract import TIMEOUT, Choice, Command, Seat
from tests.browser.gallery.states import Course, Finds, Look, Picks, Wanted, time_out


def seen(by: Callable[[Any], Seat | None], test: Callable[[Any], Any]) -> Finds:
    """Find a view that passes a test, as the seat sees it that `by` reads off the view."""
    return lambda look: (by(look.view),) if test(look.view) else None


def asked(name: str, test: Callable[[Any], Any] = lambda _view: True) -> Finds:
    """Find a choice of that name, as its seat sees it."""

    def finds(look: Look) -> tuple[Seat | None] | None:
        seat = look.asked(name)
        return (seat,) if seat is not None and test(look.view) else None

    return finds


def after(event: str) -> Finds:
    """Find what follows on an event, as whose turn it is sees it."""
    return lambda look: (look.view["turn"] or 0,) if look.happened(event) else None


def on_turn(view: Any) -> Seat | None:
    return view["turn"]


def another(view: Any) -> Seat | None:
    return (view["turn"] + 1) % len(view["seats"])


def thrown(times: int) -> Callable[[Any], bool]:
    return lambda view: view["turn"] is not None and view["cup"]["throws"] == times


def with_status(view: Any, status: str) -> list[Seat]:
    return [seat for seat, shown in enumerate(view["seats"]) if shown["status"] == status]


def picks(asides: float) -> Picks:
    """Return how people play: how likely somebody does what nobody waits for, or nothing at all."""

    def pick(look: Look, choices: list[Choice], rng: random.Random) -> Command | None:
        aside = [one for one in choices if not one.required]
        roll = rng.random()
        if aside and roll < asides:
            one = rng.choice(aside)
            return Command(one.name, one.seat, rng.choice(one.options), one.opened_at)
        return time_out(look) if roll > 1 - asides / 3 else None

    return pick


BY_TURN = (
    Wanted("before the first throw", lambda look: (look.view["turn"],) if look.command is None else None),
    Wanted("thrown once", seen(on_turn, thrown(1))),
    Wanted("thrown twice", seen(on_turn, thrown(2))),
    Wanted("another throws", seen(another, thrown(1))),
    Wanted("last of the round", seen(on_turn, lambda view: view["turn"] is not None and not view["waiting"])),
    Wanted("round ended", after("round_ended")),
    Wanted("a Chick", after("chick_thrown")),
    Wanted("spectator", lambda look: look.view["cup"]["throws"] == 1),
    Wanted("after a time-out", lambda look: (look.view["turn"] or 0,) if look.is_command(TIMEOUT) else None),
    Wanted("paused", seen(on_turn, thrown(1)), status="paused"),
    Wanted("no connection", seen(on_turn, thrown(1)), cut=True),
    Wanted("over", lambda look: (0,) if look.rules.is_over(look.state) else None),
)
LOW_COUNTS = Wanted(
    "low counts",
    seen(
        on_turn,
        lambda view: (
            view["announcement"] and view["announcement"]["kind"] == "low" and view["announcement"].get("low_counts")
        ),
    ),
)
DECLARES = Wanted("stands and declares", seen(on_turn, lambda view: view["declares"] and view["cup"]["throws"] > 0))
ROLLED_OFF = Wanted(
    "low is shared", seen(on_turn, lambda view: view["turn"] is not None and len(view["shared_low"]) > 1)
)
PLAYING_OFF = Wanted("playing off", seen(on_turn, lambda v: v["phase"] == "playing_off" and v["cup"]["throws"] > 0))
SAFE = Wanted(
    "safe", lambda look: next(((i,) for i, s in enumerate(look.view["seats"]) if s["status"] == "safe"), None)
)
FORFEITS = (
    Wanted("names a loser", asked("name_loser")),
    Wanted("refills", asked("refill")),
    Wanted("breach called", asked("vote_breach")),
)
TWO = (*BY_TURN, PLAYING_OFF)
ENDINGS = tuple(wanted for wanted in BY_TURN if wanted.name in ("last of the round", "round ended", "over"))
REAL_DICE = (
    Wanted("enters and declares", asked("declare")),
    Wanted("enters a follower's result", asked("enter_result", lambda view: view["beat"])),
    Wanted("may take the turn back", asked("take_back")),
    Wanted("a turn was taken back", after("turn_taken_back")),
)

COURSES = (
    Course("chicago", 2, "bavarian", TWO, {"rounds": 6}, picks(0.02)),
    Course("chicago", 4, "classic", (LOW_COUNTS, *ENDINGS), {"rounds": 6}, picks(0.02)),
    Course("chicago", 4, "bavarian", (PLAYING_OFF, *ENDINGS), {}, picks(0.02)),
    Course("chicago", 6, "classic", (*BY_TURN, DECLARES, ROLLED_OFF), {"rounds": 6}, picks(0.02)),
    Course("chicago", 6, "tschigg", (*BY_TURN, DECLARES, PLAYING_OFF), {"rounds": 6}, picks(0.02)),
    Course("chicago", 6, "forfeits", (*BY_TURN, *FORFEITS), {"rounds": 9}, picks(0.05)),
    Course("chicago", 6, "classic", REAL_DICE, {"rounds": 2, "dice": "typed"}, picks(0.1)),
    Course("chicago", 12, "bavarian", (*TWO, SAFE), {"rounds": 6}, picks(0.02)),
    Course("chicago", 12, "classic", (*BY_TURN, DECLARES, ROLLED_OFF), {"rounds": 6}, picks(0.02)),
)
