"""How the tests are run: what is named as long or first is there, and what takes turns by the day comes."""

from __future__ import annotations

import ast
from datetime import date, timedelta

import pytest

from tests import seeds
from tests.architecture.sources import files, text_of
from tests.conftest import EVENINGS, LONG


@pytest.mark.parametrize("name", [*LONG, *EVENINGS])
def test_a_file_that_is_run_first_exists(name: str) -> None:
    assert [path for path in files(".py", under="tests") if name in f"{path}"], f"{name} names no file"


@pytest.mark.parametrize(("days", "parts"), [(1, 4), (2, 2), (4, 2), (4, 3), (4, 4)])
def test_every_share_comes_in_a_test_that_takes_turns_itself(
    days: int, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALL_DAYS", raising=False)
    found = []
    for number in range(days * parts):
        monkeypatch.setattr(seeds, "day", lambda number=number: str(date(2026, 1, 1) + timedelta(number)))
        if seeds.share_of_day(["the test"], days):
            found += seeds.share_of_day(range(12), parts, every=days)
    assert sorted(found) == list(range(12))


def shares_within_turns(text: str) -> list[int]:
    """Return the lines that take a share of the day inside a function and do not say how often it is run.

    Only in files with tests that take turns themselves.
    """
    if "mark.day(" not in text:
        return []
    bodies = [part for f in ast.walk(ast.parse(text)) if isinstance(f, ast.FunctionDef) for part in f.body]
    calls = [call for body in bodies for call in ast.walk(body) if isinstance(call, ast.Call)]
    shares = [call for call in calls if getattr(call.func, "id", "") == "share_of_day"]
    return [call.lineno for call in shares if "every" not in {word.arg for word in call.keywords}]


def test_a_share_inside_a_test_that_takes_turns_says_how_often_it_is_run() -> None:
    found = [(f"{path}", line) for path in files(".py", under="tests") for line in shares_within_turns(text_of(path))]
    assert found == []


def test_a_planted_share_that_is_always_the_same_is_found() -> None:
    planted = "@pytest.mark.day(parts=4)\ndef test_x():\n    share_of_day(ITEMS, 4)\n"
    assert shares_within_turns(planted) == [3]
    assert shares_within_turns(planted.replace("ITEMS, 4", "ITEMS, 4, every=4")) == []
