"""Results entered as they are announced, with cup and mats on the table (docs/rules-chicago.md §2)."""

import pytest

from chicago import bots
from chicago.figures import figures
from chicago.rules import rules
from tests.chicago.table import HIGH, LOW, Table, of, types


def at(preset="mats", seats=3, **changes):
    return Table(preset, seats, **{"dice": "typed", "entry": "result", **changes})


def enter(t, seat, throws, value, kind="sum"):
    return t.do(seat, "enter_result", throws=throws, value=value, kind=kind)


def offered(t, seat):
    return [(o["throws"], o["value"], o["kind"]) for o in t.choice(seat, "enter_result").options]


def test_the_starter_enters_one_to_three_throws_and_every_value_of_three_dice():
    found = offered(at(), 0)
    assert {count for count, _, _ in found} == {1, 2, 3}
    sums = [value for count, value, kind in found if (count, kind) == (3, "sum")]
    assert sums == sorted(sums, reverse=True)
    assert {104, 123, 180, 204, 300} <= set(sums)
    assert not {0, 9, 99, 111, 207, 299} & set(sums)


def test_the_big_results_come_first():
    kinds = [kind for count, _, kind in offered(at(), 0) if count == 2]
    assert kinds[:2] == ["chick", "fish"] and set(kinds[2:]) == {"sum"}


def test_a_follower_enters_exactly_as_many_throws_as_the_starter_but_for_a_chick():
    t = at()
    enter(t, 0, 2, 123)
    assert {count for count, _, kind in offered(t, 1) if kind == "sum"} == {2}
    assert {count for count, _, kind in offered(t, 1) if kind == "chick"} == {1, 2}


def test_a_follower_enters_at_most_as_many_throws_where_the_house_rules_say_so():
    t = at("forfeits", triples_name_loser=False)
    enter(t, 0, 2, 123)
    assert {count for count, _, _ in offered(t, 1)} == {1, 2}


def test_three_sixes_that_must_be_turned_are_no_result_while_a_throw_is_left():
    t = at()
    assert (1, 180, "sum") not in offered(t, 0) and (3, 180, "sum") in offered(t, 0)
    enter(t, 0, 1, 123)
    assert (1, 180, "sum") in offered(t, 1)


def test_three_ones_over_several_throws_are_their_sum_where_a_chick_is_one_throw():
    found = offered(at(), 0)
    assert (1, 300, "sum") not in found and (2, 300, "sum") in found and (2, 300, "chick") in found


def test_the_server_announces_what_stands_and_who_takes_a_mat():
    t = at()
    assert of(enter(t, 0, 2, 123), "announced")["kind"] == "high"
    assert of(enter(t, 1, 2, 204), "announced")["seat"] == 0
    events = enter(t, 2, 2, 123)
    assert of(events, "mat_taken")["seat"] == 2, "who only equals the low is low"
    assert t.turn == 2 and t.view["round"] == 2


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"throws": 4, "value": 123, "kind": "sum"}, "result_throws"),
        ({"throws": 0, "value": 123, "kind": "sum"}, "result_throws"),
        ({"throws": True, "value": 123, "kind": "sum"}, "result_throws"),
        ({"throws": 2, "value": 207, "kind": "sum"}, "result_value"),
        ({"throws": 1, "value": 300, "kind": "sum"}, "result_value"),
        ({"throws": 2, "value": 123, "kind": "fish"}, "result_value"),
        ({"throws": 2, "value": "123", "kind": "sum"}, "result_value"),
        ({"throws": 2}, "result_value"),
        ({}, "result_throws"),
    ],
)
def test_what_three_dice_cannot_come_to_is_refused_with_a_reason(args, code):
    assert at().refuses(0, "enter_result", **args) == code


def test_a_follower_with_another_number_of_throws_is_refused():
    t = at()
    enter(t, 0, 2, 123)
    assert t.refuses(1, "enter_result", throws=3, value=204, kind="sum") == "result_throws"
    assert t.refuses(1, "enter_result", throws=1, value=204, kind="sum") == "result_value"
    assert t.refuses(0, "enter_result", throws=2, value=204, kind="sum") == "not_your_turn"


def test_the_starter_declares_and_what_may_be_entered_counts_by_that():
    t = at("classic")
    assert t.view["to_enter"] == {"valuation": HIGH} and (2, 0, "fish") in offered(t, 0)
    t.do(0, "declare", **LOW)
    assert t.view["to_enter"] == {"valuation": LOW}
    assert (1, 6, "sum") in offered(t, 0) and (1, 204, "sum") not in offered(t, 0)
    assert HIGH in t.choice(0, "declare").options and LOW not in t.choice(0, "declare").options
    said = of(enter(t, 0, 1, 6), "announced")
    assert said["valuation"] == LOW and said["low_counts"]
    assert t.choice(1, "declare") is None and (1, 17, "sum") in offered(t, 1)


def test_a_chick_is_safe_and_leaves_its_mats_or_stays_where_the_club_says_so():
    t = at(seats=3)
    assert "player_safe" in types(enter(t, 0, 1, 300, "chick")) and t.status[0] == "safe"
    t = at(seats=3, chick_stays=True)
    enter(t, 0, 1, 300, "chick")
    assert t.status[0] == "out" and t.turn == 1 and t.view["starter"] == 1


def test_most_mats_start_each_round_of_playing_off_where_the_club_says_so():
    t = at(seats=2, phase2_start="most_mats", mats="fixed", mats_fixed=3)
    for _ in range(3):
        t.do(t.turn, "enter_result", throws=1, value=104, kind="sum")
        t.do(t.turn, "enter_result", throws=1, value=104, kind="sum")
        if t.view["phase"] == "playing_off":
            break
    assert t.view["phase"] == "over" or t.view["starter"] == max((0, 1), key=lambda s: t.mats[s])


def test_forfeits_triples_and_one_six_five_name_the_loser():
    t = at("forfeits")
    assert {"triple", "one_six_five"} <= {kind for _, _, kind in offered(t, 0)}
    assert (1, 165, "sum") not in offered(t, 0)
    enter(t, 0, 1, 165, "one_six_five")
    assert t.view["naming"] == 0 and t.names(1) == ["call_breach"]
    t.do(0, "name_loser", seat=2)
    assert t.forfeits == [0, 0, 1]


def test_an_evening_of_forfeits_ends_at_its_total():
    t = at("forfeits", end_total=2, refill=False, triples_name_loser=False)
    events = enter(t, 0, 1, 300, "chick")
    assert of(events, "game_ended")["reason"] == "forfeits_taken"


def test_the_side_forfeit_is_owed_for_one_throw_alone():
    t = at("classic", chick_pays_schnapps=True)
    found = {kind for count, _, kind in offered(t, 0) if count == 2}
    assert {"chick", "collected"} <= found
    assert "collected" not in {kind for count, _, kind in offered(t, 0) if count == 1}
    assert "side_forfeit_owed" not in types(enter(t, 0, 2, 300, "collected"))
    assert "side_forfeit_owed" in types(enter(t, t.turn, 2, 300, "chick"))


def test_the_house_throws_for_bots_for_the_clock_and_where_real_dice_are_not_at_hand():
    t = at()
    name, args = bots.choose(t.view, list(rules.choices(t.state, 0)), "strong", 1)
    assert (name, args) == ("throw", {"lay": [], "turn": False})
    events = t.do(0, "throw", (2, 3, 4), lay=[], turn=False)
    assert "typed" not in of(events, "dice_thrown") and t.names(0) == ["throw", "stand"]
    t.stand(0)
    events = t.house("timeout", (5, 5, 2), seat=1)
    assert "dice_thrown" in types(events) and t.turn == 2


def test_a_table_of_before_types_every_throw():
    t = at()
    old = {name: value for name, value in t.options.items() if name != "entry"}
    state = rules.initial(old, 2)
    for event in t.log[0].events[:-2]:
        state = rules.fold(state, event, 1)
    state = rules.fold(state, t.log[0].events[-1], 1)
    assert [c.name for c in rules.choices(state, 0)] == ["type_dice"]


def test_luck_of_entered_results_is_counted_apart():
    t = at(seats=2)
    enter(t, 0, 1, 0, "fish")
    enter(t, 1, 1, 220)
    found = figures(t.options, 2, t.log)
    assert found[1]["luck"] == 0 and found[1]["luck_typed"] > 0


def test_throws_chicks_and_fish_are_counted_from_what_is_entered():
    t = at(seats=3)
    enter(t, 0, 3, 0, "fish")
    assert (t.state.players[0].throws, t.state.players[0].fish) == (3, 1)
