"""Forfeits: docs/rules-chicago.md §4.4, sentences 2–6 and 8 (breaches: test_breaches)."""

import pytest

from tests.chicago.table import Table, of, types


def forfeits(seats: int = 3, **changes) -> Table:
    return Table("forfeits", seats, **changes)


def test_the_low_of_a_full_round_takes_a_forfeit_and_starts_the_next():
    t = forfeits()
    taken = of(t.settle(high=0, low=2), "forfeit_taken")
    assert (taken["seat"], taken["reason"]) == (2, "low")
    assert t.forfeits == [0, 0, 1] and t.turn == 2
    assert t.state.players[2].rounds_paid == 0


@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_a_triple_in_one_throw_lets_its_thrower_name_the_loser_and_the_round_ends(face):
    t = forfeits()
    t.throw(0, 1, 2, 2)
    t.stand(0)
    won = of(t.throw(1, face, face, face), "naming_won")
    assert (won["seat"], won["kind"]) == (1, "triple")
    assert t.names(1)[0] == "name_loser" and t.view["naming"] == 1
    events = t.do(1, "name_loser", seat=0)
    assert of(events, "round_ended")["reason"] == "named"
    assert t.forfeits == [1, 0, 0] and t.turn == 0 and t.view["round"] == 2


def test_the_thrower_may_name_themselves():
    t = forfeits()
    t.throw(0, 4, 4, 4)
    t.do(0, "name_loser", seat=0)
    assert t.forfeits == [1, 0, 0]


def test_triples_are_not_collected_over_throws():
    t = forfeits()
    t.throw(0, 4, 4, 5)
    assert "naming_won" not in types(t.throw(0, 4, lay=[4, 4]))


def test_1_6_5_lets_its_thrower_name_the_loser_even_collected():
    t = forfeits()
    t.throw(0, 1, 6, 2)
    assert of(t.throw(0, 5, lay=[1, 6]), "naming_won")["kind"] == "one_six_five"


def test_the_house_may_play_without_triples_and_without_1_6_5():
    t = forfeits(triples_name_loser=False, one_six_five_names_loser=False)
    assert "naming_won" not in types(t.throw(0, 4, 4, 4))
    t.stand(0)
    assert "naming_won" not in types(t.throw(1, 1, 6, 5))


def test_nobody_names_a_loser_in_a_game_without_forfeits():
    t = Table("classic", 3)
    assert types(t.throw(0, 4, 4, 4)) == ["dice_thrown"]


def test_1_1_1_even_collected_gives_everyone_else_a_forfeit_and_its_thrower_starts_the_next():
    t = forfeits(4)
    t.throw(0, 1, 2, 2)
    t.throw(0, 1, 2, lay=[1])
    t.stand(0)
    t.throw(1, 1, 3, 3)
    events = t.throw(1, 1, 1, lay=[1])
    takers = [e.data["seat"] for e in events if e.type == "forfeit_taken"]
    assert takers == [2, 3, 0]
    assert of(events, "round_ended")["reason"] == "chick"
    assert t.forfeits == [1, 0, 1, 1] and t.turn == 1
    assert t.view["refill"] == 0


def test_whoever_took_the_last_forfeit_must_refill_before_anyone_throws():
    t = forfeits()
    t.settle(high=0, low=2)
    assert t.view["refill"] == 2 and t.view["seats"][2]["must_refill"]
    assert t.choice(2, "refill").required and not t.choice(2, "throw").required
    t.do(2, "refill")
    assert t.choice(2, "refill") is None and t.choice(2, "throw").required


def test_the_game_waits_for_the_refill_and_not_for_the_thrower():
    t = forfeits(4)
    t.throw(0, 1, 1, 1)
    assert t.view["refill"] == 3 and t.turn == 0
    assert t.choice(3, "refill").seconds == 60 and t.choice(0, "throw").seconds is None


def test_who_throws_before_the_refill_takes_a_forfeit_and_refills():
    t = forfeits(4)
    t.throw(0, 1, 1, 1)
    events = t.throw(0, 2, 3, 5)
    assert of(events, "forfeit_taken")["reason"] == "not_refilled"
    assert types(events)[0] == "forfeit_taken" and "dice_thrown" in types(events)
    assert t.forfeits == [1, 1, 1, 1] and t.view["refill"] == 0
    assert t.refuses(3, "refill") == "not_open"
    t.do(0, "refill")
    t.throw(0, 2, 3, 5)
    assert t.forfeits == [1, 1, 1, 1]


def test_a_throw_sent_before_a_refill_fell_due_is_stale():
    t = forfeits(4)
    t.settle(high=0, low=1)
    t.do(1, "refill")
    basis = t.choice(1, "throw").opened_at
    t.do(2, "call_breach", seat=3, breach="spilling")
    t.do(0, "vote_breach", guilty=True)
    t.do(1, "vote_breach", guilty=True)
    assert t.refuses(1, "throw", basis, lay=[], turn=False) == "stale"


def test_the_clock_waits_for_the_refill_and_then_anew_for_the_throw():
    t = forfeits(4)
    t.throw(0, 1, 1, 1)
    assert t.choice(None, "timeout").options == ({"seat": 3},)
    t.do(3, "refill")
    assert t.choice(None, "timeout").options == ({"seat": 0},)
    assert t.choice(0, "throw").opened_at == len(t.log)


def test_a_throw_sent_before_somebody_took_a_leavers_forfeits_is_stale():
    t = forfeits(4)
    t.house("leave", seat=3)
    basis = t.choice(0, "throw").opened_at
    t.do(1, "take_for", seat=3)
    assert t.refuses(0, "throw", basis, lay=[], turn=False) == "stale"


def test_the_house_may_play_without_refilling():
    t = forfeits(refill=False)
    t.settle(high=0, low=2)
    assert t.view["refill"] is None and t.choice(2, "throw").required


def test_leaving_costs_three_forfeits_at_once():
    t = forfeits(4)
    t.house("leave", seat=3)
    assert t.forfeits == [0, 0, 0, 3] and t.status[3] == "left"
    assert t.view["refill"] is None


def test_another_player_may_take_them_for_the_leaver():
    t = forfeits(4)
    t.house("leave", seat=3)
    assert t.view["offers"] == [{"seat": 3, "count": 3}]
    t.do(1, "take_for", seat=3)
    assert t.forfeits == [0, 3, 0, 0] and t.view["refill"] == 1
    assert "take_for" not in t.names(0) + t.names(1) + t.names(2)


def test_the_leavers_forfeits_can_be_taken_until_the_next_round_has_ended():
    t = forfeits(4, refill=False)
    t.house("leave", seat=3)
    t.settle(high=0, low=1)
    assert "take_for" in t.names(2)
    t.settle(high=0, low=1)
    assert "take_for" not in t.names(2)


def test_leaving_may_be_free():
    t = forfeits(4, leaving_forfeits=0)
    t.house("leave", seat=3)
    assert t.forfeits == [0, 0, 0, 0] and "take_for" not in t.names(0)


def test_the_starters_throws_and_result_are_announced_once():
    t = forfeits()
    t.throw(0, 1, 2, 2)
    said = of(t.stand(0), "announced")
    assert (said["kind"], said["throws"], said["value"]) == ("high", 1, 104)
    assert said["valuation"] is not None
    assert of(t.throw(1, 1, 2, 3), "announced")["valuation"] is None


def test_the_score_is_the_forfeits_taken():
    t = forfeits(rounds=1)
    ended = of(t.settle(high=0, low=2), "game_ended")
    assert ended["points"] == [0, 0, 1] and ended["ranking"] == [[0, 1], [2]]


@pytest.mark.parametrize("seats", [2, 3, 8, 12])
def test_the_engine_serves_any_number_of_seats(seats):
    t = forfeits(seats, rounds=1)
    assert of(t.settle(high=0, low=1), "game_ended")["points"][1] == 1
