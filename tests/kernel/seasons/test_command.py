"""`python -m games.kernel.seasons`: what it refuses, and one season a line."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel.seasons.__main__ import answer


def refusal(season: Any) -> tuple[str, str] | None:
    """Return code and place of a refusal; None for a season that is taken."""
    found = answer(season if isinstance(season, bytes) else json.dumps(season).encode())
    return (found["error"]["code"], found["error"]["at"]) if "error" in found else None


def night(**parts: Any) -> dict[str, Any]:
    return {"rules": {}, "nights": [{"id": "1"}, {"id": "2", **parts}]}


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"[]", b"3", b"null", b'{"rules": {}, "nights": [], "x": 1}', b"\xff", b"[" * 100_000, b'{"a": NaN}',
     b'{"nights": [{"id": "1", "weight": 1e999999}]}', b'{"nights": ' + b"9" * 5000 + b"}"],
)  # fmt: skip
def test_what_is_no_season_in_json_is_refused(text: bytes) -> None:
    assert refusal(text) == ("bad_json", "")


@pytest.mark.parametrize(
    ("rules", "at"),
    [
        ([], "rules"),
        ({"worth": "luck"}, "rules/worth"),
        ({"worth": []}, "rules/worth"),
        ({"worth": "places"}, "rules/places"),
        ({"worth": "places", "places": "few"}, "rules/places"),
        ({"places": [1, True]}, "rules/places"),
        ({"equal": "worst"}, "rules/equal"),
        ({"count": "some"}, "rules/count"),
        ({"count": {"best": -1}}, "rules/count"),
        ({"count": {"best": 1.5}}, "rules/count"),
        ({"count": {"best": 1, "without_worst": 1}}, "rules/count"),
        ({"worth": "keizer", "count": {"best": 2}}, "rules/count"),
        ({"missed": None}, "rules/missed"),
        ({"least_nights": -1}, "rules/least_nights"),
        ({"least_nights": True}, "rules/least_nights"),
        ({"ties": ["shared"]}, "rules/ties"),
        ({"lower_is_better": 1}, "rules/lower_is_better"),
        ({"bye": "1/0"}, "rules/bye"),
        ({"stages": {"final": [3]}}, "rules/stages"),
        ({"wroth": "points"}, "rules/wroth"),
    ],
)  # fmt: skip
def test_bad_rules_are_refused_where_they_stand(rules: Any, at: str) -> None:
    assert refusal({"rules": rules, "nights": []}) == ("bad_rules", at)


@pytest.mark.parametrize(
    ("parts", "at"),
    [
        ({"weight": 0}, "nights/1"),
        ({"weight": 10}, "nights/1"),
        ({"weight": None}, "nights/1"),
        ({"wieght": 1}, "nights/1"),
        ({"id": "1"}, "nights/1"),
        ({"id": 7}, "nights/1"),
        ({"rows": {}}, "nights/1"),
        ({"rows": [{"player": "a", "points": 1}, {"player": "b"}]}, "nights/1/rows/1"),
        ({"rows": [{"player": "a", "points": "much"}]}, "nights/1/rows/0"),
        ({"rows": [{"player": "a", "points": 1, "games": -1}]}, "nights/1/rows/0"),
        ({"rows": [{"player": "a", "points": 1, "game": 1}]}, "nights/1/rows/0"),
        ({"rows": [{"player": 1, "points": 1}]}, "nights/1/rows/0"),
        ({"matches": [["a"]]}, "nights/1/matches/0"),
        ({"matches": [["a", "a"]]}, "nights/1/matches/0"),
        ({"matches": [["a", "b", 1]]}, "nights/1/matches/0"),
        ({"bye": [None]}, "nights/1/bye/0"),
    ],
)  # fmt: skip
def test_a_bad_night_is_refused_where_it_stands(parts: Any, at: str) -> None:
    assert refusal(night(**parts)) == ("bad_night", at)
    assert refusal({"rules": {}}) == ("bad_night", "nights")


def test_a_player_twice_is_refused() -> None:
    row = {"player": "a", "points": 1}
    assert refusal(night(rows=[row, row])) == ("player_twice", "nights/1/rows/1")
    assert refusal(night(bye=["a", "a"])) == ("player_twice", "nights/1/bye/1")


def test_points_per_game_refuse_no_games_and_a_value_for_missed_nights() -> None:
    season = night(rows=[{"player": "a", "points": 1, "games": 0}])
    assert refusal(season) is None
    season["rules"] = {"worth": "per_game"}
    assert refusal(season) == ("no_games", "nights/1/rows/0")
    season["rules"]["missed"] = 0
    assert refusal(season) == ("missed_per_game", "rules/missed")


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=5,
)
PARTS = ("id", "weight", "rows", "matches", "bye", "absent", "player", "points", "games")
LIKE = st.fixed_dictionaries(
    {"rules": st.dictionaries(st.sampled_from(["worth", "places", "count", "missed", "ties", "stages"]), JSON)},
    optional={"nights": st.lists(st.dictionaries(st.sampled_from(PARTS), JSON), max_size=2)},
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=30), st.one_of(JSON, LIKE).map(lambda each: json.dumps(each).encode())))
def test_every_text_has_an_answer_in_json(text: bytes) -> None:
    found = json.loads(json.dumps(answer(text)))
    assert ("error" in found) != ("standings" in found)


def run(text: bytes, *arguments: str) -> tuple[int, list[Any], bytes]:
    """Return status, answers and complaints of the command."""
    command = [sys.executable, "-m", "games.kernel.seasons", *arguments]
    found = subprocess.run(command, input=text, capture_output=True, check=False)
    return found.returncode, [json.loads(line) for line in found.stdout.splitlines()], found.stderr


def test_a_refused_line_is_answered_in_its_place_and_the_others_go_on() -> None:
    status, answers, complaints = run(b'{"rules":{},"nights":[]}\nnothing\n{"rules":{},"nights":[]}', "--lines")
    assert (status, complaints) == (2, b"")
    assert answers == [EMPTY, {"error": {"code": "bad_json", "at": ""}}, EMPTY]


EMPTY = {"standings": [], "unranked": []}


def test_one_season_is_answered_with_status_0_and_a_refusal_with_2() -> None:
    assert run(b'{\n"rules": {}, "nights": []}\n') == (0, [EMPTY], b"")
    assert run(b"") == (2, [{"error": {"code": "bad_json", "at": ""}}], b"")


def test_a_total_longer_than_its_numbers_is_written() -> None:
    players = [{"id": f"{i}", "rows": [{"player": "a", "points": f"1/{10**300 + i}"}]} for i in range(40)]
    status, answers, complaints = run(json.dumps({"rules": {}, "nights": players}).encode())
    assert (status, complaints) == (0, b"")
    assert len(answers[0]["standings"][0]["total"]) > 5000
