"""Bavarian: docs/rules-chicago.md §4.2."""

import pytest

from tests.chicago.table import Table, of, types


def playing_off(*, mats: list[int], **changes) -> Table:
    """Return a table at the start of phase 2 with these mats in front of the seats."""
    t = Table("bavarian", len(mats), mats="fixed", mats_fixed=sum(mats), **changes)
    lows = [seat for seat, count in enumerate(mats) for _ in range(count)]
    for low in lows[:-1]:
        t.settle(high=(low + 1) % len(mats), low=low)
    low = lows[-1]
    order = [t.turn, *t.state.round.waiting]
    *others, last = [(2, 2, 3) if s == low else (1, 2, 4) for s in order]
    t.round(*others)
    most = [s for s in range(len(mats)) if mats[s] == max(mats)]
    draw = [6 if i == 0 else 1 for i in range(len(most))] if len(most) > 1 else []
    t.throw(t.turn, *last, *draw)
    assert t.mats == mats and t.state.phase == "playing_off"
    return t


@pytest.mark.parametrize(("mats", "stock"), [("n_plus_1", 5), ("two_n_minus_1", 7), ("two_n_plus_1", 9), ("fixed", 6)])
def test_the_stock_is_as_the_house_rules_say(mats, stock):
    t = Table("bavarian", 4, mats=mats, mats_fixed=6)
    assert t.state.stock == stock and t.state.phase == "dealing"


def test_dealing_the_low_takes_one_mat_from_the_stock_and_starts_the_next_round():
    t = Table("bavarian", 3)
    assert of(t.settle(high=0, low=2), "mat_taken") == {"seat": 2, "stock": 3}
    assert t.mats == [0, 0, 1] and t.turn == 2


def test_when_the_stock_is_empty_players_without_a_mat_are_safe_and_out():
    t = playing_off(mats=[2, 3, 0])
    assert t.status == ["in", "in", "safe"]
    assert t.view["stock"] == 0


def test_the_first_round_of_phase_2_is_started_by_the_player_with_most_mats():
    assert playing_off(mats=[1, 3, 2]).turn == 1


def test_of_equally_many_mats_one_die_each_decides_who_starts():
    t = Table("bavarian", 3, mats="fixed", mats_fixed=2)
    t.settle(high=0, low=2)
    t.throw(2, 1, 2, 4)
    t.stand(2)
    t.throw(0, 1, 2, 4)
    events = t.throw(1, 2, 2, 3, 4, 4, 2, 5)
    drawn = of(events, "starter_drawn")
    assert (drawn["seat"], drawn["reason"], len(drawn["rolls"])) == (2, "most_mats", 2)
    assert t.turn == 2


def test_playing_off_the_high_puts_one_mat_out_of_play():
    t = playing_off(mats=[1, 3, 2])
    assert of(t.settle(high=1, low=2), "mat_discarded") == {"seat": 1}
    assert t.mats == [1, 2, 2] and t.view["mats_out"] == 1


def test_later_rounds_are_started_by_the_low_of_the_last_one():
    t = playing_off(mats=[1, 3, 2])
    t.settle(high=1, low=2)
    assert t.turn == 2


def test_a_player_whose_last_mat_goes_is_safe_and_out():
    t = playing_off(mats=[1, 3, 2])
    t.settle(high=0, low=2)
    assert t.status == ["safe", "in", "in"]
    assert t.names(0) == []


def test_the_last_player_holding_mats_loses_and_pays_the_round():
    t = playing_off(mats=[1, 3, 1])
    t.settle(high=0, low=2)
    events = t.settle(high=2, low=1)
    assert of(events, "round_lost")["seat"] == 1
    ended = of(events, "game_ended")
    assert ended["reason"] == "played_off" and ended["points"] == [0, 1, 0]
    assert ended["ranking"] == [[0, 2], [1]] and t.losers == [1]
    assert ended["stats"][1]["mats"] == 3


def test_a_chick_is_out_and_safe_at_once_and_its_mats_leave_play():
    t = Table("bavarian", 3)
    t.settle(high=0, low=1)
    events = t.throw(1, 1, 1, 1)
    assert types(events)[1:4] == ["chick_thrown", "mats_removed", "player_safe"]
    assert t.status == ["in", "safe", "in"] and t.mats == [0, 0, 0]
    assert t.state.stock == 3 and t.state.mats_out == 1


def test_three_ones_over_several_throws_are_300_and_no_chick():
    t = Table("bavarian", 2)
    t.throw(0, 1, 4, 5)
    t.throw(0, 1, 1, lay=[1])
    assert of(t.stand(0), "stood")["value"] == 300
    assert t.status == ["in", "in"]


def test_a_starters_chick_lets_the_next_active_seat_start_the_round_afresh():
    t = Table("bavarian", 3)
    again = of(t.throw(0, 1, 1, 1), "round_started")
    assert again["restart"] and again["order"] == [1, 2] and again["round"] == 1


def test_a_followers_chick_lets_the_round_go_on_as_it_stood():
    t = Table("bavarian", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 1, 1, 1)
    assert t.turn == 2 and t.view["throws_allowed"] == 1
    ended = of(t.throw(2, 1, 2, 3), "round_ended")
    assert (ended["low"], ended["high"]) == (0, 2)
    assert t.mats == [1, 0, 0]


def test_in_phase_2_a_chick_uses_up_that_rounds_reward():
    t = playing_off(mats=[2, 3, 2, 2])
    t.throw(1, 1, 2, 2)
    t.stand(1)
    t.throw(2, 1, 1, 1)
    t.throw(3, 1, 2, 3)
    events = t.throw(0, 1, 1, 2)
    assert "mat_discarded" not in types(events)
    assert t.mats == [2, 3, 0, 2] and t.turn == 1
    assert "mat_discarded" in types(t.settle(high=0, low=1))


def test_a_round_started_afresh_in_phase_2_stays_without_its_reward():
    t = playing_off(mats=[2, 3, 2, 2])
    t.throw(1, 1, 1, 1)
    events = t.settle(high=0, low=2)
    assert "mat_discarded" not in types(events)
    assert t.mats == [2, 0, 2, 2] and t.turn == 2


def test_one_player_left_ends_the_game_and_that_player_has_lost():
    t = Table("bavarian", 2)
    ended = of(t.throw(0, 1, 1, 1), "game_ended")
    assert ended["losers"] == [1] and ended["points"] == [0, 1]


def test_all_mats_with_one_player_when_phase_2_begins_that_player_has_lost():
    t = Table("bavarian", 3)
    for _ in range(3):
        t.settle(high=0, low=2)
    events = t.settle(high=1, low=2)
    assert of(events, "game_ended")["losers"] == [2]
    assert t.status == ["safe", "safe", "in"]


@pytest.mark.parametrize("owes", [True, False])
def test_a_chick_owes_the_side_forfeit_if_the_house_says_so(owes):
    t = Table("bavarian", 3, chick_pays_schnapps=owes)
    assert ("side_forfeit_owed" in types(t.throw(0, 1, 1, 1))) == owes
    assert t.view["seats"][0]["side_forfeits"] == int(owes)


def test_two_losers_above_five_players_end_the_game_with_two_left():
    t = playing_off(mats=[1, 1, 1, 2, 2, 0], losers=2)
    assert t.turn == 3
    t.settle(high=0, low=1)
    t.settle(high=1, low=2)
    ended = of(t.settle(high=2, low=3), "game_ended")
    assert ended["losers"] == [3, 4]
    assert ended["points"] == [0, 0, 0, 1, 1, 0]


def test_up_to_five_players_there_is_one_loser():
    t = playing_off(mats=[1, 1, 1, 1, 2], losers=2)
    for high, low in ((0, 1), (1, 2), (2, 3)):
        t.settle(high=high, low=low)
    assert t.losers == [] and t.status.count("in") == 2


def test_a_roll_off_over_the_low_leaves_the_first_of_the_others_high():
    t = playing_off(mats=[2, 3], ties="roll_off")
    t.throw(1, 1, 2, 2)
    t.stand(1)
    events = t.throw(0, 1, 2, 2, 2, 5)
    assert of(events, "rolled_off")["seat"] == 1
    assert of(events, "mat_discarded")["seat"] == 0
