"""Views leak nothing: what a viewer gets depends only on events that the viewer may read."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel.contract import Times
from tests.contract.driver import (
    Case,
    changed_cases,
    evening,
    few_cases,
    over_the_wire,
    sampled,
    viewers,
)
from tests.frames import listed
from tests.seeds import share_of_day

tables = pytest.mark.parametrize("case", share_of_day([*few_cases(), *changed_cases()], 3), ids=str)
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
        told = [case.config.rules.may_speak(step.state, viewer) for viewer in [*viewers(case), case.seats]]
        assert all(type(said) is bool for said in told)
    opened = case.rules.initial(case.values, case.seats)
    assert case.config.rules.may_speak(opened, None)
    assert case.config.rules.may_speak(evening(case)[-1].state, None)


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
