"""Refusals: each has its code and the index of its entry, and never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from games.kernel.tournaments.answers import answer
from tests.architecture.sources import ROOT

Json = dict[str, Any]
OPEN = {"kind": "open_end"}


def enter(*names: str) -> list[Json]:
    return [{"at": 0, "type": "enter", "player": name} for name in names]


START = {"at": 0, "type": "start"}
TWO = [*enter("a", "b", "c"), START]
MATCH = {"at": 1, "type": "match", "id": "m1", "players": ["a", "b"], "length": 3, "phase": 0}
RESULT = {"at": 2, "type": "result", "match": "m1", "winner": "a"}


@pytest.mark.parametrize(
    ("log", "code"),
    [
        ([3], "bad_entry"),
        ([{"at": 0}], "bad_entry"),
        ([{"at": 0, "type": "dance"}], "unknown_entry"),
        ([{"type": "start"}], "bad_entry"),
        ([{"at": -1, "type": "start"}], "bad_entry"),
        ([{"at": True, "type": "start"}], "bad_entry"),
        ([{"at": 0, "type": "enter", "player": ""}], "bad_entry"),
        ([{"at": 0, "type": "enter", "player": "a", "colour": 1}], "bad_entry"),
        ([*enter("a"), *enter("a")], "player_twice"),
        ([*enter("a"), START], "too_few"),
        ([START], "too_few"),
        ([*TWO, START], "bad_entry"),
        ([*enter("a", "b"), MATCH], "not_running"),
        ([*TWO, MATCH | {"length": 0}], "bad_entry"),
        ([*TWO, MATCH | {"players": ["a", "a"]}], "player_twice"),
        ([*TWO, MATCH | {"players": ["a", "z"]}], "no_such_player"),
        ([*TWO, MATCH | {"phase": 1}], "bad_entry"),
        ([*TWO, MATCH, MATCH | {"id": "m2", "players": ["a", "c"]}], "player_busy"),
        ([*TWO, MATCH, {"at": 0, "type": "finish"}], "time_backwards"),
        ([*TWO, MATCH, RESULT | {"match": "m2"}], "no_such_match"),
        ([*TWO, MATCH, RESULT | {"winner": "z"}], "no_such_player"),
        ([*TWO, MATCH, RESULT | {"winner": "c"}], "bad_entry"),
        ([*TWO, MATCH, RESULT | {"score": [3]}], "bad_entry"),
        ([*TWO, MATCH, RESULT, RESULT], "already_decided"),
        ([*TWO, MATCH, {"at": 2, "type": "correct", "match": "m1", "winner": "b"}], "not_running"),
        ([*TWO, MATCH, {"at": 2, "type": "void", "match": "m1"}, RESULT], "not_running"),
        ([*TWO, MATCH, {"at": 2, "type": "stand", "match": "m1"}], "bad_entry"),
        ([*TWO, {"at": 1, "type": "withdraw", "player": "a", "when": "now"}, MATCH], "player_gone"),
        ([*TWO, MATCH | {"table": 0}], "no_such_table"),
        ([*TWO, {"at": 1, "type": "table_out", "table": 1}], "no_such_table"),
        ([*TWO, {"at": 1, "type": "break", "from": 5, "to": 5}], "bad_entry"),
        ([*TWO, {"at": 1, "type": "phase", "phase": 1, "players": ["a", "b"]}], "bad_entry"),
        ([*TWO, {"at": 1, "type": "finish"}, {"at": 2, "type": "finish"}], "not_running"),
        ([*TWO, {"at": 1, "type": "reopen"}], "bad_entry"),
        ([*TWO, {"at": 1, "type": "bye", "player": "a", "phase": 0, "round": 1}], "bad_entry"),
    ],
)
def test_a_bad_entry_is_refused_at_its_index(log: list[Any], code: str) -> None:
    found = answer({"format": OPEN, "log": log, "now": 9, "seed": 1})
    assert found == {"error": {"code": code, "entry": len(log) - 1}}


@pytest.mark.parametrize(
    "format_",
    [
        None,
        {},
        {"kind": "chess"},
        {"kind": "open_end", "length": 0},
        {"kind": "open_end", "cup": 3},
        {"kind": "open_end", "lives": 2},
        {"kind": "lives", "lives": 3},
        {"kind": "lives", "tables": 0},
        {"kind": "knockout", "rolling": 4},
        {"kind": "knockout", "consolation": 1},
        {"kind": "swiss", "tie": "rating"},
        {"kind": "neighbours", "order": ["a", "a"]},
        {"phases": [OPEN, OPEN], "advance": []},
        {"phases": []},
    ],
)
def test_a_bad_format_is_refused(format_: Any) -> None:
    assert answer({"format": format_, "log": [], "now": 0, "seed": 1}) == {
        "error": {"code": "bad_format", "entry": None}
    }


@pytest.mark.parametrize(
    "setting",
    [
        {"kind": "neighbours", "rounds": 10**9},
        {"kind": "swiss", "rounds": 10**9, "last_lengths": [5]},
        {"kind": "schedule", "matches": 10**9},
        {"kind": "round_robin", "groups": 10**9},
        {"kind": "knockout", "reentry_until": 10**9, "consolation": True},
        {"kind": "lives", "batch": 10**9, "patience": 10**9},
        {"kind": "open_end", "tables": 10**9, "last_start": 10**9, "length": 10**9},
    ],
)
def test_the_largest_numbers_are_answered_as_any_others(setting: Json) -> None:
    assert "error" not in answer({"format": setting, "log": TWO, "now": 10**9, "seed": 1})


def test_a_minute_before_the_last_entry_is_refused() -> None:
    found = answer({"format": OPEN, "log": [*TWO, MATCH], "now": 0, "seed": 1})
    assert found == {"error": {"code": "time_backwards", "entry": None}}


def test_a_field_of_nobody_or_one_waits_and_of_two_may_start() -> None:
    for count, start in ((0, False), (1, False), (2, True)):
        found = answer({"format": OPEN, "log": enter("a", "b")[:count], "now": 0, "seed": 1})
        assert [("entries" in each) for each in found["proposals"]] == [start]


def test_the_command_answers_one_object_or_one_a_line() -> None:
    good = json.dumps({"format": OPEN, "log": TWO, "now": 1, "seed": 7})

    def run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "games.kernel.tournaments", *arguments]
        return subprocess.run(command, input=text, cwd=ROOT, capture_output=True, text=True, check=False)

    one = run(good)
    assert one.returncode == 0 and set(json.loads(one.stdout)) == {"state", "proposals", "standing"}
    deep = "[" * 100_000
    many = run(
        f"{good}\n{{\n{deep}\n{json.dumps({'format': OPEN, 'log': [{}], 'now': 0, 'seed': 1})}\n{good}\n", "--lines"
    )
    lines = many.stdout.splitlines()
    assert (many.returncode, many.stderr) == (2, "")
    assert lines[0] == lines[4] == one.stdout.strip()
    assert [json.loads(line)["error"] for line in lines[1:4]] == [
        {"code": "bad_json", "entry": None},
        {"code": "bad_json", "entry": None},
        {"code": "bad_entry", "entry": 0},
    ]
