"""Breaches at the table: docs/rules-chicago.md §4.4.7."""

import pytest

from tests.chicago.table import Table, of, types


def called(seats: int = 5) -> Table:
    """Return a table where seat 1 has called a breach against seat 2."""
    t = Table("forfeits", seats)
    t.throw(0, 1, 2, 2)
    t.do(1, "call_breach", seat=2, breach="spilling")
    return t


@pytest.mark.parametrize("kind", ["spilling", "not_in_one_go", "foreign_object"])
def test_breaches_are_called_by_any_player(kind):
    t = Table("forfeits", 3)
    for seat in range(3):
        assert {"seat": (seat + 1) % 3, "breach": kind} in t.choice(seat, "call_breach").options
    assert not t.choice(0, "call_breach").required


def test_nobody_accuses_themselves():
    options = Table("forfeits", 4).choice(1, "call_breach").options
    assert {o["seat"] for o in options} == {0, 2, 3}


def test_the_others_vote_and_neither_the_caller_nor_the_accused():
    t = called()
    assert t.view["breach"]["voters"] == [0, 3, 4]
    assert [t.names(seat) for seat in range(5)] == [
        ["vote_breach"],
        [],
        [],
        ["vote_breach"],
        ["vote_breach"],
    ]


def test_play_rests_until_the_vote_is_in_and_then_goes_on():
    t = called()
    assert t.refuses(0, "throw", lay=[], turn=False) == "vote_first"
    for seat in (0, 3, 4):
        t.do(seat, "vote_breach", guilty=False)
    assert "throw" in t.names(0) and "stand" in t.names(0)
    assert t.choice(0, "stand").opened_at == len(t.log)


def test_votes_are_simultaneous_and_each_has_its_own_basis():
    t = called()
    basis = t.choice(4, "vote_breach").opened_at
    t.do(0, "vote_breach", guilty=True)
    assert t.choice(4, "vote_breach").opened_at == basis
    assert t.refuses(0, "vote_breach", guilty=True) == "not_open"


def test_with_a_majority_the_guilty_takes_a_forfeit():
    t = called()
    t.do(0, "vote_breach", guilty=True)
    t.do(3, "vote_breach", guilty=False)
    events = t.do(4, "vote_breach", guilty=True)
    assert of(events, "breach_settled")["guilty"] is True
    assert of(events, "forfeit_taken")["reason"] == "breach"
    assert t.forfeits == [0, 0, 1, 0, 0] and t.view["refill"] == 2


def test_an_even_vote_is_no_majority():
    t = called(4)
    t.do(0, "vote_breach", guilty=True)
    events = t.do(3, "vote_breach", guilty=False)
    assert of(events, "breach_settled")["guilty"] is False
    assert t.forfeits == [0, 0, 0, 0]


def test_who_called_in_vain_calls_no_more_in_that_round():
    t = called(3)
    t.do(0, "vote_breach", guilty=False)
    assert "call_breach" not in t.names(1) and "call_breach" in t.names(2)
    t.stand(0)
    t.throw(1, 1, 2, 3)
    t.throw(2, 1, 2, 4)
    assert "call_breach" in t.names(1)


def test_without_a_third_player_there_is_nobody_to_judge():
    assert "call_breach" not in Table("forfeits", 2).names(0)


def test_the_house_may_play_without_breaches():
    assert "call_breach" not in Table("forfeits", 3, breaches=False).names(0)
    assert "call_breach" not in Table("classic", 3).names(0)


def test_a_charge_against_somebody_who_left_is_dropped():
    t = called()
    events = t.house("leave", seat=2)
    assert of(events, "breach_settled")["silenced"] is None
    assert "call_breach" in t.names(1) and t.view["breach"] is None


def test_the_vote_of_somebody_who_left_is_not_awaited():
    t = called()
    t.do(0, "vote_breach", guilty=True)
    t.do(3, "vote_breach", guilty=True)
    events = t.house("leave", seat=4)
    assert of(events, "breach_settled")["guilty"] is True
    assert t.forfeits == [0, 0, 1, 0, 3]


def test_a_caller_who_left_leaves_the_vote_open():
    t = called()
    assert "breach_settled" not in types(t.house("leave", seat=1))
    assert t.names(0) == ["vote_breach"]


def test_a_charge_without_anybody_left_to_judge_fails():
    t = called(3)
    assert of(t.house("leave", seat=0), "breach_settled")["guilty"] is False


def convicted(accused: int, kind: str) -> tuple[Table, list]:
    """Return a table of four where seat 1 called a breach while 0 is on turn, and all voted guilty."""
    t = Table("forfeits", 4)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    t.throw(1, 2, 2, 3)
    t.do(3, "call_breach", seat=accused, breach=kind)
    events = []
    for seat in t.view["breach"]["voters"]:
        events += t.do(seat, "vote_breach", guilty=True)
    return t, events


@pytest.mark.parametrize(("accused", "kind"), [(0, "foreign_object"), (2, "spilling"), (2, "foreign_object")])
def test_something_foreign_or_a_breach_in_ones_own_turn_loses_the_round_which_ends_there(accused, kind):
    t, events = convicted(accused, kind)
    assert [e.data["reason"] for e in events if e.type == "forfeit_taken"] == ["breach"]
    ended = of(events, "round_ended")
    assert (ended["reason"], ended["low"], ended["high"]) == ("breach", accused, None)
    assert t.view["round"] == 2 and t.turn == accused and t.view["refill"] == accused
    assert t.forfeits == [int(seat == accused) for seat in range(4)]


@pytest.mark.parametrize("kind", ["spilling", "not_in_one_go"])
def test_any_other_breach_costs_a_forfeit_and_the_round_goes_on(kind):
    t, events = convicted(0, kind)
    assert "round_ended" not in types(events)
    assert t.forfeits == [1, 0, 0, 0] and t.view["round"] == 1 and t.turn == 2


def test_a_round_lost_by_a_breach_leaves_no_naming_behind():
    t = Table("forfeits", 3)
    t.throw(0, 4, 4, 4)
    t.do(1, "call_breach", seat=0, breach="spilling")
    t.do(2, "vote_breach", guilty=True)
    assert t.view["naming"] is None and t.view["round"] == 2 and t.turn == 0


def test_a_vote_that_a_leaver_settles_may_end_the_round():
    t = called()
    t.do(0, "vote_breach", guilty=True)
    t.do(3, "vote_breach", guilty=True)
    assert "round_ended" not in types(t.house("leave", seat=4))
    t = Table("forfeits", 5)
    t.do(1, "call_breach", seat=2, breach="foreign_object")
    t.do(3, "vote_breach", guilty=True)
    t.do(4, "vote_breach", guilty=True)
    events = t.house("leave", seat=0)
    assert of(events, "round_ended")["reason"] == "breach" and t.turn == 2
