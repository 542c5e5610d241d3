"""House rules of single clubs: Chicks that stay, starters of phase 2, laid-out sixes, the end of an evening.

docs/rules-chicago.md §§4, 4.4.
"""

import pytest

from chicago.rules import rules
from chicago.rules.options.declaration import OPTIONS
from games.kernel.contract import Command
from games.kernel.dice import ScriptedDice
from tests.chicago.table import Table, of, types

# A Chick that stays.


def test_a_chicks_thrower_keeps_their_mats_and_is_merely_safe_in_that_round():
    t = Table("bavarian", 3, chick_stays=True)
    t.settle(high=0, low=1)
    assert t.turn == 1
    events = t.throw(1, 1, 1, 1)
    assert "player_safe" not in types(events) and t.mats == [0, 1, 0]
    assert t.view["seats"][1]["status"] == "out"
    t.throw(2, 2, 2, 3)
    t.stand(2)
    t.throw(0, 6, 6, 2)
    assert t.mats == [0, 1, 1], "the low of the others takes the mat"
    assert t.status == ["in", "in", "in"]


def test_who_is_left_alone_in_a_round_of_dealing_has_lost_it():
    t = Table("bavarian", 2, chick_stays=True)
    events = t.throw(0, 1, 1, 1)
    assert of(events, "round_ended")["reason"] == "one_left"
    assert of(events, "mat_taken")["seat"] == 1


def test_a_chick_that_stays_uses_up_the_rounds_reward_in_phase_2():
    t = dealt(chick_stays=True)
    before = t.mats
    t.throw(t.turn, 1, 1, 1)
    while t.view["round"] == 5:
        seat = t.turn
        if "mat_discarded" in types(t.throw(seat, 2, 2, 3)):
            raise AssertionError("the reward is used up")
        if t.turn == seat and t.view["round"] == 5:
            t.stand(seat)
    assert t.mats == before


def dealt(**changes):
    """A Bavarian table of three whose four mats are dealt: 2, 1, 1."""
    t = Table("bavarian", 3, **changes)
    for low in (0, 0, 1, 2):
        t.settle(high=(low + 1) % 3, low=low)
    assert t.mats == [2, 1, 1] and t.view["phase"] == "playing_off"
    return t


def test_without_the_house_rule_a_chick_is_out_of_the_game():
    t = Table("bavarian", 3)
    assert "player_safe" in types(t.throw(0, 1, 1, 1))


# Who starts when mats are played off.


def test_whoever_has_most_mats_starts_each_round_of_playing_off():
    t = dealt(phase2_start="most_mats")
    assert t.turn == 0
    t.settle(high=1, low=2)
    assert t.turn == 0, "not the low"


def test_of_equal_holders_one_die_each_decides_who_starts():
    t = dealt(phase2_start="most_mats")
    t.throw(0, 1, 1, 2)
    t.stand(0)
    t.throw(1, 2, 2, 3)
    events = t.throw(2, 2, 3, 3, 5, 4, 2)
    assert of(events, "starter_drawn")["reason"] == "most_mats"
    assert t.turn == 0 and t.mats == [1, 1, 1]


def test_by_default_the_low_of_the_last_round_starts():
    t = dealt()
    t.settle(high=1, low=2)
    assert t.turn == 2


# Laid-out sixes.


def test_a_laid_out_six_with_a_new_one_may_be_turned():
    t = Table("tschigg", 2, turn_laid_six=True)
    t.throw(0, 6, 2, 3)
    t.throw(0, 6, 4, lay=[6])
    ways = next(c.options for c in rules.choices(t.state, 0) if c.name == "throw")
    assert {"lay": [], "turn": True, "laid": True} in ways
    events = t.do(0, "throw", (1, 2), lay=[], turn=True, laid=True)
    assert of(events, "sixes_turned")["laid"] == [1]
    assert t.view["cup"] == {"laid": [1], "rolled": [1, 2], "throws": 3, "in_cup": 0}


def test_what_two_new_sixes_lead_to_is_not_listed_twice():
    t = Table("tschigg", 2, turn_laid_six=True)
    t.throw(0, 6, 2, 3)
    t.throw(0, 6, 6, lay=[6])
    ways = next(c.options for c in rules.choices(t.state, 0) if c.name == "throw")
    assert [way for way in ways if way["turn"]] == [
        {"lay": [], "turn": True}, {"lay": [], "turn": True, "laid": True},
    ]  # fmt: skip


@pytest.mark.parametrize("changes", [{}, {"turn_laid_six": True, "sixes_turn": "first_throw"}])
def test_else_a_laid_out_six_with_a_new_one_cannot_be_turned(changes):
    t = Table("tschigg", 2, **changes)
    t.throw(0, 6, 2, 3)
    t.throw(0, 6, 4, lay=[6])
    ways = next(c.options for c in rules.choices(t.state, 0) if c.name == "throw")
    assert not any(way["turn"] for way in ways)


# The end of an evening of forfeits.


def test_the_evening_ends_when_so_many_forfeits_have_been_taken():
    t = Table("forfeits", 3, end_total=2, refill=False)
    t.settle(high=0, low=2)
    assert not rules.is_over(t.state)
    events = t.settle(high=0, low=1)
    ended = of(events, "game_ended")
    assert (ended["reason"], ended["points"]) == ("forfeits_taken", [0, 1, 1])
    assert "round_started" not in types(events)


def test_a_forfeit_taken_in_the_middle_of_a_round_ends_it_at_once():
    t = Table("forfeits", 4, end_total=3)
    assert of(t.house("leave", seat=3), "game_ended")["reason"] == "forfeits_taken"


def test_a_table_of_before_knows_nothing_of_these_house_rules_and_plays_on():
    new = {"chick_stays", "phase2_start", "turn_laid_six", "end_total"}
    options = {key: value for key, value in OPTIONS.values("forfeits").items() if key not in new}
    state = rules.open(options, 3, ScriptedDice([6, 1, 1])).state
    state = rules.decide(state, Command("throw", 0, {"lay": [], "turn": False}), ScriptedDice([2, 2, 3]), 2).state
    assert rules.faults(state) == () and OPTIONS.card(options)
