"""The standing of a season: each rule by an example reckoned by hand, and all rules by a second implementation."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings

from games.kernel.seasons.__main__ import answer
from tests.kernel.seasons import drawn, naive

FOUR = [
    {"id": "1", "rows": [{"player": "anna", "points": 4, "games": 2}, {"player": "bert", "points": -4, "games": 2}]},
    {"id": "2", "rows": [{"player": "anna", "points": -1, "games": 1}, {"player": "carl", "points": 1, "games": 1}]},
    {"id": "3", "weight": 2, "rows": [{"player": p, "points": 3, "games": 6} for p in ("bert", "carl")]},
    {"id": "4", "rows": [{"player": p, "points": n} for p, n in (("anna", 5), ("bert", 2), ("carl", 2), ("dora", 0))]},
]


def computed(nights: Any = FOUR, **rules: Any) -> dict[str, Any]:
    """Return the command's answer to rules and nights."""
    found = answer(json.dumps({"rules": rules, "nights": nights}).encode())
    assert "error" not in found, found
    return found


def totals(nights: Any = FOUR, **rules: Any) -> dict[str, str]:
    return {each["player"]: each["total"] for each in computed(nights, **rules)["standings"]}


def places(nights: Any, **rules: Any) -> list[tuple[str, int]]:
    return [(each["player"], each["place"]) for each in computed(nights, **rules)["standings"]]


def counted(player: str, **rules: Any) -> tuple[list[str], list[str]]:
    row = next(each for each in computed(**rules)["standings"] if each["player"] == player)
    return row["counted"], row["struck"]


def rows(points: dict[str, Any], night_id: str = "1", **more: Any) -> dict[str, Any]:
    return {"id": night_id, "rows": [{"player": p, "points": n} for p, n in points.items()], **more}


def test_without_rules_the_weighted_points_of_all_nights_are_added_up() -> None:
    assert totals() == {"carl": "9", "anna": "8", "bert": "4", "dora": "0"}
    assert list(totals(lower_is_better=True)) == ["dora", "bert", "anna", "carl"]


def test_numbers_are_taken_as_they_are_written() -> None:
    nights = b'{"rules":{},"nights":[{"id":"1","rows":[{"player":"a","points":0.1}]},{"id":"2","rows":[{"player":"a",'
    found = answer(nights + b'"points":0.2}]},{"id":"3","rows":[{"player":"a","points":"1/3"}]}]}')
    assert found["standings"][0]["total"] == "19/30"


def test_points_per_game_are_all_weighted_points_over_all_weighted_games() -> None:
    assert totals(worth="per_game") == {"anna": "2", "carl": "9/14", "bert": "4/15", "dora": "0"}


def test_equal_points_share_the_worths_of_their_places_or_have_the_best_of_them() -> None:
    assert totals(worth="places", places=[5, 3, 1]) == {"carl": "15", "bert": "13", "anna": "13", "dora": "0"}
    assert totals(worth="places", places=[5, 3, 1], equal="best")["carl"] == "18"
    assert totals(worth="places", places="field") == {"anna": "4", "carl": "7/2", "bert": "5/2", "dora": "0"}
    assert totals(worth="won") == {"anna": "2", "carl": "2", "bert": "1", "dora": "0"}
    assert totals(worth="won", equal="best", lower_is_better=True)["bert"] == "3"


def test_attendance_counts_rows_matches_and_byes_and_no_absences() -> None:
    night = {"id": "1", "matches": [["a", "b"]], "bye": ["c"], "absent": ["d"]}
    found = computed([night], worth="attendance")
    assert [each["player"] for each in found["standings"]] == ["a", "b", "c"]
    assert found["unranked"] == [{"player": "d", "nights": 0}]


def test_the_best_nights_count_of_equal_ones_the_earlier() -> None:
    assert counted("anna", count={"best": 2}) == (["1", "4"], ["2"])
    assert counted("bert", count={"best": 1}) == (["3"], ["1", "4"])
    same = [rows({"a": 1}, str(i)) for i in range(3)]
    assert computed(same, count={"best": 2})["standings"][0]["counted"] == ["0", "1"]


def test_missed_nights_are_struck_first_then_the_worst_of_equal_ones_the_later() -> None:
    assert counted("anna", count={"without_worst": 1}) == (["1", "2", "4"], [])
    assert counted("anna", count={"without_worst": 2}) == (["1", "4"], ["2"])
    same = [rows({"a": 1}, str(i)) for i in range(3)]
    assert computed(same, count={"without_worst": 1})["standings"][0]["struck"] == ["2"]


def test_a_valued_missed_night_enters_the_total_weighted_and_no_list() -> None:
    rules = {"count": {"without_worst": 1}, "missed": -2}
    assert totals(**rules) == {"carl": "9", "anna": "8", "bert": "6", "dora": "-4"}
    assert counted("anna", **rules) == (["1", "2", "4"], [])
    assert counted("bert", **rules) == (["3", "4"], ["1"])


def test_with_as_many_struck_as_nights_nothing_is_left() -> None:
    assert set(totals(count={"without_worst": 4}).values()) == {"0"}
    assert set(totals(count={"without_worst": 9}, missed=7).values()) == {"0"}


def test_who_is_below_the_least_nights_is_unranked_and_still_counts_in_the_nights_places() -> None:
    found = computed(worth="places", places="field", least_nights=2)
    assert found["unranked"] == [{"player": "dora", "nights": 1}]
    assert found["standings"][0] == {
        "player": "anna", "place": 1, "total": "4", "nights": 3, "counted": ["1", "2", "4"], "struck": [],
    }  # fmt: skip


TIED = [rows({"a": 2, "b": 2}, "1"), rows({"a": 3, "b": 1, "c": 4}, "2"), rows({"b": 2}, "3"), rows({"c": 1}, "4")]


def test_ties_split_every_group_each_criterion_once_in_the_order_given() -> None:
    assert places(TIED) == [("a", 1), ("b", 1), ("c", 1)]
    assert places(TIED, ties=["nights"]) == [("b", 1), ("a", 2), ("c", 2)]
    assert places(TIED, ties=["best_night"]) == [("c", 1), ("a", 2), ("b", 3)]
    assert places(TIED, ties=["duel"]) == [("c", 1), ("a", 2), ("b", 3)]
    assert places(TIED, ties=["nights", "duel"]) == [("b", 1), ("c", 2), ("a", 3)]


def test_a_duel_is_among_the_group_as_it_stands_and_decides_nothing_without_a_common_night() -> None:
    apart = [rows({"a": 2}, "1"), rows({"b": 2}, "2")]
    assert places(apart, ties=["duel"]) == [("a", 1), ("b", 1)]
    met = [rows({"a": 1, "b": 4}, "1"), rows({"a": 3}, "2")]
    assert places(met, ties=["duel"]) == [("b", 1), ("a", 2)]
    assert places(met, ties=["duel"], lower_is_better=True) == [("a", 1), ("b", 2)]


KEIZER = [
    {"id": "1", "matches": [["dora", "anna"], ["bert", "carl"]]},
    {"id": "2", "matches": [["anna", "bert"]], "bye": ["dora"], "absent": ["carl"]},
]


def test_keizers_standing_after_each_night() -> None:
    assert totals(KEIZER[:1], worth="keizer") == {"dora": "5", "bert": "3", "anna": "0", "carl": "0"}
    assert totals(KEIZER, worth="keizer") == {"dora": "11/2", "anna": "4", "bert": "2", "carl": "2/3"}


def test_matches_are_worth_what_their_stage_says_and_decide_the_duel() -> None:
    night = [{"id": "1", "weight": 2, "matches": [["a", "b"], ["b", "c", "final"], ["c", "a", "odd"]], "bye": ["d"]}]
    rules = {"worth": "match", "stages": {"final": [3, 2], "": [1, 0]}}
    assert totals(night, **rules) == {"b": "6", "c": "6", "a": "2", "d": "0"}
    assert places(night, **rules, ties=["duel"])[:2] == [("b", 1), ("c", 2)]


def test_players_are_ordered_by_code_points() -> None:
    found = computed([rows(dict.fromkeys(["b", "a", "Z", "é", "\U0001f600"], 1))])
    assert [each["player"] for each in found["standings"]] == ["Z", "a", "b", "é", "\U0001f600"]


@settings(max_examples=300, deadline=None)
@given(drawn.seasons())
def test_the_command_says_what_a_naive_implementation_says(season: dict[str, Any]) -> None:
    found = answer(json.dumps(season).encode())
    assert "error" not in found, found
    assert json.loads(json.dumps(found)) == naive.standing(season)
