"""What a browser gets: the shape that chicago/rules/view_shape.py promises."""

from typing import get_type_hints

from chicago.rules import rules
from chicago.rules.state import ResultView
from chicago.rules.view_shape import LastRound, SeatView, View
from tests.chicago.table import HIGH, Table

KEYS = {
    "phase",
    "options",
    "round",
    "starter",
    "turn",
    "throws_allowed",
    "throws_left",
    "exactly",
    "declares",
    "valuation",
    "cup",
    "waiting",
    "high",
    "low",
    "shared_low",
    "beat",
    "announcement",
    "for_high",
    "order",
    "seats",
    "stock",
    "mats_out",
    "target",
    "naming",
    "refill",
    "breach",
    "offers",
    "last_round",
    "ending",
    "usual",
    "history",
    "outcome",
    "to_type",
    "to_enter",
    "throw",
    "waiting_for",
    "asked",
}


def test_the_view_has_the_same_keys_in_every_game_and_phase():
    for preset in ("classic", "bavarian", "tschigg", "forfeits"):
        t = Table(preset, 3)
        assert set(t.view) == KEYS
        t.throw(0, 1, 1, 1)
        assert set(t.view) == KEYS


def test_every_key_of_the_view_is_declared():
    assert set(get_type_hints(View)) == KEYS
    t = Table("bavarian", 2)
    t.round((1, 2, 3), (1, 2, 2))
    for shape, part in ((SeatView, "seats"), (ResultView, "history")):
        assert set(get_type_hints(shape)) == set(t.view[part][0])
    assert set(get_type_hints(LastRound)) == set(t.view["last_round"])


def test_nothing_is_hidden_so_everybody_sees_the_same():
    t = Table("tschigg", 3)
    t.throw(0, 1, 2, 2)
    assert rules.view(t.state, None) == rules.view(t.state, 0) == rules.view(t.state, 2)


def test_the_cup_shows_what_is_laid_out_what_was_thrown_and_what_is_in_it():
    t = Table("classic", 2)
    assert t.view["cup"] == {"laid": [], "rolled": [], "throws": 0, "in_cup": 3}
    t.throw(0, 1, 4, 5)
    assert t.view["cup"] == {"laid": [], "rolled": [1, 4, 5], "throws": 1, "in_cup": 0}
    assert t.view["throws_left"] == 2 and t.view["declares"]


def test_the_last_round_stays_to_be_read_when_the_next_has_started():
    t = Table("bavarian", 2)
    t.round((1, 2, 3), (1, 2, 2))
    last = t.view["last_round"]
    assert (last["round"], last["reason"], last["high"], last["low"]) == (1, "full", 0, 1)
    assert [r["value"] for r in last["results"]] == [105, 104]
    assert t.view["high"] is t.view["low"] is t.view["beat"] is None


def test_the_last_round_says_whether_the_smallest_number_was_best():
    t = Table("tschigg", 2)
    t.throw(0, 1, 4, 4)
    t.stand(0, ones=1, sixes=6, high=False)
    t.round((6, 6, 5))
    last = t.view["last_round"]
    assert (last["high"], last["low"], last["low_counts"]) == (0, 1, True)
    assert t.view["valuation"] is None, "the next starter has not declared"
    t.settle(high=0, low=1)
    assert t.view["last_round"]["low_counts"] is False


def test_the_last_twelve_turns_are_kept():
    t = Table("classic", 5)
    for _ in range(3):
        t.settle(high=0, low=1)
    assert len(t.view["history"]) == 12
    assert t.view["history"][-1]["round"] == 3
    assert t.view["history"][0]["round"] == 1


def test_the_outcome_is_in_the_view_when_the_game_is_over():
    t = Table("classic", 2, rounds=1)
    t.settle(high=0, low=1)
    assert t.view["phase"] == "over" and t.view["turn"] is None
    assert t.view["outcome"]["points"] == [0, 1]
    assert t.view["declares"] is False


def test_the_valuation_is_null_until_it_is_declared():
    t = Table("classic", 2)
    assert t.view["valuation"] is None
    assert Table("bavarian", 2).view["valuation"] == HIGH
