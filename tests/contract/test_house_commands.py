"""The clock's and the host's commands to the rules: TIMEOUT, LEAVE and CLOSE."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.kernel.contract import CLOSE, LEAVE, TIMEOUT, Command, Illegal
from games.kernel.replay import Entry, outcomes
from games.kernel.simulate import RandomDice, open_choices, pick
from tests.contract.driver import (
    LONG_ENOUGH,
    TOO_LONG,
    Case,
    changed_cases,
    few_cases,
    sampled,
    seeded,
)

tables = pytest.mark.parametrize("case", [*few_cases(), *changed_cases(6)], ids=str)


def required_of(case: Case, state: Any, seat: int) -> set[tuple[str, int]]:
    """Return name and basis of what the game waits for from a seat."""
    return {(c.name, c.opened_at) for c in case.rules.choices(state, seat) if c.required}


@tables
def test_a_time_out_closes_the_decision_it_is_about(case: Case) -> None:
    for step in sampled(case):
        for seat in range(case.seats):
            waiting = required_of(case, step.state, seat)
            command = Command(TIMEOUT, None, {"seat": seat})
            if not waiting:
                with pytest.raises(Illegal):
                    case.rules.decide(step.state, command, seeded(1), step.entry.seq + 1)
                continue
            after = case.rules.decide(step.state, command, seeded(1), step.entry.seq + 1).state
            assert not required_of(case, after, seat) & waiting


@tables
def test_nothing_is_waited_for_from_a_seat_that_left(case: Case) -> None:
    for step in sampled(case):
        for seat in range(case.seats):
            if not required_of(case, step.state, seat):
                continue
            leaving = Command(LEAVE, None, {"seat": seat})
            after = case.rules.decide(step.state, leaving, seeded(1), step.entry.seq + 1).state
            # Unless a bot plays the game out there, on the account of who left.
            assert not required_of(case, after, seat) or seat in case.config.rules.played_on(after)
            assert set(case.config.rules.played_on(after)) <= set(case.rules.gone(after))
            assert case.rules.faults(after) == ()


@tables
def test_an_evening_ends_with_a_result_though_everybody_sleeps(case: Case) -> None:
    """Nobody answers; the clock plays. Open-ended tables are closed by their host."""
    rules, dice = case.rules, RandomDice(random.Random(str(case)))
    opening = rules.open(case.values, case.seats, dice)
    log, state = [Entry(1, opening.events)], opening.state
    while not rules.is_over(state) and log[-1].seq < TOO_LONG:
        sleepers = [s for s in range(case.seats) if required_of(case, state, s)]
        commands = [Command(TIMEOUT, None, {"seat": sleepers[0]})]
        if log[-1].seq > LONG_ENOUGH:
            commands.insert(0, Command(CLOSE, None))
        decision = first_legal(case, state, commands, dice, len(log) + 1)
        log.append(Entry(len(log) + 1, decision.events))
        state = decision.state
    assert rules.is_over(state)
    assert outcomes(rules, log)


@tables
def test_an_evening_holds_together_while_people_leave(case: Case) -> None:
    rng = random.Random(str(case))
    rules, dice = case.rules, RandomDice(rng)
    opening = rules.open(case.values, case.seats, dice)
    log, state = [Entry(1, opening.events)], opening.state
    while not rules.is_over(state) and log[-1].seq < TOO_LONG:
        commands = [pick(open_choices(rules, state, case.seats), rng)]
        if rng.random() < 0.1 or log[-1].seq > LONG_ENOUGH:
            leaving = Command(LEAVE, None, {"seat": rng.randrange(case.seats)})
            commands.insert(0, leaving)
        decision = first_legal(case, state, commands, dice, len(log) + 1)
        log.append(Entry(len(log) + 1, decision.events))
        state = decision.state
        assert rules.faults(state) == ()
        waits = any(required_of(case, state, seat) for seat in range(case.seats))
        assert waits != rules.is_over(state)
    assert rules.is_over(state)
    for _, outcome in outcomes(rules, log):
        assert sorted(s for group in outcome.ranking for s in group) == sorted(outcome.points)
        assert set(outcome.points) <= set(range(case.seats))
        assert outcome.is_correction or len(outcome.points) > 1


def first_legal(case: Case, state: Any, commands: list[Command], dice: RandomDice, seq: int) -> Any:
    """Return the decision about the first command that the rules accept."""
    for command in commands[:-1]:
        try:
            return case.rules.decide(state, command, dice, seq)
        except Illegal:
            continue
    return case.rules.decide(state, commands[-1], dice, seq)
