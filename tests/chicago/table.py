"""A table of Chicago for tests: scripted dice, one line per act, everything checked on the way.

After each command the log's fold must equal the state, the state must survive dump and
load through JSON, no fault may be found, and the scripted dice must be used up.
"""

from __future__ import annotations

import json
from typing import Any

from chicago.rules import rules
from games.kernel.contract import Command, Event, Illegal
from games.kernel.dice import ScriptedDice
from games.kernel.replay import Entry, fold_all
from tests.kept_logs import used_up

HIGH = {"ones": 100, "sixes": 60, "high": True}
LOW = {"ones": 1, "sixes": 6, "high": False}


class NoDice:
    """Dice that must not be thrown."""

    def roll(self, count: int) -> tuple[int, ...]:
        raise AssertionError("dice were drawn")


class Table:
    """Seats are 0, 1, 2 …; `starter` wins the opening draw."""

    is_replayed = True
    """Whether the whole log is folded anew after each entry and compared."""

    def __init__(self, preset: str, seats: int, starter: int = 0, **changes: Any) -> None:
        self.options = rules.options().values(preset, changes)
        self.seats = seats
        self.log: list[Entry] = []
        draw = [6 if seat == starter else 1 for seat in range(seats)]
        self.state = rules.initial(self.options, seats)
        self._write(rules.open(self.options, seats, ScriptedDice(draw)).events)

    def do(self, seat: int | None, name: str, dice: Any = (), /, **args: Any) -> list[Event]:
        """Give a command with the dice that it will throw; return its events."""
        scripted = ScriptedDice(dice)
        events = rules.decide(self.state, Command(name, seat, args), scripted, len(self.log) + 1).events
        assert used_up(scripted), "scripted dice were left over"
        return self._write(events)

    def throw(self, seat: int, *dice: int, lay: Any = (), turn: bool = False) -> list[Event]:
        return self.do(seat, "throw", dice, lay=sorted(lay), turn=turn)

    def stand(self, seat: int, **declared: Any) -> list[Event]:
        if not declared and self.view["declares"]:
            declared = HIGH
        return self.do(seat, "stand", **declared)

    def house(self, name: str, dice: Any = (), /, **args: Any) -> list[Event]:
        return self.do(None, name, dice, **args)

    def round(self, *throws: tuple[int, ...]) -> list[Event]:
        """Play a round of one throw each, from whoever is on turn round to the left."""
        events: list[Event] = []
        for number, dice in enumerate(throws):
            seat = self.turn
            assert seat is not None
            events += self.throw(seat, *dice)
            if number == 0 and self.turn == seat and self.state.turn.throws:
                events += self.stand(seat)
        return events

    def settle(self, high: int, low: int) -> list[Event]:
        """Play a round of one throw each that `high` wins and `low` loses."""
        order = [self.turn, *self.state.round.waiting]
        by_seat = {high: (1, 1, 2), low: (2, 2, 3)}
        return self.round(*[by_seat.get(seat, (1, 2, 4)) for seat in order])

    def refuses(self, seat: int | None, name: str, basis: int | None = None, /, **args: Any) -> str:
        """Give a command that must be refused without a die thrown; return the code."""
        before = self.state
        try:
            rules.decide(self.state, Command(name, seat, args, basis), NoDice(), len(self.log) + 1)
        except Illegal as refused:
            assert self.state == before
            return refused.code
        raise AssertionError(f"{name} was accepted")

    def choice(self, seat: int | None, name: str) -> Any:
        return next((c for c in rules.choices(self.state, seat) if c.name == name), None)

    def names(self, seat: int | None) -> list[str]:
        return [c.name for c in rules.choices(self.state, seat)]

    @property
    def view(self) -> dict[str, Any]:
        return rules.view(self.state, None)

    @property
    def turn(self) -> int | None:
        return self.state.on_turn

    @property
    def mats(self) -> list[int]:
        return [p.mats for p in self.state.players]

    @property
    def status(self) -> list[str]:
        return [s["status"] for s in self.view["seats"]]

    @property
    def forfeits(self) -> list[int]:
        return [p.forfeits for p in self.state.players]

    @property
    def losers(self) -> list[int]:
        return self.state.outcome["losers"] if self.state.outcome else []

    def _write(self, events: tuple[Event, ...]) -> list[Event]:
        entry = Entry(len(self.log) + 1, events)
        self.log.append(entry)
        for event in events:
            assert Event.from_json(json.loads(json.dumps(event.to_json()))) == event
            self.state = rules.fold(self.state, event, entry.seq)
        check(self.state)
        assert not self.is_replayed or fold_all(rules, self.options, self.seats, self.log) == self.state
        return list(events)


def check(state: Any) -> None:
    """Hold a state to its invariants, to the view's JSON and to the way through the cache."""
    assert rules.faults(state) == ()
    json.dumps(rules.view(state, None))
    assert rules.load(json.loads(json.dumps(rules.dump(state)))) == state


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def of(events: list[Event], name: str) -> dict[str, Any]:
    """Return the data of the only event of a type."""
    found = [event.data for event in events if event.type == name]
    assert len(found) == 1, f"{len(found)} of {name} in {types(events)}"
    return found[0]
