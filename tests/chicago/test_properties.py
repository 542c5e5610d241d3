"""What holds for every game under any house rules, whoever plays whatever is legal."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chicago.rules import rules
from chicago.rules.game.mats import losers_due, stock_at_start
from chicago.rules.options.declaration import OPTIONS
from games.kernel import simulate
from games.kernel.contract import Illegal
from games.kernel.options import BoolOption, ChoiceOption, IntOption
from tests.chicago.table import NoDice, check

RANGES = {"rounds": (1, 3), "mats_fixed": (1, 9), "turn_seconds": (0, 60)}


def values_of(option: Any) -> st.SearchStrategy[Any]:
    if isinstance(option, BoolOption):
        return st.booleans()
    if isinstance(option, ChoiceOption):
        return st.sampled_from([pick.id for pick in option.picks])
    if isinstance(option, IntOption):
        return st.integers(*RANGES.get(option.id, (option.low, option.high)))
    return st.just(option.default)


house_rules = st.fixed_dictionaries({o.id: values_of(o) for o in OPTIONS.options}).filter(
    lambda values: not any(exclusion.hits(values) for exclusion in OPTIONS.exclusions)
)
few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


def play(options: dict[str, Any], seats: int, seed: int, house: bool = False) -> list[Any]:
    steps = list(simulate.play(rules, OPTIONS.validate(options), seats, random.Random(seed), house=house))
    assert rules.is_over(steps[-1].state), "the game did not end"
    return steps


def is_fresh(state: Any) -> bool:
    """Tell whether nothing has been done in the turn that runs: taking it back leads to here."""
    done = state.turn.throws or state.awaits or state.declared or state.naming is not None
    return state.on_turn is not None and not done


def standing(steps: list[Any]) -> list[Any]:
    """Return the steps that stand: without those of turns that were taken back."""
    kept: list[Any] = []
    starts: dict[int, int] = {}
    for step in steps:
        back = next((e.data["turn"] for e in step.entry.events if e.type == "turn_taken_back"), None)
        kept = [*(kept if back is None else kept[: starts[back]]), step]
        if is_fresh(step.state):
            starts[step.state.turns] = len(kept)
    return kept


@few
@given(house_rules, st.integers(2, 7), st.integers(0, 2**32), st.booleans())
def test_any_house_rules_can_be_played_to_an_end_and_every_state_is_sound(options, seats, seed, house):
    for step in play(options, seats, seed, house):
        check(step.state)


@few
@given(house_rules, st.integers(2, 7), st.integers(0, 2**32))
def test_folding_the_log_gives_the_state_after_each_step(options, seats, seed):
    state = rules.initial(OPTIONS.validate(options), seats)
    for step in play(options, seats, seed):
        for event in step.entry.events:
            assert json.loads(json.dumps(event.data)) == event.data
            state = rules.fold(state, event, step.entry.seq)
        assert state == step.state


@few
@given(house_rules, st.integers(2, 7), st.integers(0, 2**32))
def test_mats_are_conserved_but_for_discards_removals_and_chicks(options, seats, seed):
    before, starts = None, {}
    for step in play(options, seats, seed):
        now = (step.state.stock or 0) + sum(p.mats for p in step.state.players)
        data = [(e.type, e.data) for e in step.entry.events]
        gone = sum(name == "mat_discarded" for name, _ in data)
        gone += sum(d["count"] for name, d in data if name == "mats_removed" and not d["to_stock"])
        gone += sum(d["removed"] for name, d in data if name == "stock_cut")
        if "turn_taken_back" in dict(data):
            assert now == starts[step.state.turns]
        else:
            assert now == (stock_at_start(options, seats) if before is None else before - gone)
        before = now
        if is_fresh(step.state):
            starts[step.state.turns] = now


@few
@given(house_rules, st.integers(2, 8), st.integers(0, 2**32))
def test_a_mats_game_has_exactly_the_stated_losers_and_they_alone_pay(options, seats, seed):
    options = {**options, "forfeits": False, "mats": "two_n_minus_1"}
    *_, last = play(options, seats, seed)
    outcome = last.state.outcome
    due = losers_due(last.state)
    # All mats may lie with one player when phase 2 begins: then there is one loser (§4.2).
    assert len(outcome["losers"]) == due or (due == 2 and len(outcome["losers"]) == 1)
    assert outcome["points"] == [int(seat in outcome["losers"]) for seat in range(seats)]
    assert {p.status for s, p in enumerate(last.state.players) if s not in outcome["losers"]} == {"safe"}


@few
@given(house_rules, st.integers(2, 7), st.integers(0, 2**32), st.booleans())
def test_the_result_adds_up(options, seats, seed, house):
    steps = play(options, seats, seed, house)
    events = [event for step in standing(steps) for event in step.entry.events]
    found = [o for o in map(rules.outcome, events) if o is not None]
    assert len(found) == 1 and events[-1].type == "game_ended"
    outcome = found[0]
    players = enumerate(steps[-1].state.players)
    assert sorted(seat for group in outcome.ranking for seat in group) == [s for s, p in players if p.played]
    stayed = [s for group in outcome.ranking for s in group if not outcome.stats[s]["left"]]
    ranked = [outcome.points[seat] for seat in (stayed if options["mats"] != "none" else sum(outcome.ranking, ()))]
    assert ranked == sorted(ranked)
    throws = sum(event.type == "dice_thrown" for event in events)
    throws += sum(event.data["throws"] for event in events if event.type == "result_entered")
    assert sum(figures["throws"] for figures in outcome.stats.values()) == throws
    if options["forfeits"]:
        taken = sum(e.data["count"] for e in events if e.type == "forfeit_taken")
        assert sum(outcome.points.values()) == taken


@few
@given(house_rules, st.integers(2, 5), st.integers(0, 2**32))
def test_a_game_of_rounds_has_one_loser_a_round(options, seats, seed):
    options = {**options, "forfeits": False, "mats": "none"}
    *_, last = play(options, seats, seed)
    assert sum(last.state.outcome["points"]) == options["rounds"]
    assert last.state.outcome["reason"] == "rounds_played"


@few
@given(house_rules, st.integers(2, 5), st.integers(0, 2**32), st.data())
def test_whatever_is_not_a_listed_option_is_refused_and_draws_no_dice(options, seats, seed, data):
    step = data.draw(st.sampled_from(play(options, seats, seed)))
    name = data.draw(st.sampled_from(["throw", "stand", "refill", "name_loser", "take_for"]))
    seat = data.draw(st.sampled_from([None, *range(-1, seats + 1)]))
    args = data.draw(st.sampled_from([{"lay": [9], "turn": False}, {"seat": "0"}, {"high": 1}, {"x": None}]))
    before = rules.dump(step.state)
    command = simulate.Command(name, seat, args, data.draw(st.sampled_from([None, -1, 0])))
    with pytest.raises(Illegal):
        rules.decide(step.state, command, NoDice(), step.entry.seq + 1)
    assert rules.dump(step.state) == before


@pytest.mark.parametrize("preset", [p.id for p in OPTIONS.presets])
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8, 12])
def test_every_preset_ends_with_every_number_of_seats(preset, seats):
    options = OPTIONS.values(preset)
    if options["mats"] == "none":
        options["rounds"] = 3
    check(play(options, seats, seats)[-1].state)


def test_an_open_ended_game_ends_when_the_host_closes_it():
    *_, last = play(OPTIONS.values("classic", {"rounds": 0}), 3, 5, house=True)
    assert last.state.outcome["reason"] in ("closed", "abandoned")
