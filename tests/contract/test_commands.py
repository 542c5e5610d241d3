"""What is listed is accepted, nothing else is; a refusal changes nothing and draws no dice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.kernel.contract import CLOSE, LEAVE, TIMEOUT, Choice, Command, Illegal, same_json
from games.kernel.simulate import SimulatedStep, open_choices
from games.refusals import REFUSALS
from tests.contract.driver import (
    Case,
    changed_cases,
    few_cases,
    over_the_wire,
    sampled,
    seeded,
    viewers,
)
from tests.seeds import share_of_day

tables = pytest.mark.parametrize("case", share_of_day([*few_cases(), *changed_cases(3)], 5), ids=str)
MOST_OPTIONS = 30

# Arguments that no choice lists, whatever the game.
NONSENSE: tuple[Any, ...] = (
    {"": None}, {"seat": -1}, {"seat": 10**30}, {"seat": True}, {"seat": "0"}, {"x": [[[]]]},
    {"number": 1.0}, {"lay": None}, [], None, "bid", 3,
)  # fmt: skip


@tables
def test_every_listed_option_is_accepted_and_deciding_changes_nothing(case: Case) -> None:
    for step in sampled(case):
        kept = over_the_wire(case.rules.dump(step.state))
        for choice in open_choices(case.rules, step.state, case.seats, house=True):
            rng = random.Random(step.entry.seq)
            for args in rng.sample(choice.options, min(MOST_OPTIONS, len(choice.options))):
                command = Command(choice.name, choice.seat, args, choice.opened_at)
                assert case.rules.decide(step.state, command, seeded(step.entry.seq), step.entry.seq + 1).events
                assert over_the_wire(case.rules.dump(step.state)) == kept


@tables
def test_the_same_command_and_dice_give_the_same_events(case: Case) -> None:
    for step in sampled(case):
        for choice in open_choices(case.rules, step.state, case.seats):
            command = Command(choice.name, choice.seat, choice.options[-1], choice.opened_at)
            once = case.rules.decide(step.state, command, seeded(3), 999)
            assert case.rules.decide(step.state, command, seeded(3), 999) == once


@tables
def test_what_is_not_listed_is_refused_without_dice_and_with_a_message(case: Case) -> None:
    for step in sampled(case):
        kept = over_the_wire(case.rules.dump(step.state))
        for command in unlisted(case, step):
            refusal = refused(case, step.state, command)
            assert refusal is not None, f"{command} was accepted"
        assert over_the_wire(case.rules.dump(step.state)) == kept


def refused(case: Case, state: Any, command: Command) -> Illegal | None:
    """Return the refusal of a command after checking that it drew no dice; None if accepted."""
    dice = seeded(0)
    try:
        case.rules.decide(state, command, dice, 999)
    except Illegal as illegal:
        assert dice.fell == [], f"{command} drew dice and was refused"
        assert has_message(case, illegal), f"no message for {illegal.code}"
        return illegal
    return None


def has_message(case: Case, illegal: Illegal) -> bool:
    """Tell whether the house or the game has a text for a refusal, and it can be filled in."""
    known = REFUSALS.get(illegal.code)
    text = known.text if known else case.config.messages.get(illegal.code)
    return bool(text) and bool(str(text) % illegal.params)


def unlisted(case: Case, step: SimulatedStep[Any]) -> Iterator[Command]:
    """Yield commands near the open ones that nobody listed."""
    everyone = open_choices(case.rules, step.state, case.seats, house=True)
    names = sorted({c.name for c in everyone} | {"", "no_such_thing", "__init__"})
    for viewer in viewers(case):
        mine = {c.name: c for c in case.rules.choices(step.state, viewer)}
        for name in names:
            if name not in mine:
                if viewer is not None or name not in (TIMEOUT, LEAVE, CLOSE):
                    yield Command(name, viewer, {}, None)
                continue
            yield from _near(mine[name])
    for name in (TIMEOUT, LEAVE):
        for nonsense in NONSENSE:
            if isinstance(nonsense, dict):
                yield Command(name, None, nonsense)
        yield Command(name, 0, {"seat": 0})
    yield Command(CLOSE, 0, {})


def _near(choice: Choice) -> Iterator[Command]:
    """Yield answers to a choice that are stale or just off its options."""
    yield Command(choice.name, choice.seat, choice.options[0], choice.opened_at - 1)
    yield Command(choice.name, choice.seat, choice.options[0], choice.opened_at + 1)
    spoilt = [{**choice.options[0], "extra": 1}, *NONSENSE, {}]
    for key, value in choice.options[0].items():
        spoilt.append({k: v for k, v in choice.options[0].items() if k != key})
        spoilt.extend({**choice.options[0], key: bad} for bad in _twisted(value))
    for args in spoilt:
        if not any(same_json(args, option) for option in choice.options):
            yield Command(choice.name, choice.seat, args, choice.opened_at)


def _twisted(value: Any) -> list[Any]:
    """Return values like `value` but of another type or far off."""
    twisted: list[Any] = [None, str(value), [value], {"v": value}, -(10**9)]
    if isinstance(value, bool):
        return [*twisted, int(value)]
    if isinstance(value, int):
        return [*twisted, float(value), bool(value)]
    if isinstance(value, list):
        return [*twisted, [*value, *value, 7], [str(v) for v in value] or [0]]
    return twisted
