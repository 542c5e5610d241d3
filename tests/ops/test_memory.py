"""Kept answers are forgotten, and freed memory goes back to the system where the C library has a call for it."""

import ctypes
import json
import os
import subprocess
import sys

import pytest

from games.kernel.answers import keeps_answers
from games.ops import memory


def test_glibc_is_asked_to_trim() -> None:
    trim = memory.trimmer()
    if trim is None:
        pytest.skip("another C library")
    assert trim(0) in (0, 1)


def test_a_library_without_the_call_is_let_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert memory.trimmer() is None
    memory.hold_together()
    memory.tidy()


def test_kept_answers_are_given_again_until_they_are_forgotten() -> None:
    asked: list[int] = []

    @keeps_answers(8)
    def answer(number: int) -> int:
        asked.append(number)
        return number

    assert [answer(number) for number in (1, 1, 2)] == [1, 1, 2]
    assert asked == [1, 2]
    memory.tidy()
    assert answer(1) == 1
    assert asked == [1, 2, 1]


STARTED = """
import gc, json, sys
import games.asgi
from games.api import schema_page
loaded = sorted({"numpy", "openpyxl"} & set(sys.modules))
print(json.dumps([loaded, schema_page._texts.cache_info().currsize, gc.isenabled()]))
"""


@pytest.mark.day(parts=5)
def test_a_house_that_starts_makes_and_loads_nothing_that_few_ever_ask_for() -> None:
    """The description of the API, workbooks and a bot's net come with the first who asks; garbage is collected."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.serving"}
    done = subprocess.run([sys.executable, "-c", STARTED], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == [[], 0, True]
