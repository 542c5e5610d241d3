"""Coming, going and what stands afterwards: docs/rules-chicago.md §3 (end), §4.4.6 and §5."""

import pytest

from chicago.rules import rules
from tests.chicago.table import HIGH, LOW, Table, of, types


def joinable(t):
    return [o["seat"] for o in t.choice(None, "join").options] if t.choice(None, "join") else []


# "An open-ended game takes them in between two rounds, at the end of the order."


@pytest.mark.parametrize("preset", ["classic", "forfeits"])
def test_an_open_ended_game_takes_newcomers_in_between_two_rounds_at_the_end_of_the_order(preset):
    t = Table(preset, 3, refill=False)
    t.throw(0, 1, 2, 2)
    t.stand(0)
    assert joinable(t) == [3]
    joined = of(t.house("join", seat=3), "seat_joined")
    assert joined == {"seat": 3, "at_once": False, "stock": None}
    assert t.status[3] == "coming" and t.names(3) == []
    t.throw(1, 2, 2, 3)
    began = of(t.throw(2, 1, 2, 3), "round_started")
    assert began["order"] == [1, 2, 0, 3]
    assert t.status[3] == "in" and t.view["order"] == [1, 2, 0, 3]
    t.settle(high=3, low=0)
    assert list(t.state.round.waiting) == [3, 1, 2], "the newcomer has their place in the ring"


def test_before_anybody_has_thrown_a_newcomer_plays_in_this_round_as_the_last():
    t = Table("classic", 3, starter=1)
    assert of(t.house("join", seat=3), "seat_joined")["at_once"]
    assert list(t.state.round.waiting) == [2, 0, 3] and t.view["order"] == [1, 2, 0, 3]


def test_a_round_started_afresh_takes_nobody_in():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    t.house("join", seat=3)
    assert of(t.house("leave", seat=0), "round_started")["order"] == [1, 2]
    t.settle(high=1, low=2)
    assert list(t.state.round.waiting) == [1, 3]


def test_a_game_of_so_many_rounds_takes_nobody_in():
    t = Table("classic", 3, rounds=4)
    assert joinable(t) == [] and t.refuses(None, "join", seat=3) == "not_open"


@pytest.mark.parametrize(("preset", "most"), [("classic", 12), ("forfeits", 8), ("bavarian", 12)])
def test_newcomers_find_a_place_while_there_is_one(preset, most):
    t = Table(preset, most - 1)
    assert joinable(t) == [most - 1]
    t.house("join", seat=most - 1)
    assert joinable(t) == []
    t.house("leave", seat=0)
    assert joinable(t) == [0, most]


def test_any_number_of_people_may_have_been_there():
    t = Table("classic", 2)
    for seat in range(2, 40):
        t.house("join", seat=seat)
        t.house("leave", seat=seat)
    assert joinable(t)[-1] == 40 and len(t.view["order"]) == 2


# "A game of mats from the next game on, and in phase 1 before the second mat is dealt at once."


@pytest.mark.parametrize(("preset", "more"), [("bavarian", 1), ("tschigg", 2)])
def test_a_game_of_mats_takes_newcomers_in_at_once_before_the_second_mat_is_dealt(preset, more):
    t = Table(preset, 3)
    t.settle(high=0, low=1)
    stock = t.state.stock
    t.throw(1, 1, 2, 2)
    t.stand(1)
    assert of(t.house("join", seat=3), "seat_joined") == {"seat": 3, "at_once": True, "stock": stock + more}
    assert list(t.state.round.waiting) == [0, 3]
    t.throw(2, 1, 2, 3)
    t.throw(0, 1, 2, 4)
    assert of(t.throw(3, 2, 2, 3), "mat_taken")["seat"] == 3
    assert joinable(t) == [] and t.refuses(None, "join", seat=4) == "not_open"


# "Who left may come back the same way, with a clean slate but the tally that they had."


def test_who_left_may_come_back_with_the_tally_that_they_had():
    t = Table("classic", 3)
    t.settle(high=0, low=1)
    t.house("leave", seat=1)
    t.throw(2, 1, 2, 2)
    t.stand(2)
    assert joinable(t) == [1, 3]
    t.house("join", seat=1)
    assert t.status[1] == "coming" and rules.gone(t.state) == ()
    began = of(t.throw(0, 2, 2, 3), "round_started")
    assert began["order"] == [0, 2, 1] and t.state.players[1].rounds_paid == 1


def test_who_comes_back_to_a_game_of_mats_holds_none_and_the_stock_is_as_it_was():
    t = Table("bavarian", 3)
    t.settle(high=0, low=1)
    t.house("leave", seat=1)
    assert t.state.stock == 4
    t.house("join", seat=1)
    assert t.mats == [0, 0, 0] and t.state.stock == 4 and t.status[1] == "coming"
    began = [e.data for e in t.settle(high=2, low=0) if e.type == "round_started"]
    assert began[0]["order"] == [0, 2, 1] and t.state.players[1].mats_taken == 1


@pytest.mark.parametrize("preset", ["classic", "bavarian"])
def test_nobody_plays_a_round_twice_by_leaving_and_coming_back(preset):
    t = Table(preset, 3)
    t.throw(0, 2, 2, 3)
    t.stand(0)
    t.house("leave", seat=0)
    assert not of(t.house("join", seat=0), "seat_joined")["at_once"]
    assert list(t.state.round.waiting) == [2] and t.status[0] == "coming"


def test_who_comes_when_the_last_mat_is_dealt_is_safe_without_one():
    t = Table("bavarian", 3, mats="fixed", mats_fixed=1)
    t.house("leave", seat=0)
    t.house("join", seat=0)
    ended = of(t.settle(high=1, low=2), "game_ended")
    assert ended["losers"] == [2] and t.status[0] == "safe"


def test_who_comes_back_owes_no_refill():
    t = Table("forfeits", 4)
    t.settle(high=0, low=2)
    t.house("leave", seat=2)
    t.house("join", seat=2)
    assert t.view["refill"] is None and t.forfeits[2] == 4


def test_a_newcomer_who_has_not_played_is_in_no_result():
    t = Table("classic", 2)
    t.throw(0, 1, 2, 2)
    t.house("join", seat=2)
    t.house("leave", seat=2)
    t.house("leave", seat=1)
    found = rules.outcome(t.log[-1].events[-1])
    assert sorted(found.points) == [0, 1] and found.ranking == ((0,), (1,))


def test_while_a_newcomer_waits_the_game_goes_on_without_whoever_leaves():
    t = Table("classic", 2)
    t.throw(0, 1, 2, 2)
    t.house("join", seat=2)
    events = t.house("leave", seat=1)
    assert "game_ended" not in types(events)
    assert of(events, "round_started")["order"] == [0, 2]


# "Whoever leaves takes their result with them: announcement, number to beat and number of throws
# are worked out anew at that moment."


def test_when_the_low_leaves_the_announcement_and_the_number_to_beat_are_those_that_stand():
    t = Table("classic", 4)
    t.round((1, 2, 2), (1, 2, 3), (2, 2, 3))
    assert t.view["beat"]["seat"] == 2
    said = of(t.house("leave", seat=2), "announced")
    assert (said["kind"], said["seat"], said["value"]) == ("low", 0, 104)
    assert t.view["beat"]["seat"] == 0 and t.view["announcement"]["seat"] == 0


def test_when_the_starter_leaves_the_number_of_throws_is_that_of_the_first_who_stands():
    t = Table("classic", 4)
    t.throw(0, 1, 2, 2)
    t.throw(0, 2, 3, lay=[1])
    t.stand(0)
    t.throw(1, 1, 1, 3)
    t.stand(1)
    t.throw(2, 2, 2, 3)
    said = of(t.house("leave", seat=0), "announced")
    assert (said["kind"], said["seat"], said["throws"], said["valuation"]) == ("high", 1, 1, HIGH)
    assert t.view["throws_allowed"] == 1 and t.view["starter"] == 1
    assert t.view["throws_left"] == 0 and t.names(2) == ["stand"], "what was thrown has been thrown"
    t.stand(2)
    assert of(t.throw(3, 1, 2, 3), "round_ended")["low"] == 2


def test_where_nothing_stands_any_more_whoever_is_on_turn_starts():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 2)
    t.stand(0, **LOW)
    basis = t.choice(1, "throw").opened_at
    events = t.house("leave", seat=0)
    assert of(events, "round_restated") == {"starter": 1, "throws_allowed": None, "valuation": None}
    assert t.view["announcement"] is None and t.view["beat"] is None and t.view["throws_left"] == 3
    assert t.refuses(1, "throw", basis, lay=[], turn=False) == "stale"


def test_who_leaves_without_a_result_leaves_the_announcement_as_it_is():
    t = Table("classic", 4)
    t.round((1, 2, 2), (1, 2, 3))
    before = t.view["announcement"]
    assert types(t.house("leave", seat=3)) == ["player_left"]
    assert t.view["announcement"] == before


# §3: "In Bavarian phase 2 the number to beat is the high one, and the table says so."


def playing_off(preset):
    t = Table(preset, 3)
    for low in [0] * (t.state.stock - 2) + [1, 2]:
        t.settle(high=(low + 1) % 3, low=low)
    assert t.view["phase"] == "playing_off"
    return t


def test_in_bavarian_phase_2_the_number_to_beat_is_the_high_one():
    t = playing_off("bavarian")
    t.round((1, 2, 3), (1, 2, 2))
    assert t.view["for_high"] and t.view["beat"]["value"] == 105
    said = t.view["announcement"]
    assert (said["kind"], said["value"]) == ("high", 105)


def test_in_tschiggs_phase_2_and_while_dealing_the_low_must_be_beaten():
    for t in (playing_off("tschigg"), Table("bavarian", 3)):
        t.round((1, 2, 3), (1, 2, 2))
        assert not t.view["for_high"] and t.view["beat"]["value"] == 104
        assert t.view["announcement"]["kind"] == "low"


def test_an_announcement_says_when_low_counts():
    t = Table("classic", 3)
    t.throw(0, 1, 2, 3)
    said = of(t.stand(0, **LOW), "announced")
    assert (said["kind"], said["value"], said["low_counts"]) == ("high", 6, True)
    later = of(t.throw(1, 2, 2, 3), "announced")
    assert (later["kind"], later["value"], later["valuation"], later["low_counts"]) == ("low", 7, None, True)
    assert of(Table("bavarian", 2).round((1, 2, 3)), "announced")["low_counts"] is False


# §4.4.6: "Leaving costs three forfeits at once, whichever way somebody leaves."


def test_being_replaced_costs_what_leaving_costs_and_the_seat_stays():
    t = Table("forfeits", 4)
    events = t.house("vacate", seat=3)
    assert types(events) == ["seat_vacated", "forfeit_taken", "offer_made"]
    assert t.forfeits == [0, 0, 0, 3] and t.status[3] == "in" and t.view["seats"][3]["vacant"]
    assert t.view["offers"] == [{"seat": 3, "count": 3}]
    assert t.refuses(None, "vacate", seat=3) == "bad_args"
    t.house("occupy", seat=3)
    assert not t.view["seats"][3]["vacant"]
    assert "take_for" not in t.names(3) and "take_for" in t.names(0)


def test_leaving_is_paid_once_and_again_by_the_next():
    t = Table("forfeits", 5)
    t.house("vacate", seat=3)
    t.house("leave", seat=3)
    assert t.forfeits[3] == 3
    t.house("vacate", seat=4)
    t.house("occupy", seat=4)
    t.house("leave", seat=4)
    assert t.forfeits[4] == 6 and {"seat": 4, "count": 6} in t.view["offers"]
    t.do(0, "take_for", seat=4)
    assert t.forfeits[4] == 0 and t.forfeits[0] == 6


@pytest.mark.parametrize("preset", ["classic", "bavarian", "tschigg"])
def test_without_forfeits_nobody_pays_for_leaving(preset):
    t = Table(preset, 3)
    assert t.choice(None, "vacate") is None and t.choice(None, "occupy") is None
    assert Table("forfeits", 3, leaving_forfeits=0).choice(None, "vacate") is None


# §4: `chick_pays_schnapps` in any preset, for three ones in one throw only.


@pytest.mark.parametrize("preset", ["classic", "bavarian", "tschigg", "forfeits"])
def test_a_chick_owes_the_side_forfeit_in_any_preset(preset):
    t = Table(preset, 4, chick_pays_schnapps=True)
    assert of(t.throw(0, 1, 1, 1), "side_forfeit_owed") == {"seat": 0}
    assert t.state.players[0].side_forfeits == 1


@pytest.mark.parametrize("preset", ["classic", "bavarian", "tschigg", "forfeits"])
def test_collected_ones_owe_no_side_forfeit(preset):
    t = Table(preset, 4, chick_pays_schnapps=True, chick="any")
    t.throw(0, 1, 1, 3)
    events = t.throw(0, 1, lay=[1, 1])
    assert "chick_thrown" in types(events) and "side_forfeit_owed" not in types(events)
