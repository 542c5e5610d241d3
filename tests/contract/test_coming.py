"""Coming and going: what JOIN, LEAVE and TIMEOUT make of seats."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from games.kernel.contract import JOIN, LEAVE, TIMEOUT, Command, Decision, Outcome
from games.kernel.replay import Entry, fold_all
from games.kernel.simulate import RandomDice, open_choices, pick
from tests.contract.driver import Case, changed_cases, few_cases, over_the_wire, sampled, seeded
from tests.seeds import share_of_day

tables = pytest.mark.parametrize("case", share_of_day([*few_cases(), *changed_cases(6)], 3), ids=str)
LONG = 150


def house(case: Case, state: Any, name: str) -> list[int]:
    """Return the seats that the house may name in a command."""
    found = (c for c in case.rules.choices(state, None) if c.name == name)
    return [option["seat"] for choice in found for option in choice.options]


@tables
def test_who_leaves_is_gone_and_nobody_else(case: Case) -> None:
    for step in sampled(case):
        before = case.rules.gone(step.state)
        for seat in house(case, step.state, LEAVE):
            assert seat not in before
            leaving = Command(LEAVE, None, {"seat": seat})
            after = case.rules.decide(step.state, leaving, seeded(1), step.entry.seq + 1).state
            assert set(case.rules.gone(after)) - announced(case, step.state) == {*before, seat} - announced(
                case, step.state
            )
            assert seat in case.rules.gone(after)


def announced(case: Case, state: Any) -> set[int]:
    """Return the seats that have said that they leave after this game: whoever ends it by leaving lets them go."""
    seats = case.rules.view(state, None)["seats"]
    return {number for number, seat in enumerate(seats) if isinstance(seat, dict) and seat.get("leaves")}


@dataclass
class Evening:
    """A table where people come, leave and sleep; `seats` are all that there have been."""

    case: Case
    rng: random.Random
    seats: int = 0
    log: list[Entry] = field(default_factory=list)
    stayed: set[int] = field(default_factory=set)
    """The seats that have been there since the last result."""

    def __post_init__(self) -> None:
        self.seats, self.dice = self.case.seats, RandomDice(self.rng)
        self.stayed = set(range(self.seats))
        self._write(self.case.rules.open(self.case.values, self.seats, self.dice))

    def step(self) -> None:
        """Let the house or somebody at the table do something."""
        name = self.rng.choice([JOIN, LEAVE, TIMEOUT, *[""] * 9])
        named = house(self.case, self.state, name)
        if not named:
            self._give(pick(open_choices(self.case.rules, self.state, self.seats), self.rng))
            return
        seat = self.rng.choice(named)
        if name == JOIN:
            self._joins(seat)
        self._give(Command(name, None, {"seat": seat}))

    def _joins(self, seat: int) -> None:
        assert seat == self.seats or seat in self.case.rules.gone(self.state)
        self.seats = max(self.seats, seat + 1)

    def _give(self, command: Command) -> None:
        self._write(self.case.rules.decide(self.state, command, self.dice, len(self.log) + 1))
        if command.name == JOIN:
            assert command.args["seat"] not in self.case.rules.gone(self.state)

    def _write(self, decision: Decision[Any]) -> None:
        self.log.append(Entry(len(self.log) + 1, decision.events))
        resting = self._resting() if len(self.log) > 1 else set()
        self.state = decision.state
        left = set(self.case.rules.gone(self.state))
        told = [self.case.rules.outcome(event) for event in decision.events]
        for outcome in [o for o in told if o is not None and not o.is_correction]:
            self._result(outcome, left | resting)
        # Of who sits a game out and leaves, somebody else may take the seat, who is in no game yet.
        self.stayed -= left

    def _resting(self) -> set[int]:
        """Return the seats that sit the game out, where a game knows such: its result is not about them."""
        players = getattr(self.state, "players", ())
        return {seat for seat, player in enumerate(players) if getattr(player, "sits_out", False)}

    def _result(self, outcome: Outcome, gone: set[int]) -> None:
        """A result is about all who were there, and about nobody who is not at the table."""
        seats = set(range(self.seats))
        assert self.stayed - gone <= set(outcome.points) <= seats
        assert sorted(s for group in outcome.ranking for s in group) == sorted(outcome.points)
        assert set(outcome.stats) == set(outcome.points)
        self.stayed = seats - gone


def whole(evening: Evening) -> None:
    """Everybody gets a view, who is gone has no choice unless a bot plays on, dump and log agree."""
    rules, state = evening.case.rules, evening.state
    assert rules.faults(state) == ()
    assert rules.load(over_the_wire(rules.dump(state))) == state
    for viewer in [*range(evening.seats), None]:
        assert over_the_wire(rules.view(state, viewer)) == rules.view(state, viewer)
    idle = set(rules.gone(state)) - set(evening.case.config.rules.played_on(state))
    assert all(rules.choices(state, seat) == () for seat in idle)
    required = [c for c in open_choices(rules, state, evening.seats) if c.required]
    assert bool(required) != rules.is_over(state)


@tables
def test_an_evening_holds_together_while_people_come_and_go(case: Case) -> None:
    evening = Evening(case, random.Random(str(case)))
    while not case.rules.is_over(evening.state) and len(evening.log) < LONG:
        evening.step()
        whole(evening)
    assert fold_all(case.rules, case.values, case.seats, evening.log) == evening.state


@pytest.mark.parametrize("seats", [2, 3])
def test_people_do_come_in_a_game_that_takes_them_in(seats: int) -> None:
    """The test above bites only where somebody joins: the dummy game sees to it."""
    case = Case("dummygame", "endless", seats)
    evening = Evening(case, random.Random(seats))
    joined = 0
    while not case.rules.is_over(evening.state) and len(evening.log) < LONG:
        seats_before = evening.seats
        evening.step()
        joined += evening.seats > seats_before
    assert joined
