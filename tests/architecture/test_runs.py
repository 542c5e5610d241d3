"""How the tests are run: what is named as long or first is there, and what takes turns by the day comes."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from tests import seeds, turns
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
        if seeds.share_of_day(["the test"], days, every=1):
            found += seeds.share_of_day(range(12), parts, every=days)
    assert sorted(found) == list(range(12))


def shares_within_turns(text: str) -> list[int]:
    """Return the lines that take a share of the day inside a function and do not say how often it is run.

    Only in files with tests that take turns themselves.
    """
    if "mark.day(" not in text or "share_of_day" not in text:
        return []
    bodies = [part for f in ast.walk(ast.parse(text)) if isinstance(f, ast.FunctionDef) for part in f.body]
    calls = [call for body in bodies for call in shares_in(body)]
    return [call.lineno for call in calls if "every" not in {word.arg for word in call.keywords}]


def shares_in(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of `share_of_day`."""
    calls = (call for call in ast.walk(tree) if isinstance(call, ast.Call))
    return (call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "share_of_day")


def test_a_share_inside_a_test_that_takes_turns_says_how_often_it_is_run() -> None:
    found = [(f"{path}", line) for path in files(".py", under="tests") for line in shares_within_turns(text_of(path))]
    assert found == []


def test_a_planted_share_that_is_always_the_same_is_found() -> None:
    planted = "@pytest.mark.day(parts=4)\ndef test_x():\n    share_of_day(ITEMS, 4)\n"
    assert shares_within_turns(planted) == [3]
    assert shares_within_turns(planted.replace("ITEMS, 4", "ITEMS, 4, every=4")) == []


@pytest.mark.parametrize("name", turns.DAYS)
def test_a_file_that_takes_turns_exists(name: str) -> None:
    assert [path for path in files(".py", under="tests") if name in f"{path}"], f"{name} names no file"


def shares_with_a_common_divisor(text: str, days: int) -> list[int]:
    """Return the lines that take a share of so many parts that a file which takes turns meets some of them only."""
    tree = ast.parse(text if "share_of_day" in text else "")
    parts = [(call.lineno, call.args[1]) for call in shares_in(tree) if len(call.args) > 1]
    numbers = [(line, part.value) for line, part in parts if isinstance(part, ast.Constant)]
    return [line for line, number in numbers if math.gcd(int(number), days) > 1]


def test_a_file_that_takes_turns_meets_every_share_that_it_takes() -> None:
    found = [
        (f"{path}", line)
        for path in files(".py", under="tests")
        for line in shares_with_a_common_divisor(text_of(path), turns.days_of(f"{path}"))
    ]
    assert found == []


def test_a_planted_share_that_a_file_meets_in_part_is_found() -> None:
    planted = "def test_x():\n    share_of_day(ITEMS, 4)\n"
    assert shares_with_a_common_divisor(planted, 2) == [2]
    assert shares_with_a_common_divisor(planted, 3) == []


@pytest.mark.parametrize("days", [2, 3, 5])
def test_files_that_take_turns_are_spread_over_the_days(days: int) -> None:
    found = [turns.turn_of(f"tests/room/test_{number}.py", days) for number in range(300)]
    assert all(found.count(turn) > 100 / days for turn in range(days))
