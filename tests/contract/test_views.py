"""Views leak nothing: what a viewer gets depends only on events that the viewer may read."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from games.kernel.contract import Command, Decision, Event, Illegal, Times
from games.kernel.dice import ScriptedDice
from games.kernel.replay import Entry
from games.kernel.simulate import open_choices, pick
from tests.contract.driver import (
    Case,
    changed_cases,
    evening,
    few_cases,
    over_the_wire,
    sampled,
    seeded,
    viewers,
)
from tests.frames import listed

tables = pytest.mark.parametrize("case", [*few_cases(), *changed_cases()], ids=str)
LONG = 120


@tables
def test_views_and_choices_go_over_the_wire_and_a_client_reads_the_same_options(case: Case) -> None:
    for step in sampled(case):
        for viewer in viewers(case):
            view = case.rules.view(step.state, viewer)
            assert isinstance(view, dict)
            assert over_the_wire(view) == view
            for choice in case.rules.choices(step.state, viewer):
                told = over_the_wire(choice.to_json())
                assert told == choice.to_json()
                assert sorted(map(str, listed(told))) == sorted(map(str, choice.options))


@tables
def test_who_may_speak_is_told_of_everybody_and_nobody_is_bound_for_ever(case: Case) -> None:
    """While it is False of a spectator a game runs; it ends, and then all may speak."""
    for step in sampled(case):
        told = [case.config.may_speak(step.state, viewer) for viewer in [*viewers(case), case.seats]]
        assert all(type(said) is bool for said in told)
    opened = case.rules.initial(case.values, case.seats)
    assert case.config.may_speak(opened, None)
    assert case.config.may_speak(evening(case)[-1].state, None)


@tables
def test_every_view_has_the_members_that_the_game_says_are_lasting(case: Case) -> None:
    for step in sampled(case):
        for viewer in viewers(case):
            assert set(case.config.lasting) <= set(case.rules.view(step.state, viewer))


@tables
def test_a_view_depends_on_nothing_that_the_dump_does_not_hold(case: Case) -> None:
    for step in sampled(case):
        loaded = case.rules.load(over_the_wire(case.rules.dump(step.state)))
        for viewer in viewers(case):
            assert case.rules.view(loaded, viewer) == case.rules.view(step.state, viewer)


@tables
def test_a_view_does_not_repeat_what_was_hidden_from_the_viewer(case: Case) -> None:
    for step in evening(case):
        hidden = [e for e in step.entry.events if e.audience is not None]
        for viewer in viewers(case) if hidden else []:
            view = case.rules.view(step.state, viewer)
            for event in hidden:
                if not event.is_for(viewer):
                    assert not holds(view, event.data), f"{viewer} sees {event}"


@tables
def test_a_view_holds_nothing_that_was_told_before_its_viewer_sat_there(case: Case) -> None:
    for step in evening(case):
        later = Times(((step.entry.seq + 1, None),))
        for event in (e for e in step.entry.events if e.audience is not None):
            for seat in event.audience or ():
                assert not holds(case.rules.view(step.state, seat, later), event.data), event


def test_a_bid_is_seen_by_who_made_it_and_not_by_who_took_the_seat_since() -> None:
    case = Case("dummygame", "dicey", 3)
    seen = set()
    for step in evening(case):
        for event in (e for e in step.entry.events if e.type == "bid_sealed"):
            if step.state.players[event.data["seat"]].bid is None:
                continue  # the last bid opens them all
            for first in (step.entry.seq, step.entry.seq + 1):
                view = case.rules.view(step.state, event.data["seat"], Times(((first, None),)))
                seen.add((first - step.entry.seq, view["bid"] is None))
    assert seen == {(0, False), (1, True)}


def holds(value: Any, data: dict[str, Any]) -> bool:
    """Tell whether an object anywhere in a JSON value has all of `data`'s members."""
    if isinstance(value, list):
        return any(holds(item, data) for item in value)
    if not isinstance(value, dict):
        return False
    return data.items() <= value.items() or any(holds(item, data) for item in value.values())


@dataclass(frozen=True)
class Twin:
    """Two runs of a table that one viewer can't tell apart, `differs` if they do differ."""

    real: Any
    twin: Any

    @property
    def differs(self) -> bool:
        """Tell whether there is something to leak now."""
        return bool(self.real != self.twin)


@tables
def test_two_logs_that_differ_only_in_hidden_data_look_the_same(case: Case) -> None:
    for viewer in viewers(case):
        for pair in twins(case, viewer):
            for state in (pair.real, pair.twin):
                assert case.rules.audit(state) == ()
            assert case.rules.view(pair.real, viewer) == case.rules.view(pair.twin, viewer)
            if viewer is not None:
                mine = case.rules.choices(pair.real, viewer)
                assert mine == case.rules.choices(pair.twin, viewer)


def test_the_twins_do_differ_in_a_game_with_secrets() -> None:
    """The test above bites only where there is something hidden: the dummy game sees to it."""
    case = Case("dummygame", "dicey", 3)
    for viewer in viewers(case):
        assert sum(pair.differs for pair in twins(case, viewer)) > 10


def twins(case: Case, viewer: int | None) -> Iterator[Twin]:
    """Play a table and beside it a twin whose hidden decisions went another way."""
    rng, rules = random.Random(f"{case} {viewer}"), case.rules
    dice = seeded(case)
    seq, pair = 1, Twin(*[rules.open(case.values, case.seats, dice).state] * 2)
    while not rules.is_over(pair.real) and seq < LONG:
        yield pair
        command = pick(open_choices(rules, pair.real, case.seats), rng)
        before = len(dice.fell)
        seq += 1
        decision = rules.decide(pair.real, command, dice, seq)
        fell = dice.fell[before:]
        other = other_way(case, pair.twin, command, Entry(seq, decision.events), fell, viewer)
        pair = Twin(decision.state, decision.state if other is None else other.state)
    yield pair


def other_way(
    case: Case, twin: Any, command: Command, entry: Entry, fell: list[int], viewer: int | None
) -> Decision[Any] | None:
    """Return a decision for the twin that `viewer` can't tell from the entry's, or None.

    Where something is hidden, first those of another answer to the same choice.
    """
    wanted = seen_by(entry.events, viewer)
    ways = [command]
    if any(not event.is_for(viewer) for event in entry.events):
        mine = case.rules.choices(twin, command.seat)
        options = next((c.options for c in mine if c.name == command.name), ())
        ways = [replace(command, args=args) for args in options if args != command.args] + ways
    for way in ways:
        try:
            decision = case.rules.decide(twin, way, ScriptedDice(fell), entry.seq)
        except (Illegal, IndexError):
            continue
        if seen_by(decision.events, viewer) == wanted:
            return decision
    return None


def seen_by(events: tuple[Event, ...], viewer: int | None) -> list[Event | None]:
    """Return what a viewer gets of an entry: hidden events keep their place."""
    return [event if event.is_for(viewer) else None for event in events]
