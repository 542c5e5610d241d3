"""A table of backgammon for tests: scripted dice, one line per act, everything checked on the way.

After each command the log's fold must equal the state, the state must survive dump and load
through JSON, no fault may be found, and the scripted dice must be used up.
"""

from __future__ import annotations

import json
from typing import Any

from chouette.board.gnubg_id import position_id
from chouette.board.position import Position
from chouette.rules import rules
from games.kernel.contract import Command, Event, Illegal
from games.kernel.dice import ScriptedDice
from games.kernel.replay import Entry, fold_all
from tests.kept_logs import used_up

# The Captain, on roll, bears off the last two checkers with any dice; the Box has two left.
TEAM_WINS: Position = (0, 2, *[0] * 22, -2, 0)
# The same, but the Captain needs two rolls.
FOUR_EACH: Position = (0, 4, *[0] * 22, -4, 0)
# Many rolls to go, no contact: the cubes can be turned often.
LONG_RACE: Position = (0, 3, 3, 3, 2, 2, 2, *[0] * 12, -2, -2, -2, -3, -3, -3, 0)


class NoDice:
    """Dice that must not be thrown."""

    def roll(self, count: int) -> tuple[int, ...]:
        raise AssertionError("dice were drawn")


class Table:
    """Seats are named by letters; `line` is the order that the opening rolls make."""

    is_replayed = True
    """Whether the whole log is folded anew after each entry and compared."""

    def __init__(self, line: str, preset: str = "german", position: Position | None = None, **changes: Any) -> None:
        self.names = sorted(line)
        changes.setdefault("grace_seconds", 0)
        changes.setdefault("pause_between", 0)
        if position is not None:
            changes["start_position"] = position_id(position)
        self.options = rules.options().values(preset, changes)
        self.log: list[Entry] = []
        self.opened_with = len(line)
        self.state = rules.initial(self.options, len(line))
        is_study = len(line) == 2 and self.options["format"] != "chouette" and self.options["start_position"] != "start"
        if is_study:  # its first seat is on roll: the Captain's
            self.names.sort(key=line.index, reverse=True)
        order = [] if is_study else self._order(line)
        self._write(rules.open(self.options, len(line), ScriptedDice(order)).events)
        assert self.line == line

    def _order(self, line: str) -> list[int]:
        """Return dice that put the seats into this line: six dice, the rest again."""
        dice: list[int] = []
        seats = list(self.names)
        wanted = list(line)
        while seats:
            top, wanted = wanted[:5], wanted[5:]
            dice += [6 - top.index(name) if name in top else 1 for name in seats]
            seats = [name for name in seats if name in wanted]
            if len(seats) == 1:
                break
        return dice

    def seat(self, name: str) -> int:
        return self.names.index(name)

    def cube(self, name: str) -> int:
        """Return the id of a member's own cube."""
        cubes = self.game["cubes"]
        return next(c["cube"] for c in cubes if c["member"] == self.seat(name) and not c["extra"])

    def value(self, name: str) -> int:
        return self.game["cubes"][self.cube(name)]["value"]

    def owner(self, name: str) -> str:
        return self.game["cubes"][self.cube(name)]["owner"]

    def do(self, who: str | None, name: str, dice: Any = (), /, **args: Any) -> list[Event]:
        """Give a command with the dice that it will throw; return its events."""
        scripted = ScriptedDice(dice)
        seat = None if who is None else self.seat(who)
        events = rules.decide(self.state, Command(name, seat, args), scripted, len(self.log) + 1).events
        assert used_up(scripted), "scripted dice were left over"
        return self._write(events)

    def house(self, name: str, who: str = "", dice: Any = ()) -> list[Event]:
        if who and who not in self.names:
            self.names.append(who)
        args = {"seat": self.seat(who)} if who else {}
        return self.do(None, name, dice, **args)

    def refuses(self, who: str | None, name: str, /, **args: Any) -> str:
        """Give a command that must be refused without a die thrown; return the code."""
        before = self.state
        seat = None if who is None else self.seat(who)
        try:
            rules.decide(self.state, Command(name, seat, args), NoDice(), len(self.log) + 1)
        except Illegal as refused:
            assert self.state == before
            return refused.code
        raise AssertionError(f"{name} was accepted")

    # The course of a game in single words.

    def start(self, *dice: int) -> list[Event]:
        """Begin a study game, or roll the opening: the Box's die, then the Captain's; or say that it begins."""
        if self.is_wood:
            return self.do(self.box, "begin_game")
        if not dice:
            return self.do(self.captain, "start_study")
        events = self.do(self.box, "opening_roll", dice[:1])
        return events + self.do(self.captain, "opening_roll", dice[1:])

    def double(self, doublers: str = "") -> list[Event]:
        """Let those named double in the cube window, the Captain last or by the roll that closes it."""
        if self.is_wood:
            return [event for name in doublers for event in self.do(name, "double", cube=self.cube(name))]
        events: list[Event] = []
        for name in sorted(doublers, key=lambda name: name == self.captain):
            events += self.do(name, "cube", cube=self.cube(name), double=True)
        if doublers and self.stage == "window":
            events += self.do(self.captain, "roll")
        return events

    def offer(self, members: str) -> list[Event]:
        return self.do(self.box, "offer", cubes=sorted(self.cube(name) for name in members))

    def box_takes(self, members: str = "", beavers: str = "") -> list[Event]:
        raised = {"beaver": sorted(map(self.cube, beavers))} if beavers else {}
        return self.do(self.box, "answer_batch", take=sorted(map(self.cube, members)), **raised)

    def answers(self, **said: bool | str) -> list[Event]:
        """Answer for members: `A=True` takes, `A="beaver"` beavers."""
        events: list[Event] = []
        for name, way in said.items():
            raised = {"beaver": True} if way == "beaver" else {}
            events += self.do(name, "answer", cube=self.cube(name), take=bool(way), **raised)
        return events

    def reply(self, who: str, cube: str, said: str) -> list[Event]:
        return self.do(who, "reply", cube=self.cube(cube), reply=said)

    def play(self, *dice: int, play: str | None = None) -> list[Event]:
        """Roll for the side on turn and make a play, by default the first one listed."""
        who = self.names[self.game["on_roll"]]
        events = self.do(who, "roll", dice)
        return events + self.move(play)

    def move(self, play: str | None = None) -> list[Event]:
        who = self.names[self.game["on_roll"]]
        choice = self.choice(who, "move")
        return self.do(who, "move", play=play or choice.options[0]["play"])

    def next_turn(self, *dice: int) -> list[Event]:
        """Nobody doubles, then a roll and a play; at a real board nothing is told of that."""
        if self.is_wood:
            return []
        return self.double() + self.play(*(dice or (2, 1)))

    # What the table looks like.

    @property
    def is_wood(self) -> bool:
        return bool(self.options["board"] == "wood")

    def choice(self, who: str | None, name: str) -> Any:
        seat = None if who is None else self.seat(who)
        return next((c for c in rules.choices(self.state, seat) if c.name == name), None)

    def options_of(self, who: str, name: str) -> list[dict[str, Any]]:
        choice = self.choice(who, name)
        return list(choice.options) if choice else []

    def commands(self, who: str | None) -> list[str]:
        seat = None if who is None else self.seat(who)
        return [c.name for c in rules.choices(self.state, seat)]

    def required(self, who: str) -> list[str]:
        return [c.name for c in rules.choices(self.state, self.seat(who)) if c.required]

    def look(self, who: str | None = None) -> dict[str, Any]:
        return rules.view(self.state, None if who is None else self.seat(who))

    @property
    def game(self) -> dict[str, Any]:
        return self.look()["game"]

    @property
    def stage(self) -> str:
        return self.game["stage"]

    @property
    def line(self) -> str:
        return "".join(self.names[seat] for seat in self.look()["line"])

    @property
    def box(self) -> str:
        return self.line[0]

    @property
    def captain(self) -> str:
        """Who is Captain now: acting in a game, next in line between two."""
        if self.state.phase == "playing":
            return self.names[self.game["captain"]]
        return self.line[1]

    def role(self, who: str) -> str:
        return self.look()["seats"][self.seat(who)]["role"]

    @property
    def totals(self) -> dict[str, int]:
        return dict(zip(self.names, self.look()["totals"], strict=True))

    @property
    def last_row(self) -> dict[str, int]:
        return dict(zip(self.names, self.look()["sheet"][-1]["points"], strict=True))

    def _write(self, events: tuple[Event, ...]) -> list[Event]:
        entry = Entry(len(self.log) + 1, events)
        self.log.append(entry)
        for event in events:
            assert Event.from_json(json.loads(json.dumps(event.to_json()))) == event
            self.state = rules.fold(self.state, event, entry.seq)
        check(self.state)
        assert not self.is_replayed or fold_all(rules, self.options, self.opened_with, self.log) == self.state
        return list(events)


def check(state: Any) -> None:
    """Hold a state to its invariants, to the view's JSON and to the way through the cache."""
    assert rules.faults(state) == ()
    for viewer in (None, *range(len(state.players))):
        json.dumps(rules.view(state, viewer))
    assert rules.load(json.loads(json.dumps(rules.dump(state)))) == state


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def of(events: list[Event], name: str) -> dict[str, Any]:
    """Return the data of the only event of a type."""
    found = [event.data for event in events if event.type == name]
    assert len(found) == 1, f"{len(found)} of {name} in {types(events)}"
    return found[0]
