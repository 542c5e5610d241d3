"""The log, the state and the choices of every game, held to the contract's invariants."""

from __future__ import annotations

import itertools

import pytest

from games.kernel import replay
from games.kernel.contract import CORRECT_RESULT, Event
from games.kernel.replay import Entry, fold_entry
from games.kernel.simulate import open_choices
from games.plugin import SCREEN
from tests.contract.driver import (
    TOO_LONG,
    Case,
    changed_cases,
    evening,
    over_the_wire,
    preset_cases,
    viewers,
)

every_table = pytest.mark.parametrize("case", [*preset_cases(), *changed_cases()], ids=str)


def stored(entry: Entry) -> Entry:
    """Return an entry as it comes back from the database."""
    return Entry(entry.seq, tuple(Event.from_json(over_the_wire(e.to_json())) for e in entry.events))


@every_table
def test_a_dumped_state_loads_as_itself(case: Case) -> None:
    for step in evening(case):
        assert case.rules.load(over_the_wire(case.rules.dump(step.state))) == step.state


@every_table
def test_folding_the_stored_log_gives_the_played_state_after_every_entry(case: Case) -> None:
    state = case.rules.initial(case.values, case.seats)
    for step in evening(case):
        state = fold_entry(case.rules, state, stored(step.entry))
        assert state == step.state, step.entry.seq


@every_table
def test_a_state_from_the_cache_goes_on_like_the_played_one(case: Case) -> None:
    played = evening(case)
    for before, after in itertools.pairwise(played):
        loaded = case.rules.load(over_the_wire(case.rules.dump(before.state)))
        assert fold_entry(case.rules, loaded, after.entry) == after.state, after.entry.seq


@every_table
def test_while_a_game_is_not_over_somebody_has_a_required_choice(case: Case) -> None:
    for step in evening(case):
        required = [c for c in open_choices(case.rules, step.state, case.seats) if c.required]
        assert bool(required) != case.rules.is_over(step.state), step.entry.seq


@every_table
def test_the_audit_finds_nothing(case: Case) -> None:
    for step in evening(case):
        assert case.rules.faults(step.state) == (), step.entry.seq


@every_table
def test_a_game_ends_and_then_nothing_is_open(case: Case) -> None:
    last = evening(case)[-1]
    assert case.rules.is_over(last.state), f"not over after {TOO_LONG} commands"
    for viewer in viewers(case):
        # Results told of a real table may be corrected when it is over, by the house alone.
        still = [choice.name for choice in case.rules.choices(last.state, viewer)]
        assert still == [] or (viewer is None and still == [CORRECT_RESULT])


@every_table
def test_every_entry_says_something(case: Case) -> None:
    for step in evening(case):
        assert step.entry.events, step.command
        for event in step.entry.events:
            assert not replay.is_house(event), event
            assert isinstance(event.data, dict)
            assert len(event.type) <= 40


@every_table
def test_choices_are_well_formed(case: Case) -> None:
    for step in evening(case):
        for seat in viewers(case):
            found = case.rules.choices(step.state, seat)
            assert len({c.name for c in found}) == len(found), "two choices share a name"
            for choice in found:
                assert choice.seat == seat
                assert 1 <= choice.opened_at <= step.entry.seq
                assert choice.options
                assert choice.seconds is None or choice.seconds > 0
                options = list(choice.options)
                assert over_the_wire(options) == options
                assert all(options.count(option) == 1 for option in options)


@every_table
def test_results_add_up(case: Case) -> None:
    seats = set(range(case.seats))
    log = [stored(step.entry) for step in evening(case)]
    told = replay.outcomes(case.rules, log)
    assert told, "an evening without a result"
    last = 0
    for seq, outcome in told:
        assert all(type(points) is int for points in outcome.points.values())
        ranked = sorted(seat for group in outcome.ranking for seat in group)
        assert ranked == sorted(outcome.points)
        assert all(outcome.ranking)
        assert 0 < len(outcome.reason) <= 32
        assert outcome.unit in case.config.units
        if outcome.is_correction:
            assert outcome.note and not outcome.stats and set(outcome.points) <= seats
            continue
        # Whoever left before the game began, or comes after it, has no part in its result.
        assert set(outcome.points) == set(outcome.stats) <= seats
        assert len(outcome.points) > 1
        game = [entry for entry in log if last < entry.seq <= seq]
        found = case.config.figures(case.values, case.seats, game) if case.config.figures else {}
        for seat, figures in outcome.stats.items():
            more = found.get(seat, {})
            assert not set(figures) & set(more)
            # Of a game off the screen nobody knows what the dice brought.
            left_out = set() if case.config.board(case.values) == SCREEN else {"luck", "luck_typed"}
            assert set(figures) | set(more) == set(case.config.stat_labels) - left_out
            assert all(type(figure) is int for figure in {**figures, **more}.values())
        last = seq


@every_table
def test_folding_does_not_change_the_state_it_is_given(case: Case) -> None:
    played = evening(case)
    for before, after in itertools.pairwise(played):
        kept = over_the_wire(case.rules.dump(before.state))
        fold_entry(case.rules, before.state, after.entry)
        assert over_the_wire(case.rules.dump(before.state)) == kept
