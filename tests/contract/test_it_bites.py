"""The contract tests notice a game that breaks the contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games.kernel.contract import Choice, Decision, Event, Illegal
from tests.contract import test_coming, test_commands, test_house_commands, test_play, test_secrecy, test_views
from tests.contract.driver import Case, evening
from tests.dummygame.rules import rules

CASE = Case("dummygame", "dicey", 3)


@pytest.fixture(autouse=True)
def _no_kept_evenings() -> Any:
    """Evenings of the broken game must not be kept for other tests."""
    evening.cache_clear()
    yield
    evening.cache_clear()


def broken(monkeypatch: pytest.MonkeyPatch, name: str, spoil: Callable[..., Any]) -> None:
    """Replace one function of the game by `spoil(result, *args)` of what it returned."""
    sound = getattr(rules, name)
    monkeypatch.setattr(rules, name, lambda *args: spoil(sound(*args), *args))


def bites(test: Callable[[Case], None]) -> None:
    """Assert that a contract test fails on the game as it is now."""
    with pytest.raises((AssertionError, Illegal)):
        test(CASE)


def test_a_view_with_the_bids_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(
        monkeypatch,
        "view",
        lambda view, state, viewer, *times: {**view, "bids": [p.bid for p in state.players]},
    )
    bites(test_secrecy.test_nobody_can_tell_a_table_from_another_that_they_were_told_the_same_of)


def test_a_view_that_repeats_a_hidden_event(monkeypatch: pytest.MonkeyPatch) -> None:
    def leak(view: Any, state: Any, viewer: Any) -> Any:
        bids = [{"seat": i, "number": p.bid} for i, p in enumerate(state.players)]
        return {**view, "log": bids}

    broken(monkeypatch, "view", leak)
    bites(test_views.test_a_view_does_not_repeat_what_was_hidden_from_the_viewer)


def test_a_dump_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "dump", lambda raw, state: {**raw, "round": 1})
    bites(test_play.test_a_dumped_state_loads_as_itself)


def test_events_that_do_not_hold_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only the running process knows is missing from the log."""
    broken(
        monkeypatch,
        "fold",
        lambda state, _, event, seq: replace(state, last={"id": id(event)}),
    )
    bites(test_play.test_folding_the_stored_log_gives_the_played_state_after_every_entry)


def test_a_result_without_one_of_the_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    def shortened(outcome: Any, event: Event) -> Any:
        return outcome and replace(outcome, ranking=outcome.ranking[:-1])

    broken(monkeypatch, "outcome", shortened)
    bites(test_play.test_results_add_up)


def test_a_choice_with_an_option_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def longer(found: tuple[Choice, ...], state: Any, seat: Any) -> Any:
        return tuple(replace(c, options=(*c.options, {"number": 99})) if c.name == "bid" else c for c in found)

    broken(monkeypatch, "choices", longer)
    bites(test_commands.test_every_listed_option_is_accepted_and_deciding_changes_nothing)


def test_rules_that_throw_before_they_check(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = rules.decide

    def hasty(state: Any, command: Any, dice: Any, seq: int) -> Any:
        dice.roll(1)
        return sound(state, command, dice, seq)

    monkeypatch.setattr(rules, "decide", hasty)
    bites(test_commands.test_what_is_not_listed_is_refused_without_dice_and_with_a_message)


def test_rules_that_do_not_look_at_the_basis(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = rules.decide

    def lax(state: Any, command: Any, dice: Any, seq: int) -> Any:
        return sound(state, replace(command, basis=None), dice, seq)

    monkeypatch.setattr(rules, "decide", lax)
    bites(test_commands.test_what_is_not_listed_is_refused_without_dice_and_with_a_message)


def test_a_game_that_does_not_say_who_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "gone", lambda gone, state: ())
    bites(test_coming.test_who_leaves_is_gone_and_nobody_else)


def test_a_time_out_that_leaves_the_decision_open(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = rules.decide

    def idle(state: Any, command: Any, dice: Any, seq: int) -> Any:
        if command.name == "timeout":
            return Decision((Event("nothing_happened"),), state)
        return sound(state, command, dice, seq)

    monkeypatch.setattr(rules, "decide", idle)
    bites(test_house_commands.test_a_time_out_closes_the_decision_it_is_about)
