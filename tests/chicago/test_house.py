"""Somebody leaves or falls asleep: docs/rules-chicago.md §5."""

from chicago.rules import rules
from tests.chicago.table import HIGH, LOW, Table, of, types


def test_on_time_out_the_table_throws_once_and_stands():
    t = Table("classic", 2)
    events = t.house("timeout", (2, 3, 5), seat=0)
    assert types(events)[:3] == ["timed_out", "dice_thrown", "stood"]
    assert of(events, "stood")["valuation"] == HIGH and t.turn == 1


def test_after_a_throw_the_time_out_only_stands():
    t = Table("bavarian", 2)
    t.throw(0, 1, 2, 3)
    assert of(t.house("timeout", seat=0), "stood")["value"] == 105


def test_where_exactly_k_are_asked_for_the_time_out_throws_on_and_lays_out_nothing_new():
    t = Table("bavarian", 3)
    for _ in range(3):
        t.throw(0, 2, 3, 5)
    t.throw(1, 1, 1, 5)
    t.throw(1, 6, 5, lay=[1])
    events = t.house("timeout", (4, 4), seat=1)
    assert of(events, "dice_thrown")["laid"] == [1]
    events = t.house("timeout", (1, 4, 5, 2, 2, 2, 6, 6, 3), seat=2)
    assert [e.data["laid"] for e in events if e.type == "dice_thrown"] == [[], [], []]


def test_a_time_out_leaves_laid_out_dice_where_they_are_even_if_they_may_go_back():
    t = Table("bavarian", 2, free_return="third")
    for _ in range(3):
        t.throw(0, 2, 3, 5)
    t.throw(1, 1, 1, 5)
    t.throw(1, 1, 5, lay=[1])
    assert of(t.house("timeout", (4, 4), seat=1), "dice_thrown")["laid"] == [1]


def test_a_time_out_turns_three_sixes_where_it_must():
    t = Table("bavarian", 2)
    t.throw(0, 6, 6, 6)
    events = t.house("timeout", (4,), seat=0)
    assert of(events, "stood")["value"] == 204


def test_a_time_outs_throw_may_be_a_chick():
    t = Table("bavarian", 3)
    assert "chick_thrown" in types(t.house("timeout", (1, 1, 1), seat=0))


def test_a_time_outs_throw_may_win_the_naming_which_is_a_decision_of_its_own():
    t = Table("forfeits", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.house("timeout", (4, 4, 4), seat=1)
    assert t.names(1)[0] == "name_loser"
    assert of(t.house("timeout", seat=1), "loser_named")["loser"] == 1


def test_a_time_out_names_the_low_as_loser():
    t = Table("forfeits", 4)
    t.throw(0, 2, 2, 3)
    t.stand(0)
    t.throw(1, 1, 2, 2)
    t.throw(2, 4, 4, 4)
    assert of(t.house("timeout", seat=2), "loser_named")["loser"] == 0


def test_a_time_out_refills_and_votes_not_guilty():
    t = Table("forfeits", 3)
    t.settle(high=0, low=2)
    assert types(t.house("timeout", seat=2)) == ["timed_out", "refilled"]
    t.do(0, "call_breach", seat=2, breach="foreign_object")
    assert of(t.house("timeout", seat=1), "breach_settled")["guilty"] is False


def test_every_awaited_decision_has_the_seconds_of_the_house_rules():
    assert Table("classic", 2, turn_seconds=45).choice(0, "throw").seconds == 45
    assert Table("classic", 2, turn_seconds=0).choice(0, "throw").seconds is None


def test_only_those_the_game_waits_for_can_be_timed_out():
    t = Table("classic", 3)
    assert t.choice(None, "timeout").options == ({"seat": 0},)
    assert t.refuses(None, "timeout", seat=1) == "bad_args"


def test_in_phase_1_the_mats_of_a_leaver_go_to_the_stock():
    t = Table("bavarian", 3)
    t.settle(high=0, low=1)
    events = t.house("leave", seat=1)
    assert of(events, "mats_removed") == {"seat": 1, "count": 1, "to_stock": True}
    assert t.state.stock == 4 and t.mats == [0, 0, 0] and t.status[1] == "left"


def test_in_phase_2_the_mats_of_a_leaver_leave_play():
    t = Table("tschigg", 3)
    for low in (0, 0, 0, 1, 2):
        t.settle(high=(low + 1) % 3, low=low)
    t.house("leave", seat=1)
    assert t.mats == [3, 0, 1] and t.state.mats_out == 1 and t.view["target"] == 3


def test_a_leaver_is_recorded_as_having_left():
    t = Table("bavarian", 3)
    t.house("leave", seat=1)
    ended = of(t.throw(0, 1, 1, 1), "game_ended")
    assert ended["stats"][1]["left"] == 1 and ended["losers"] == [2]


def test_with_mats_whoever_left_is_below_everybody_who_stays():
    for preset in ("bavarian", "tschigg"):
        t = Table(preset, 3)
        t.house("leave", seat=1)
        ended = of(t.throw(0, 1, 1, 1), "game_ended")
        assert ended["losers"] == [2] and ended["ranking"] == [[0], [2], [1]]


def test_a_leaver_is_neither_high_nor_low():
    t = Table("classic", 4)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 2, 2, 3)
    t.house("leave", seat=1)
    assert t.view["low"] is None and t.turn == 2
    t.throw(2, 1, 2, 3)
    assert of(t.throw(3, 1, 2, 4), "round_ended")["low"] == 0


def test_the_turn_of_a_leaver_passes_on():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.house("leave", seat=1)
    assert t.turn == 2 and t.view["throws_allowed"] == 1


def test_a_starter_who_leaves_before_standing_lets_the_next_seat_start_afresh():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    again = of(t.house("leave", seat=0), "round_started")
    assert again["restart"] and again["order"] == [1, 2]


def test_a_starter_who_leaves_takes_the_throws_and_the_declaration_along_where_nothing_else_stands():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0, ones=1, sixes=6, high=False)
    t.house("leave", seat=0)
    assert t.turn == 1 and t.view["starter"] == 1
    assert t.view["throws_allowed"] is None and t.view["valuation"] is None and t.view["announcement"] is None
    t.throw(1, 2, 2, 3)
    said = of(t.stand(1, **LOW), "announced")
    assert said["kind"] == "high" and said["low_counts"] and said["valuation"] == LOW
    assert of(t.throw(2, 1, 2, 2), "round_ended")["low"] == 1


def test_the_last_to_play_leaving_ends_the_round():
    t = Table("classic", 3)
    t.round((1, 2, 2), (1, 2, 3))
    assert of(t.house("leave", seat=2), "round_ended")["low"] == 0


def test_somebody_with_the_naming_leaves_and_the_round_goes_on():
    t = Table("forfeits", 4)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 4, 4, 4)
    t.house("leave", seat=1)
    assert t.view["naming"] is None and t.turn == 2


def test_the_loser_named_is_somebody_still_there():
    t = Table("forfeits", 4)
    t.throw(0, 4, 4, 4)
    t.house("leave", seat=1)
    assert t.choice(0, "name_loser").options == ({"seat": 0}, {"seat": 2}, {"seat": 3})


def test_who_must_refill_and_leaves_refills_no_more():
    t = Table("forfeits", 4)
    t.settle(high=0, low=2)
    t.house("leave", seat=2)
    assert t.view["refill"] is None and t.choice(3, "throw").required


def test_where_too_few_stay_the_game_ends_and_in_a_mats_game_the_leaver_has_lost():
    t = Table("bavarian", 2)
    ended = of(t.house("leave", seat=0), "game_ended")
    assert ended["reason"] == "abandoned" and ended["points"] == [1, 0]
    assert ended["losers"] == [0] and ended["ranking"] == [[1], [0]]


def test_where_too_few_stay_in_an_open_ended_game_the_tally_stands():
    t = Table("classic", 2)
    t.settle(high=0, low=1)
    ended = of(t.house("leave", seat=0), "game_ended")
    assert ended["reason"] == "abandoned" and ended["points"] == [0, 1] and not ended["losers"]


def test_nobody_pays_the_round_because_others_went_home():
    t = Table("classic", 3)
    t.throw(0, 1, 1, 1)
    events = t.house("leave", seat=2)
    assert of(events, "round_ended")["reason"] == "abandoned"
    assert "round_lost" not in types(events) and "game_ended" not in types(events)
    assert t.view["round"] == 2 and t.turn == 1


def test_a_leaver_on_turn_leaves_no_round_to_the_one_who_has_played():
    t = Table("classic", 3)
    t.throw(0, 1, 1, 2)
    t.stand(0)
    t.throw(1, 1, 1, 1)
    assert "round_lost" not in types(t.house("leave", seat=2))
    assert t.view["round"] == 2 and t.turn == 0


def test_a_round_broken_off_is_one_of_the_rounds_of_a_game():
    t = Table("classic", 3, rounds=1)
    t.throw(0, 1, 1, 1)
    ended = of(t.house("leave", seat=2), "game_ended")
    assert ended["reason"] == "rounds_played" and ended["points"] == [0, 0, 0]


def test_somebody_who_has_left_has_no_choices():
    t = Table("classic", 3)
    t.house("leave", seat=1)
    assert t.names(1) == [] and t.refuses(None, "leave", seat=1) == "bad_args"
    assert rules.is_over(t.state) is False


def test_a_time_out_of_a_starter_declares_100_60_high():
    t = Table("classic", 2)
    events = t.house("timeout", (1, 6, 3), seat=0)
    assert of(events, "stood")["value"] == 163
    assert t.view["valuation"] == {"ones": 100, "sixes": 60, "high": True}
