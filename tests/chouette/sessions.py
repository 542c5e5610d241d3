"""Random sessions of a chouette, players coming and going, and what must always hold.

`python -m tests.chouette.sessions 20000` plays as many sessions as it is told, each from
its own seed, and says where one fails.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from chouette.board.gnubg_id import position_id
from chouette.board.position import START, Position
from chouette.rules import rules
from chouette.rules.cube.cubes import holder, is_in
from chouette.rules.options.declaration import OPTIONS
from chouette.rules.state import BOX, TEAM
from games.kernel.contract import CLOSE, LEAVE, TIMEOUT, Choice, Command, Event
from games.kernel.options import BoolOption, ChoiceOption, IntOption, OptionErrors
from games.kernel.replay import Entry
from games.kernel.simulate import RandomDice

SHORT: tuple[Position, ...] = (
    (0, 2, *[0] * 22, -2, 0),
    (0, 4, *[0] * 22, -4, 0),
    (0, 3, 2, *[0] * 15, -1, *[0] * 3, -1, -2, -2, 0),
    (0, 15, *[0] * 22, -3, 0),
    (0, 3, *[0] * 16, -15, *[0] * 6, 0),
    (-1, 2, 2, 2, 2, 2, 2, *[0] * 15, 0, -2, -2, 1),
)
LONGEST = 400
# What is asked of somebody without the game waiting for it: given as often as what it waits for.
ASKED = ("cube", "answer_proposal")


def house_rules(rng: random.Random, board: str = "screen") -> dict[str, Any]:
    """Return random house rules of a chouette, mostly with games of a few rolls."""
    while True:
        preset = rng.choice(["german", "club", "last_man_standing"])
        picked = rng.sample(OPTIONS.options, rng.randint(0, 14))
        changes = {option.id: any_value(option, rng) for option in picked}
        changes |= {"format": "chouette", "board": board}
        position = rng.choice([*SHORT * 3, START])
        changes["start_position"] = "start" if position == START else position_id(position)
        try:
            return OPTIONS.values(preset, changes)
        except OptionErrors:
            continue


def any_value(option: Any, rng: random.Random) -> Any:
    """Return a value of an option."""
    if isinstance(option, BoolOption):
        return rng.random() < 0.5
    if isinstance(option, ChoiceOption):
        return rng.choice(option.picks).id
    if isinstance(option, IntOption):
        return rng.randint(option.low, option.high)
    return option.default


@dataclass
class Session:
    """A table that is played at random. Every command is checked as it is given."""

    rng: random.Random
    options: dict[str, Any]
    seats: int
    log: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = rules.initial(self.options, self.seats)
        self.dice = RandomDice(self.rng)
        self._write(rules.open(self.options, self.seats, self.dice).events)

    def choices(self) -> list[Choice]:
        """Return the open choices of all seats."""
        return [choice for found in self.open.values() for choice in found]

    def act(self, without: Collection[str] = ()) -> None:
        """Let somebody do something: mostly what the game waits for, and none of the choices named `without`."""
        choices = [choice for choice in self.choices() if choice.name not in without]
        required = [c for c in choices if c.required or c.name in ASKED]
        pool = required if required and self.rng.random() < 0.8 else choices
        if not pool:  # only the clock goes on: a pause, a ring, a roll without a play
            assert self.house(TIMEOUT)
            return
        choice = self.rng.choice(pool)
        args = self.rng.choice(choice.options)
        self.give(Command(choice.name, choice.seat, args, choice.opened_at))

    def house(self, name: str) -> bool:
        """Let the house do something, if it may; tell whether it did."""
        found = next((c for c in rules.choices(self.state, None) if c.name == name), None)
        if found is None:
            return False
        self.give(Command(name, None, self.rng.choice(found.options), found.opened_at))
        return True

    def give(self, command: Command) -> None:
        """Carry out a command and look at what it led to."""
        self._write(rules.decide(self.state, command, self.dice, len(self.log) + 1).events)

    def _write(self, events: tuple[Event, ...]) -> None:
        entry = Entry(len(self.log) + 1, events)
        self.log.append(entry)
        for event in events:
            self.state = rules.fold(self.state, event, entry.seq)
        self.open = hold(self.state)


def play(seed: int, deep: bool = True, board: str = "screen") -> Session:
    """Play a session; with `deep`, dump, replay and views are held to it too."""
    rng = random.Random(seed)
    session = Session(rng, house_rules(rng, board), rng.choice([4, 4, 4, 2, 3, 5, 6]))
    length = rng.randint(20, 100)
    while not rules.is_over(session.state) and len(session.log) < LONGEST:
        chance = rng.random()
        name = "join" if chance < 0.02 else LEAVE if chance < 0.03 else ""
        if chance > 0.97:
            name = TIMEOUT
        if len(session.log) > length:
            name = CLOSE
        if not name or not session.house(name):
            session.act()
        if deep and len(session.log) % 10 == 0:
            look(session)
    look(session)
    replay(session)
    return session


Open = dict[int, tuple[Choice, ...]]


def hold(state: Any) -> Open:
    """Return what is open for each seat; what holds after every command is held."""
    assert rules.faults(state) == (), rules.faults(state)
    seats = range(len(state.players))
    open_now = {seat: rules.choices(state, seat) for seat in seats}
    required = [c for found in open_now.values() for c in found if c.required]
    assert bool(required) != rules.is_over(state)
    assert all(choice.options for found in open_now.values() for choice in found)
    for seat in seats:
        if state.players[seat].status not in ("in", "played_on"):
            assert open_now[seat] == ()
    if state.phase == "playing":
        hold_game(state, open_now)
    return open_now


def hold_game(state: Any, open_now: Open) -> None:
    """One Box, one Captain, nobody out acts, and dropping everything is always legal."""
    roles = [seat["role"] for seat in rules.view(state, None)["seats"]]
    assert roles.count("box") == 1
    assert roles.count("captain") + roles.count("stand_in") == 1
    game = state.game
    proxies = {proxy for _, proxy in game.proxies}
    droppers = {cube.against for cube in game.cubes if cube.is_extra}
    asked = {ask.seat for ask in game.asks}
    for seat, found in open_now.items():
        acting = {"box", "captain", "stand_in", "partner"} & {roles[seat]}
        if acting or is_in(state, game, seat) or seat in proxies | droppers | asked:
            continue
        own = {"take_back"} if state.options["board"] == "wood" else set()
        assert {c.name for c in found} <= {"leave_after"} | own, f"seat {seat} is out and acts: {found}"
    for choice in (c for found in open_now.values() for c in found):
        if choice.name == "answer_batch":
            assert {"take": []} in choice.options
        if choice.name == "answer":
            cubes = {option["cube"] for option in choice.options}
            assert all({"cube": cube, "take": False} in choice.options for cube in cubes)


def look(session: Session) -> None:
    """The state goes through JSON, and each view holds only what its viewer may know."""
    state = session.state
    assert rules.load(json.loads(json.dumps(rules.dump(state)))) == state
    for viewer in (None, *range(len(state.players))):
        view = rules.view(state, viewer)
        json.dumps(view)
        assert sum(view["totals"]) == 0
        assert all(row["check"] == 0 for row in view["sheet"])
        other = twin(state, viewer)
        assert rules.view(other, viewer) == view
        if viewer is not None:
            assert rules.choices(other, viewer) == rules.choices(state, viewer)


def twin(state: Any, viewer: int | None) -> Any:
    """Return the state with every secret that is not the viewer's own turned round.

    Sealed words, answers and replies, auto no double, and the talk and suggestions that were not
    told to the viewer or that a viewer who is out since may not see any more.
    """
    players = tuple(p if seat == viewer else replace(p, auto=not p.auto) for seat, p in enumerate(state.players))
    state = replace(state, players=players)
    if state.phase != "playing":
        return state
    game = state.game
    is_open = state.options["cube_order"] != "sealed" or game.stage != "window"
    side = BOX if game.turn == TEAM else TEAM

    def turned(said: Any, by: str) -> Any:
        return tuple((cube, says if holder(game, game.cubes[cube], by) == viewer else not says) for cube, says in said)

    is_inside = viewer in (game.box, game.partner, game.captain) or (viewer is not None and is_in(state, game, viewer))
    talk = tuple(
        line if is_inside and viewer in line.audience else replace(line, text="?", play="?") for line in game.talk
    )
    words = game.words if is_open else turned(game.words, TEAM)
    said = tuple(row if row[2] == viewer else (*row[:3], "?") for row in game.said)
    changed = replace(game, words=words, answers=turned(game.answers, side), talk=talk, said=said)
    if game.resignation is not None:
        changed = replace(changed, resignation=other_answers(game, viewer))
    return replace(state, game=changed)


def other_answers(game: Any, viewer: int | None) -> Any:
    """Return the resignation as if all but the viewer had answered the other way round."""
    offered = game.resignation
    side = TEAM if offered.by == game.box else BOX

    def mine(cubes: tuple[int, ...], is_mine: bool) -> tuple[int, ...]:
        return tuple(i for i in cubes if (holder(game, game.cubes[i], side) == viewer) == is_mine)

    accepted = (*mine(offered.accepted, True), *mine(offered.refused, False))
    refused = (*mine(offered.refused, True), *mine(offered.accepted, False))
    return replace(offered, accepted=accepted, refused=refused)


def replay(session: Session) -> None:
    """Folding the stored log gives the state."""
    state = rules.initial(session.options, session.seats)
    for entry in session.log:
        for event in entry.events:
            stored = Event.from_json(json.loads(json.dumps(event.to_json())))
            state = rules.fold(state, stored, entry.seq)
    assert state == session.state


def main(count: int, first: int = 0) -> None:
    """Play sessions from seed `first` on."""
    began, games, commands = time.perf_counter(), 0, 0
    for seed in range(first, first + count):
        try:
            session = play(seed)
        except Exception:
            print(f"seed {seed} failed")
            raise
        games += sum(1 for row in session.state.sheet if row.number)
        commands += len(session.log)
    took = time.perf_counter() - began
    print(f"{count} sessions, {games} games, {commands} commands in {took:.0f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["2000"]))
