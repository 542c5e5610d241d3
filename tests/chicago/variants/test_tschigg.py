"""Tschigg: docs/rules-chicago.md §4.3 (examples 5 and 6 are in test_examples)."""

from tests.chicago.table import Table, of, types


def dealt(*lows: int, seats: int, **changes) -> Table:
    """Return a Tschigg table after a round for each low; the last seat is always high."""
    t = Table("tschigg", seats, **changes)
    for low in lows:
        t.settle(high=seats - 1, low=low)
    return t


def test_the_stock_is_2n_minus_1():
    assert Table("tschigg", 6).state.stock == 11


def test_the_starter_declares_and_the_low_takes_a_mat():
    t = Table("tschigg", 2)
    t.throw(0, 6, 6, 2)
    assert of(t.stand(0, ones=1, sixes=6, high=False), "announced")["value"] == 14
    assert of(t.throw(1, 1, 2, 2), "mat_taken")["seat"] == 0


def test_phase_2_the_best_gives_one_of_their_mats_to_the_worst():
    t = dealt(0, 0, 0, 1, 2, seats=3)
    assert t.view["target"] == 5 and t.mats == [3, 1, 1]
    events = t.settle(high=0, low=1)
    assert of(events, "mat_given") == {"seat": 0, "to": 1}
    assert t.mats == [2, 2, 1] and t.state.players[1].mats_taken == 2


def test_players_with_no_mat_when_phase_2_begins_have_won_and_leave():
    t = dealt(0, 0, 1, 1, 1, seats=3)
    assert t.status == ["in", "in", "safe"]


def test_players_who_give_their_last_mat_have_won_and_leave():
    t = dealt(0, 0, 0, 1, 2, seats=3)
    t.settle(high=1, low=0)
    assert t.mats == [4, 0, 1] and t.status == ["in", "safe", "in"]


def test_while_more_than_the_target_are_in_play_the_bests_mat_leaves_play():
    t = dealt(0, 0, 1, 1, 1, seats=3)
    assert t.view["target"] == 3
    assert "mat_discarded" in types(t.settle(high=0, low=1))
    assert t.mats == [1, 3, 0]


def test_the_target_is_a_cap_and_never_a_refill():
    t = Table("tschigg", 3, mats="n_plus_1")
    for low in (0, 0, 1, 2):
        events = t.settle(high=(low + 1) % 3, low=low)
    assert t.mats == [2, 1, 1] and t.view["target"] == 5
    assert t.state.stock == 0 and "mat_taken" in types(events)
    assert of(t.settle(high=1, low=0), "mat_given")["to"] == 0
    assert sum(t.mats) == 4


def test_two_n_plus_1_mats_are_worked_down_to_the_target():
    t = Table("tschigg", 2, mats="two_n_plus_1")
    for low in (0, 1, 0, 1, 0):
        t.settle(high=1 - low, low=low)
    assert t.mats == [3, 2] and t.view["target"] == 3
    for left in (4, 3):
        t.settle(high=0, low=1)
        assert sum(t.mats) == left
    assert t.losers == [] and "mat_given" in types(t.settle(high=0, low=1))
    assert t.losers == [1]


def test_in_phase_2_a_chick_leaves_with_its_mats_and_nothing_is_given_that_round():
    t = dealt(0, 0, 0, 1, 2, seats=3)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 1, 1, 1)
    events = t.throw(2, 1, 2, 3)
    assert not {"mat_given", "mat_discarded"} & set(types(events))
    assert t.mats == [3, 0, 1] and t.turn == 0


def test_a_chick_that_empties_the_stock_begins_phase_2_at_once():
    t = dealt(0, 1, 0, 1, seats=3)
    assert t.mats == [2, 2, 0] and t.state.stock == 1
    t.throw(1, 1, 2, 2)
    t.stand(1)
    events = t.throw(2, 1, 1, 1, 6, 3)
    assert of(events, "stock_cut") == {"stock": 0, "removed": 1}
    assert of(events, "phase_started")["phase"] == "playing_off"
    assert of(events, "starter_drawn")["seat"] == 0 and t.turn == 0


def test_one_player_left_has_lost():
    t = dealt(0, 0, 1, 1, 1, seats=3)
    t.throw(1, 1, 2, 2)
    t.stand(1)
    assert of(t.throw(0, 1, 1, 1), "game_ended")["losers"] == [1]
