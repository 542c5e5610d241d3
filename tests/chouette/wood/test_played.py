"""Games that were played without the house, as told in the game's form (docs/rules-chouette.md §4.13)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import Illegal
from games.kernel.replay import Entry, outcomes
from tests.chouette.table import Table, of, types


def wood(line: str = "ABCD", **changes: Any) -> Table:
    """Return a table whose board is a real one, before its first game."""
    return Table(line, preset="wood", **changes)


def hand_over(table: Table, winner: str, level: int = 1, seats: dict[str, Any] | None = None, **game: Any) -> list[Any]:
    """Hand a game over as people tell it; the Box is the one by the rules unless another one is told."""
    return table.do(None, "played", **told(table, winner, level, seats, **game))


def told(table: Table, winner: str, level: int = 1, seats: dict[str, Any] | None = None, **game: Any) -> dict[str, Any]:
    form = rules.form(table.options)
    assert form is not None
    box = table.seat(game.pop("box", table.box))
    found: dict[str, Any] = {"game": {"box": box, "winner": winner, "level": str(level), **game}}
    if form.of_seat:
        found["seats"] = {str(table.seat(name)): one for name, one in (seats or {}).items()}
    return found


def refused(table: Table, args: dict[str, Any]) -> str:
    return table.refuses(None, "played", **args)


def test_a_game_as_told_is_a_whole_game_on_the_sheet_and_the_line_follows() -> None:
    table = wood()
    events = hand_over(table, "team", seats={"C": {"cube": "2"}})
    assert types(events)[:2] == ["game_started", "cubes_told"]
    assert of(events, "game_ended")["without_house"] is True
    assert table.last_row == {"A": -4, "B": 1, "C": 2, "D": 1}
    assert table.line in ("BCDA", "BDCA")


def test_who_dropped_before_the_end_has_an_outcome_of_their_own() -> None:
    table = wood()
    hand_over(table, "team", 2, {"B": {"winner": "box"}, "C": {"cube": "4"}, "D": {"cube": "2"}})
    assert table.last_row == {"A": 1 - 8 - 4, "B": -1, "C": 8, "D": 4}, "gammons count on turned cubes"


def test_the_game_that_ran_when_the_house_was_lost_ends_as_told_with_its_cubes() -> None:
    table = wood()
    table.do(table.box, "begin_game")
    table.offer("BCD")
    table.answers(B=True, C=False)
    assert refused(table, told(table, "box", box="B")) == "other_box"
    hand_over(table, "box", seats={name: {"cube": "2"} for name in "BD"} | {"C": {"cube": "2"}})
    assert table.last_row == {"A": 6, "B": -2, "C": -2, "D": -2}, "no answer was final: all were told"
    table = wood()
    table.do(table.box, "begin_game")
    table.offer("BCD")
    table.answers(B=True, C=False, D=True)
    hand_over(table, "box", seats={"B": {"cube": "4"}, "C": {"winner": "box"}})
    assert table.last_row == {"A": 4 + 1 + 2, "B": -4, "C": -1, "D": -2}, "C is out as it went out; D's cube stands"


@pytest.mark.parametrize("seed", range(12))
def test_an_evening_that_is_handed_over_equals_one_that_was_played(seed: int) -> None:
    """The same games, told in the form at one table and played act by act at another one."""
    rng = random.Random(seed)
    rotation = rng.choice(["captain_result", "last_man_standing", "game_result"])
    line = "ABCDE"[: rng.randint(3, 5)]
    changes = {"rotation": rotation, "jacoby": rng.random() < 0.5, "must_break_even": rng.random() < 0.5}
    at_house, away = wood(line, **changes), wood(line, **changes)
    for _number in range(12):
        _play_both(at_house, away, rng)
        assert (away.line, away.totals, away.last_row) == (at_house.line, at_house.totals, at_house.last_row)
        assert [(row.winner, row.line) for row in away.state.sheet] == [
            (row.winner, row.line) for row in at_house.state.sheet
        ]
        assert (away.state.why, away.state.loser) == (at_house.state.why, at_house.state.loser)


def _play_both(at_house: Table, away: Table, rng: random.Random) -> None:
    """Play a game with doubles of the Box, some dropped; tell the same one at the other table."""
    seats: dict[str, Any] = {}
    at_house.do(at_house.box, "begin_game")
    members = [at_house.names[seat] for seat in at_house.state.game.line[1:]]
    if rng.random() < 0.6:
        at_house.offer("".join(members))
        drops = set(rng.sample(members, rng.randrange(len(members))))
        at_house.answers(**{name: name not in drops for name in members})
        seats = {name: {"winner": "box"} if name in drops else {"cube": "2"} for name in members}
    winner, level = rng.choice(["box", "team"]), rng.randint(1, 3)
    at_house.do(None, "state_result", winner=winner, level=level)
    hand_over(away, winner, level, {name: seats[name] for name in sorted(seats)})


def test_a_carried_double_begins_the_next_game_as_told() -> None:
    table = wood("AB", format="money", automatics="carry_over")
    hand_over(table, "box", ties=2)
    assert table.last_row == {"A": 2, "B": -2}
    assert refused(table, told(table, "box", cube="1", carried="yes")) == "cube_too_low"
    hand_over(table, "team", carried="yes")
    assert table.last_row == {"A": -2, "B": 2}
    assert refused(table, told(table, "team", carried="yes")) == "no_such_start"
    hand_over(table, "team", ties=1)
    assert table.last_row == {"A": -2, "B": 2}
    assert refused(table, told(table, "team", ties=3)) == "no_such_start"


def test_a_game_that_runs_is_told_with_all_ties_of_its_opening_roll() -> None:
    """Those that the house knows count once; a game that has begun otherwise is refused."""
    for known in (0, 1, 2):
        table = wood("ABC", automatics="carry_over")
        table.do("A", "begin_game")
        for _tie in range(known):
            table.do("A", "tie")
        for otherwise in ({"carried": "yes"}, {"ties": 3}, *({"ties": ties} for ties in range(1, known))):
            assert refused(table, told(table, "box", **otherwise)) == "no_such_start"
        hand_over(table, "box", seats={"B": {"winner": "box"}, "C": {"cube": "4"}}, ties=2)
        assert table.last_row == {"A": 6, "B": -2, "C": -4}
        assert table.state.carry
        table.do("A", "automatic", agree=True)
        table.do("A", "begin_game")
        assert refused(table, told(table, "box", carried="no")) == "no_such_start"
        hand_over(table, "box", carried="yes")
        assert table.last_row == {"A": 4, "B": -2, "C": -2}


def test_a_tie_of_which_the_box_decides_counts_as_told() -> None:
    table = wood("ABC", automatics="box_decides")
    hand_over(table, "box", ties=2)
    assert table.last_row == {"A": 8, "B": -4, "C": -4}


def test_a_match_has_no_cube_in_its_crawford_game_and_ends() -> None:
    table = wood("AB", format="match", match_length=3)
    hand_over(table, "box", cube="2")
    assert refused(table, told(table, "box", cube="2")) == "crawford_doubled"
    hand_over(table, "team")
    hand_over(table, "team", cube="2")
    assert rules.is_over(table.state)
    assert refused(table, told(table, "team")) == "game_over"


def test_a_single_cube_is_the_same_for_all_who_play_to_the_end() -> None:
    table = wood("ABCD", cubes="single")
    uneven = told(table, "box", seats={"B": {"cube": "2"}, "C": {"cube": "2"}})
    assert refused(table, uneven) == "one_cube"
    hand_over(table, "box", seats={"B": {"cube": "2"}, "C": {"cube": "2"}, "D": {"winner": "box"}})
    assert table.last_row == {"A": 5, "B": -2, "C": -2, "D": -1}


def test_who_sat_out_is_told_and_keeps_the_place() -> None:
    table = wood("ABCD")
    hand_over(table, "box", seats={"C": {"sits_out": "yes"}})
    assert table.last_row == {"A": 2, "B": -1, "C": 0, "D": -1}
    assert refused(table, told(table, "box", seats={"C": {"sits_out": "yes", "cube": "2"}})) == "other_players"
    hand_over(table, "box")
    assert table.last_row["C"] == -1


def test_the_box_is_passed_on_as_told_where_the_rules_let_it() -> None:
    table = wood("ABCD", may_decline_box=True)
    hand_over(table, "box", box="B")
    assert table.last_row == {"A": -1, "B": 3, "C": -1, "D": -1}
    strict = wood("ABCD", may_decline_box=False)
    assert refused(strict, told(strict, "box", box="B")) == "other_box"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": {"box": 0, "winner": "team", "level": "4"}}, "level"),
        ({"game": {"box": 0, "winner": "team"}}, "level"),
        ({"game": {"box": True, "winner": "team", "level": "1"}}, "box"),
        ({"game": {"box": 9, "winner": "team", "level": "1"}}, "box"),
        ({"game": {"box": 0, "winner": "team", "level": "1", "points": 3}}, "box"),
        ({"game": []}, "box"),
        ({"seats": {"9": {}}}, "seats"),
        ({"seats": {"01": {}}}, "seats"),
        ({"seats": {"1": {"cube": "3"}}}, "cube"),
        ({"seats": {"1": {"cube": 2}}}, "cube"),
        ({"rounds": []}, "game"),
    ],
)
def test_what_does_not_keep_the_form_is_refused_with_its_field(change: dict[str, Any], field: str) -> None:
    table = wood()
    with pytest.raises(Illegal) as refusal:
        table.do(None, "played", **{**told(table, "team"), **change})
    assert (refusal.value.code, refusal.value.params) == ("bad_form", {"field": field})


def test_who_is_not_of_the_team_has_no_cube_and_somebody_ended_as_the_game_did() -> None:
    table = wood()
    assert refused(table, told(table, "team", seats={"A": {"cube": "2"}})) == "other_players"
    everybody = told(table, "team", seats={name: {"winner": "box"} for name in "BCD"})
    assert refused(table, everybody) == "nobody_so"


def test_a_table_on_the_screen_or_with_game_clocks_waits_for_the_house() -> None:
    screen = Table("ABC")
    assert rules.form(screen.options) is None
    assert screen.refuses(None, "played", game={}, seats={}) == "not_open"
    clocks = OPTIONS.values("wood", {"format": "match", "clock": "delay"})
    assert rules.form(clocks) is None


def test_a_game_that_is_taken_back_leaves_the_table_as_before_and_its_result_counts_for_nothing() -> None:
    table = wood("ABC", automatics="carry_over")
    hand_over(table, "team", ties=2)
    before = table.state
    hand_over(table, "team", 2, {"C": {"cube": "4"}}, carried="yes")
    events = table.do(None, "take_back_game")
    assert (table.state.line, table.state.sheet, table.state.carry) == (before.line, before.sheet, before.carry)
    correction = next(outcome for _, outcome in outcomes(rules, [Entry(1, tuple(events))]))
    game = [outcome for _, outcome in outcomes(rules, table.log) if not outcome.is_correction][-1]
    assert correction.is_correction
    assert correction.points == {seat: -n for seat, n in game.points.items()}
    assert correction.amended[3].stats[0]["played"] == 0
    hand_over(table, "team", carried="no")
    assert [row.number for row in table.state.sheet] == [1, 2]


def test_a_running_game_is_taken_back_to_before_its_beginning() -> None:
    table = wood()
    table.do(table.box, "begin_game")
    table.offer("BCD")
    events = table.do(None, "take_back_game")
    assert outcomes(rules, [Entry(1, tuple(events))]) == []
    assert (table.look()["phase"], table.state.sheet, table.state.before) == ("between", (), ())


def test_what_was_done_since_an_entry_is_taken_back_one_after_the_other() -> None:
    table = wood()
    hand_over(table, "team")
    since = len(table.log)
    before = table.state
    table.do(table.box, "begin_game")
    table.do(table.captain, "double", cube=table.cube(table.captain))
    table.do(None, "take_back", seat=table.seat(table.captain))
    table.do(None, "state_result", winner="box", level=1)
    hand_over(table, "box")
    names = []
    while (found := rules.taking_back(table.state, since)) is not None:
        names.append(found[0])
        table.do(None, found[0], **found[1])
    assert names == ["take_back_game", "take_back_game"]
    assert (table.state.line, table.state.sheet) == (before.line, before.sheet)


def test_acts_of_a_game_that_ran_are_taken_back_and_the_game_stays() -> None:
    table = wood()
    table.do(table.box, "begin_game")
    since = len(table.log)
    table.offer("BCD")
    table.answers(B=True, C=True, D=True)
    while (found := rules.taking_back(table.state, since)) is not None:
        table.do(None, found[0], **found[1])
    assert table.stage == "wood"
    assert [cube.value for cube in table.state.game.cubes] == [1, 1, 1]


def test_nothing_is_taken_back_over_a_correction_or_somebody_who_came() -> None:
    table = wood()
    hand_over(table, "team")
    since = len(table.log)
    hand_over(table, "team")
    table.house("join", "E")
    with pytest.raises(Illegal, match="cannot_take_back"):
        rules.taking_back(table.state, since)
    assert table.refuses(None, "take_back_game") == "not_open"
