"""A viewer learns nothing but what the events say that they may read; and `resample` says just that."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from games import plugin
from games.kernel import simulate
from games.kernel.contract import ALWAYS, Decision, Event, Times
from games.kernel.simulate import SimulatedStep
from tests.contract.driver import Case, changed_cases, few_cases
from tests.contract.information import Information, Moment, key, moments
from tests.dummygame.rules import rules
from tests.dummygame.rules.events import DieDealt
from tests.dummygame.rules.state import State

TABLES = [*few_cases(), *changed_cases(2)]
tables = pytest.mark.parametrize("case", TABLES, ids=str)
LONG = 60
RESAMPLES, TRIES = 2, 40
LOOKED_AT = 12
HIDDEN_DICE = Case("dummygame", "hidden", 3)


@cache
def played(case: Case) -> tuple[Moment, ...]:
    """Return a table's moments: played once for the tests that look at them."""
    return tuple(moments(case, LONG))


def hold(case: Case, moment: Moment) -> None:
    """Hold a table to what each viewer may know of it."""
    for known in moment.known:
        rng = random.Random(f"{case} {moment.seq} {known.viewer}")
        seen = looks(case, moment.state, known.viewer)
        for state in list(known.states.values())[:LOOKED_AT]:
            assert looks(case, state, known.viewer) == seen, f"{known.viewer} sees what was not told"
        for _ in range(RESAMPLES):
            hold_resampled(case, moment, known, case.rules.resample(moment.state, known.viewer, rng))
        if len(known.near) > 1:
            resampled = (case.rules.resample(moment.state, known.viewer, rng) != moment.state for _ in range(TRIES))
            assert any(resampled), f"{known.viewer} knows less than resample says"


def hold_resampled(case: Case, moment: Moment, known: Information, other: Any) -> None:
    """Hold a resampled state to its invariants, to what the viewer sees, and to what they know."""
    assert case.rules.faults(other) == ()
    assert looks(case, other, known.viewer) == looks(case, moment.state, known.viewer), f"{known.viewer} sees it"
    if known.is_complete:
        assert key(case, other) in known.states, f"{known.viewer} knows more than resample says"


def looks(case: Case, state: Any, viewer: int | None) -> tuple[Any, ...]:
    """Return what a viewer gets of a state."""
    return case.rules.view(state, viewer), case.rules.choices(state, viewer) if viewer is not None else ()


@tables
def test_nobody_can_tell_a_table_from_another_that_they_were_told_the_same_of(case: Case) -> None:
    for moment in played(case):
        hold(case, moment)


def test_hidden_dice_are_hidden_and_what_was_told_of_them_is_not() -> None:
    """The tests above bite only where something is hidden: the dummy game sees to it."""
    dealt = next(iter(moments(HIDDEN_DICE, 1)))
    assert [len(known.states) for known in dealt.known] == [36, 36, 36, 120]
    dicey = moments(Case("dummygame", "dicey", 3), LONG)
    assert any(len(known.near) > 10 for moment in dicey for known in moment.known)


def test_every_event_with_an_audience_is_changed_by_some_resample_for_somebody_outside_it() -> None:
    """But for those of which there is one way only: a switch, and that a proposal is over.

    A reply is sealed only where somebody answers two beavers, which these games have hardly ever
    (tests/chouette/cube/test_batches.py: `test_a_sealed_reply_is_another_one_…`).
    """
    told, changed = set(), set()
    for case in [case for case in few_cases() if case.seats <= 3]:
        for moment in played(case):
            hidden = {(case.game_id, event.type) for event in moment.events if event.audience is not None}
            told |= hidden
            if hidden and any(len(known.near) > 1 for known in moment.known):
                changed |= hidden
    seldom = {("chouette", "auto_set"), ("chouette", "settlement_lapsed"), ("chouette", "reply_sealed")}
    assert told - changed <= seldom
    assert ("dummygame", "die_dealt") in changed


# Leaks planted in the dummy game's die, which one seat alone sees: each fails a test above.


def hold_anew(case: Case) -> None:
    """Play a table again and hold it to what each viewer may know."""
    for moment in moments(case, LONG):
        hold(case, moment)


def leaks(monkeypatch: pytest.MonkeyPatch, name: str, spoil: Callable[..., Any]) -> None:
    """Replace one function of the dummy game by `spoil(result, *args)`; assert that it is noticed."""
    sound = getattr(rules, name)
    monkeypatch.setattr(rules, name, lambda *args: spoil(sound(*args), *args))
    with pytest.raises(AssertionError):
        hold_anew(HIDDEN_DICE)


def dice_of(state: Any) -> list[int]:
    return [player.die or 0 for player in state.players]


def test_a_view_that_shows_the_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    leaks(monkeypatch, "view", lambda view, state, *_: {**view, "dice": dice_of(state)})


def test_a_view_that_shows_what_the_dice_are_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    def worth(view: Any, state: Any, *_: Any) -> Any:
        dice = dice_of(state)
        return {**view, "best": [die == max(dice) for die in dice]}

    leaks(monkeypatch, "view", worth)


def test_a_public_counter_that_depends_on_the_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = DieDealt.apply

    def counting(dealt: DieDealt, state: State, seq: int) -> State:
        after = sound(dealt, state, seq)
        return replace(after, last={"count": (after.last or {}).get("count", 0) + dealt.die})

    monkeypatch.setattr(DieDealt, "apply", counting)
    with pytest.raises(AssertionError):
        hold_anew(HIDDEN_DICE)


def test_an_event_without_an_audience(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(decision: Decision[Any], *_: Any) -> Decision[Any]:
        return replace(decision, events=tuple(replace(event, audience=None) for event in decision.events))

    leaks(monkeypatch, "open", shown)


def test_a_public_event_with_the_sum_of_the_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    def summed(decision: Decision[Any], *_: Any) -> Decision[Any]:
        told = Event("dice_counted", {"sum": sum(dice_of(decision.state))})
        return replace(decision, events=(*decision.events, told))

    leaks(monkeypatch, "open", summed)


def hold_secrets(case: Case, before: Any, step: SimulatedStep[Any], rng: random.Random) -> None:
    """Hold `has_secrets` to what seats see after a step, and to what its command's answer became."""
    for seat in range(case.seats):
        if case.config.rules.has_secrets(step.state, seat):
            continue
        other = case.rules.resample(step.state, None, rng)
        assert case.rules.view(other, seat) == case.rules.view(step.state, seat), f"{seat} sees a secret"
    command = step.command
    if before is None or command is None or command.seat is None:
        return
    is_required = command.name in {c.name for c in case.rules.choices(before, command.seat) if c.required}
    if is_required and any(event.audience == (command.seat,) for event in step.entry.events):
        assert case.config.rules.has_secrets(before, command.seat), f"{command.name} is answered in secret"


ASKED_NOW = {"chouette": ("game", "proposals")}
"""The members of views that ask a seat something now, and so are for whoever sits there: open proposals."""


def without_questions(case: Case, view: Any) -> Any:
    """Return a view without what it asks its seat now."""
    member, name = ASKED_NOW.get(case.game_id, ("", ""))
    if not view.get(member):
        return view
    return {**view, member: {key: value for key, value in view[member].items() if key != name}}


def hold_successors(case: Case, step: SimulatedStep[Any], rng: random.Random) -> None:
    """Hold what a person sees who takes a seat after a step to what everybody else may know.

    Nothing of what the seat was told before is theirs: their view is the same at each table that a spectator cannot
    tell from this one.
    """
    later = Times(((step.entry.seq + 1, None),))
    for _ in range(RESAMPLES):
        other = case.rules.resample(step.state, None, rng)
        for seat in range(case.seats):
            real, guessed = (case.rules.view(state, seat, later) for state in (step.state, other))
            same = without_questions(case, real) == without_questions(case, guessed)
            assert same, f"who takes seat {seat} sees what it knew before"


@tables
def test_who_takes_a_seat_sees_nothing_that_it_knew_before(case: Case) -> None:
    rng = random.Random(f"{case} successors")
    for step in simulate.play(case.rules, case.values, case.seats, rng, limit=LONG):
        hold_successors(case, step, rng)


def test_a_successor_who_sees_what_follows_from_what_the_seat_knew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the dice themselves, which an event told, but what they are worth."""
    game = plugin.game("bluffing").rules
    sound = game.view

    def leaking(state: Any, viewer: Any, times: Times = ALWAYS) -> Any:
        is_own = state.dice and viewer == state.thrower
        return {**sound(state, viewer, times), "worth": sum(state.dice) if is_own else 0}

    monkeypatch.setattr(game, "view", leaking)
    with pytest.raises(AssertionError, match="knew before"):
        test_who_takes_a_seat_sees_nothing_that_it_knew_before(Case("bluffing", "pub", 3))


@pytest.mark.parametrize("case", [case for case in TABLES if not case.config.is_entered(case.values)], ids=str)
def test_a_seat_with_secrets_says_so_before_a_shared_device_shows_it(case: Case) -> None:
    """Where people enter what was said and done at a real table, answers were said aloud: those a game holds itself."""
    before, rng = None, random.Random(f"{case} shared")
    for step in simulate.play(case.rules, case.values, case.seats, rng, limit=LONG // 2):
        hold_secrets(case, before, step, rng)
        before = step.state


def test_a_secret_that_no_seat_says_it_has_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "has_secrets", lambda state, seat: False)
    with pytest.raises(AssertionError):
        test_a_seat_with_secrets_says_so_before_a_shared_device_shows_it(HIDDEN_DICE)
