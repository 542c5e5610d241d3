"""Rounds that were played without the house, as told in the game's form (docs/rules-chicago.md §2)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chicago.rules import rules
from games.kernel.contract import Command, Event, Illegal
from games.kernel.dice import ScriptedDice
from games.kernel.replay import outcomes
from games.kernel.simulate import RandomDice, open_choices
from tests.chicago.table import NoDice, Table


def cup(preset: str = "tschigg", seats: int = 4, **changes: Any) -> Table:
    """Return a table with a real cup, whose results are entered."""
    return Table(preset, seats, dice="typed", entry="result", **changes)


def tell(table: Table, *told: dict[str, Any]) -> list[Event]:
    decided = rules.decide(table.state, Command("played", None, {"rounds": [*told]}), NoDice(), len(table.log) + 1)
    return table._write(decided.events)


def refused(table: Table, *told: dict[str, Any]) -> str:
    return table.refuses(None, "played", None, rounds=[*told])


def figures(state: Any) -> Any:
    """Return what rounds leave behind: mats, forfeits, rounds to pay, who is in, and the stock."""
    players = [(p.status, p.mats, p.mats_taken, p.rounds_paid, p.forfeits, p.side_forfeits) for p in state.players]
    return players, state.phase, state.stock, state.mats_out


def told_of(events: list[Event], way: dict[str, Any]) -> dict[str, Any] | None:
    """Return a round as people tell it, from the events of its end; `way` gathers its Chicks and who named."""
    for event in events:
        data = event.data
        if event.type == "chick_thrown":
            way.setdefault("chicks", []).append(data["seat"])
        if event.type == "side_forfeit_owed":
            way.setdefault("side", []).append(data["seat"])
        if event.type == "loser_named":
            way["by"] = data["seat"]
        if event.type == "phase_started":
            return dict(way)
        if event.type == "round_ended":
            found = dict(way)
            if data["low"] is not None and data["reason"] in ("full", "one_left", "named"):
                found["low"] = data["low"]
            if data["reason"] == "full" and data["high"] is not None:
                found["high"] = data["high"]
            if data["reason"] == "named":
                found["way"] = "named"
            return found
        if event.type == "game_ended":
            return dict(way)
    return None


@pytest.mark.parametrize("preset", ["classic", "bavarian", "tschigg", "forfeits"])
@pytest.mark.parametrize("seed", range(6))
def test_an_evening_that_is_handed_over_equals_one_that_was_played(preset: str, seed: int) -> None:
    """Each round that one table plays by its entries is told at another one; mats, forfeits, payers stay the same."""
    rng = random.Random(f"{preset} {seed}")
    seats = rng.randint(3, 6)
    changes: dict[str, Any] = {"rounds": 12} if preset == "classic" else {}
    changes |= {"end_total": 15, "breaches": False} if preset == "forfeits" else {}
    at_house, away = cup(preset, seats, **changes), cup(preset, seats, **changes)
    way: dict[str, Any] = {}
    dice = RandomDice(rng)
    while not rules.is_over(at_house.state):
        choices = [one for one in open_choices(rules, at_house.state, seats) if one.required and one.name != "throw"]
        choice = next((one for one in choices if one.name == "refill"), choices[0])
        args = rng.choice(list(choice.options))
        decided = rules.decide(at_house.state, Command(choice.name, choice.seat, args), dice, len(at_house.log) + 1)
        events = at_house._write(decided.events)
        if (told := told_of(events, way)) is not None:
            way = {}
            if preset != "tschigg" and preset != "bavarian":
                told.pop("high", None)
            tell(away, _with_fields(away, told))
            assert figures(away.state) == figures(at_house.state)
    assert rules.is_over(away.state)
    ended, ended_away = at_house.state.outcome or {}, away.state.outcome or {}
    assert [ended_away[name] for name in ("points", "ranking")] == [ended[name] for name in ("points", "ranking")]
    assert [outcome.without_house for _, outcome in outcomes(rules, away.log)] == [True]


def _with_fields(table: Table, told: dict[str, Any]) -> dict[str, Any]:
    form = rules.form(table.options)
    assert form is not None
    known = {one.id for one in form.of_round}
    return {name: value for name, value in told.items() if name in known}


def test_many_rounds_are_one_entry_and_the_table_goes_on_with_a_turn() -> None:
    table = cup("classic", 3, rounds=0)
    events = tell(table, {"low": 2}, {"low": 1, "chicks": [0]}, {"low": 2})
    assert [event.type for event in events].count("round_ended") == 3
    assert [player.rounds_paid for player in table.state.players] == [0, 1, 2]
    assert (table.state.round.number, table.turn) == (4, 2)


def test_mats_that_are_told_have_to_be_those_that_follow() -> None:
    table = cup("bavarian", 3)
    assert refused(table, {"low": 2, "mats": "given"}) == "other_bavarian_mats"
    assert refused(cup("tschigg", 3), {"low": 2, "mats": "given"}) == "other_mats"
    tell(table, {"low": 2, "mats": "taken"})
    while table.state.phase == "dealing":
        tell(table, {"low": 1, "mats": "taken"})
    assert refused(table, {"low": 1}) == "bad_round", "only the high is rewarded now: it has to be told"
    assert refused(table, {"high": 1, "low": 1}) == "bad_round"
    tell(table, {"high": 1, "low": 2, "mats": "out"})


def test_the_end_as_told_has_to_be_that_of_the_rules_and_closes_an_open_game() -> None:
    table = cup("classic", 3, rounds=2)
    assert refused(table, {"low": 0, "end": "yes"}) == "other_end"
    assert refused(table, {"low": 0}, {"low": 0, "end": "no"}) == "other_end"
    assert refused(table, {"low": 0}, {"low": 0}, {"low": 1}) == "round_after_end"
    tell(table, {"low": 0, "end": "no"}, {"low": 0, "end": "yes"})
    assert rules.is_over(table.state)
    open_ended = cup("classic", 3, rounds=0)
    tell(open_ended, {"low": 1, "end": "yes"})
    assert (open_ended.state.outcome or {})["reason"] == "closed"


def test_the_round_that_ran_is_ended_as_told() -> None:
    table = cup("classic", 3)
    first = table.turn or 0
    table.do(first, "enter_result", throws=1, value=104, kind="sum")
    tell(table, {"low": first})
    assert table.state.players[first].rounds_paid == 1
    assert table.state.round.number == 2


@pytest.mark.parametrize(
    "told",
    [{}, {"low": 1, "chicks": [1]}, {"chicks": [0, 0]}, {"low": 2, "chicks": [0, 1, 2]}],
)
def test_a_round_that_cannot_have_ended_so_is_refused(told: dict[str, Any]) -> None:
    table = cup("classic", 3)
    with pytest.raises(Illegal) as refusal:
        tell(table, told)
    assert refusal.value.code in ("bad_round", "bad_form")


def test_a_chick_in_one_throw_that_is_told_among_no_chicks_is_refused() -> None:
    """Its side forfeit would be lost without a word."""
    table = cup("classic", 3, chick_pays_schnapps=True)
    assert refused(table, {"low": 1, "side": [0]}) == "bad_round"
    assert refused(table, {"low": 1, "chicks": [2], "side": [0]}) == "bad_round"
    tell(table, {"low": 1, "chicks": [0], "side": [0]})
    assert [player.side_forfeits for player in table.state.players] == [1, 0, 0]


@pytest.mark.parametrize(
    ("told", "field"),
    [({"low": 3}, "low"), ({"low": "1"}, "low"), ({"low": True}, "low"), ({"high": 0, "low": 1}, "high"), ([], "high")],
)
def test_what_does_not_keep_the_form_is_refused_with_its_field(told: Any, field: str) -> None:
    with pytest.raises(Illegal) as refusal:
        tell(cup("classic", 3), told)
    assert refusal.value.code == "bad_form"


def test_no_more_than_sixty_rounds_are_one_game() -> None:
    table = cup("classic", 3, rounds=0)
    assert refused(table, *[{"low": 0}] * 61) == "bad_form"
    assert refused(table) == "bad_form"
    tell(table, *[{"low": 0}] * 60)


def test_a_cup_of_the_house_waits_for_it() -> None:
    table = Table("classic", 3)
    assert rules.form(table.options) is None
    assert refused(table, {"low": 0}) == "not_open"


def test_rounds_that_were_handed_over_last_are_taken_back_while_nothing_has_come_after() -> None:
    table = cup("tschigg", 4)
    tell(table, {"low": 2})
    before = figures(table.state)
    tell(table, {"low": 1}, {"low": 3})
    table.do(None, "take_back_game")
    assert figures(table.state) == before
    assert table.refuses(None, "take_back_game") == "not_open"
    tell(table, {"low": 1})
    table.do(table.turn, "enter_result", throws=1, value=104, kind="sum")
    assert table.refuses(None, "take_back_game") == "not_open"


def test_what_was_done_since_an_entry_is_taken_back_one_after_the_other() -> None:
    table = cup("classic", 3, rounds=0)
    since, before = len(table.log), figures(table.state)
    turn = table.turn
    for _number in range(2):
        table.do(table.turn, "enter_result", throws=1, value=104, kind="sum")
    tell(table, {"low": 0})
    names = []
    while (found := rules.taking_back(table.state, since)) is not None:
        names.append(found[0])
        table.do(None, found[0], **found[1])
    assert names == ["take_back_game", "take_back", "take_back"]
    assert (table.turn, figures(table.state)) == (turn, before)
    assert rules.taking_back(table.state, since) is None


def test_nothing_is_taken_back_over_dice_that_the_house_threw() -> None:
    table = cup("classic", 3, rounds=0)
    since = len(table.log)
    decided = rules.decide(
        table.state, Command("timeout", None, {"seat": table.turn}), ScriptedDice([1, 2, 4]), since + 1
    )
    table._write(decided.events)
    with pytest.raises(Illegal, match="cannot_take_back"):
        rules.taking_back(table.state, since)
