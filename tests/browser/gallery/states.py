"""Finding states of a game in random play, and the frames that a browser is sent for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games import plugin
from games.kernel.contract import TIMEOUT, Choice, Command, Event, JsonObject, Seat
from games.kernel.simulate import RandomDice, open_choices

NAMES = (
    *("Anna", "Bruno", "Brünhilde-Uta", "Kari Østbye", "Elisabeth", "Friederike", "Gunnar Ø.", "Hannelore", "Ida"),
    *("Jörg-Uwe", "Katharina", "Leif"),
)
LONGEST_SESSION = 2000
MOST_SESSIONS = 40
SECONDS_LEFT = 41


@dataclass(frozen=True)
class Look:
    """A table after a command: what was before, what happened, what may be done now."""

    rules: Any
    seats: int
    before: Any
    state: Any
    command: Command | None
    events: tuple[Event, ...]

    @cached_property
    def view(self) -> Any:
        """What a spectator sees."""
        return self.rules.view(self.state, None)

    @property
    def game(self) -> Any:
        """The view's running game, empty where there is none."""
        return self.view.get("game") or {}

    def happened(self, name: str) -> bool:
        """Tell whether an event of that type is among those that led here."""
        return any(event.type == name for event in self.events)

    def choices(self, seat: Seat | None) -> tuple[Choice, ...]:
        """Return the open choices of a seat; none for a spectator."""
        return () if seat is None else tuple(self.rules.choices(self.state, seat))

    def choice(self, seat: Seat | None, name: str) -> Choice | None:
        """Return an open choice of a seat by its name."""
        return next((one for one in self.choices(seat) if one.name == name), None)

    def is_command(self, name: str) -> bool:
        """Tell whether it was that command which led here."""
        return self.command is not None and self.command.name == name

    def asked(self, name: str) -> Seat | None:
        """Return the first seat that has a choice of that name."""
        return next((seat for seat in range(self.seats) if self.choice(seat, name)), None)


Finds = Callable[[Look], bool | tuple[Seat | None] | None]
"""Whether this is the state, for a spectator (True) or as a seat sees it (a tuple of the seat)."""
Picks = Callable[[Look, list[Choice], random.Random], Command | None]
"""What is done next; None for anything legal."""


@dataclass(frozen=True)
class Wanted:
    """A state of the gallery by its name.

    `status` is the table's; `cut`: the line has broken.
    """

    name: str
    finds: Finds
    status: str = "playing"
    cut: bool = False


@dataclass(frozen=True)
class Course:
    """Sessions in which states are looked for: a game, its house rules, how many play and how."""

    game: str
    seats: int
    preset: str
    wanted: tuple[Wanted, ...]
    changes: JsonObject = field(default_factory=dict)
    picks: Picks = lambda _look, _choices, _rng: None
    seed: int = 1


@dataclass(frozen=True)
class Shown:
    """A state as a browser is told it: `frames` for the seat that looks, `screen` for a big screen."""

    name: str
    game: str
    seats: int
    preset: str
    options: JsonObject
    frames: list[JsonObject]
    screen: list[JsonObject]
    cut: bool = False


def states_of(course: Course) -> list[Shown]:
    """Return the course's states in its order; raises LookupError for one that play never reaches."""
    found: dict[str, Shown] = {}
    for seed in range(course.seed, course.seed + MOST_SESSIONS):
        for look in session(course, seed):
            for wanted in course.wanted:
                if wanted.name not in found and (who := wanted.finds(look)):
                    found[wanted.name] = shown(course, wanted, look, None if who is True else who[0])
            if len(found) == len(course.wanted):
                return [found[wanted.name] for wanted in course.wanted]
    missing = [wanted.name for wanted in course.wanted if wanted.name not in found]
    raise LookupError(f"{course.game} with {course.seats}: never came to {missing}")


def session(course: Course, seed: int) -> Iterator[Look]:
    """Play a session at random, as the course would have it."""
    rules, rng = plugin.game(course.game).rules, random.Random(seed)
    dice, seats = RandomDice(rng), course.seats
    options = rules.options().values(course.preset, course.changes)
    decision = rules.open(options, seats, dice)
    look = Look(rules, seats, decision.state, decision.state, None, decision.events)
    for seq in range(2, LONGEST_SESSION):
        yield look
        if rules.is_over(look.state):
            return
        choices = open_choices(rules, look.state, seats)
        command = course.picks(look, choices, rng) or anything(choices, rng)
        decision = rules.decide(look.state, command, dice, seq)
        seats = max(seats, command.args["seat"] + 1) if command.name == "join" else seats
        look = Look(rules, seats, look.state, decision.state, command, decision.events)


def anything(choices: Sequence[Choice], rng: random.Random) -> Command:
    """Return a random answer to a random choice that the game waits for."""
    choice = rng.choice([one for one in choices if one.required])
    return Command(choice.name, choice.seat, rng.choice(choice.options), choice.opened_at)


def answer(choice: Choice, **args: Any) -> Command | None:
    """Return the first option of a choice that has these arguments, as a command."""
    options = (one for one in choice.options if all(one.get(key) == value for key, value in args.items()))
    found = next(options, None)
    return None if found is None else Command(choice.name, choice.seat, found, choice.opened_at)


def time_out(look: Look) -> Command | None:
    """Return the house's command that the clock gives for a seat, where it may."""
    offered = next((one for one in look.rules.choices(look.state, None) if one.name == TIMEOUT), None)
    return None if offered is None else Command(TIMEOUT, None, offered.options[0])


def shown(course: Course, wanted: Wanted, look: Look, seat: Seat | None) -> Shown:
    """Return a state as its seat and a big screen are told it."""
    options = look.rules.options().values(course.preset, course.changes)
    told = [frames(course, wanted, look, who) for who in (seat, None)]
    return Shown(wanted.name, course.game, course.seats, course.preset, options, *told, cut=wanted.cut)


def frames(course: Course, wanted: Wanted, look: Look, seat: Seat | None) -> list[JsonObject]:
    """Return the frames that tell a seat of a state: who it is, the state before, and the entry."""
    rules, is_played = look.rules, wanted.status == "playing"
    choices = [rules.sent(look.state, choice) for choice in look.choices(seat)] if is_played else []
    waiting = {c.seat for who in range(look.seats) for c in look.choices(who) if c.required}
    clocks = {str(who): SECONDS_LEFT * 1000 for who in sorted(waiting, key=str)}
    events = [
        {"type": event.type, "data": event.data, "v": event.v} if event.is_for(seat) else {"type": "hidden"}
        for event in look.events
    ]
    before = {"view": rules.view(look.before, seat), "choices": [], "clocks": {}}
    entry = {"view": rules.view(look.state, seat), "choices": choices, "clocks": clocks}
    you = {"player": seat, "name": "" if seat is None else NAMES[seat], "seat": seat, "host": False, "tv": False}
    presence = {str(who): "away" if who == 2 else "here" for who in range(look.seats)}
    about = {"chat": [], "greetings": {}, "presence": presence, "clocks": clocks}
    return [
        {"type": "welcome", "protocol": 1, "you": you, "table": table(course, wanted, look), **about},
        {"type": "state", "seq": 41, **before},
        {"type": "entry", "seq": 42, "events": events, **entry},
    ]


def table(course: Course, wanted: Wanted, look: Look) -> JsonObject:
    """Return the table object of docs/protocol.md §5."""
    gone = look.rules.gone(look.state)
    seats = [
        {"seat": who, "name": NAMES[who], "player": who, "bot": "", "accepted": True, "gone": who in gone}
        for who in range(look.seats)
    ]
    status = "finished" if look.rules.is_over(look.state) else wanted.status
    return {
        **{"id": "gallery00000", "night": "night0000000", "number": 1, "game": course.game, "preset": course.preset},
        **{"house_rules": None, "status": status, "host": 0, "broken_off": False, "seats": seats, "successor": None},
        **{"corrections": [], "commitment": "0" * 64, "url": "/table/gallery00000/"},
    }
