"""Kept answers are forgotten, and freed memory goes back to the system where the C library has a call for it."""

import ctypes
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.db import connection

from games.kernel.data.records import keeps_answers
from games.ops.system import memory
from games.services.tables import sql


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


@pytest.mark.django_db
def test_a_thread_that_reads_for_all_keeps_few_pages_of_sqlite():
    if connection.vendor != "sqlite":
        pytest.skip("another database")
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA cache_size").fetchone()[0]
        sql.keep_few_pages()
        now = cursor.execute("PRAGMA cache_size").fetchone()[0]
        cursor.execute(f"PRAGMA cache_size = {before}")
    assert (before, now) == (-2000, -512)


STARTED = """
import gc, json, sys
import games.asgi
from games.api import schema_page
from django.urls import resolve, reverse
loaded = sorted({"numpy", "openpyxl", "icalendar", "rustworkx"} & set(sys.modules))
kept = [schema_page._texts.cache_info().currsize, gc.isenabled()]
has_admin = [resolve(reverse("home")).url_name] + ["games.admin.site" in sys.modules]
has_admin += [reverse("admin:login").endswith("/login/"), "games.admin.site" in sys.modules]
print(json.dumps([loaded, kept, has_admin]))
"""


def of_new_process(program: str) -> Any:
    """Return what a program prints last, run in a process of its own as a house does."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.serving"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.day(parts=5, turn=0)
def test_a_house_that_starts_makes_and_loads_nothing_that_few_ever_ask_for() -> None:
    """The API's description, workbooks, calendars and a bot's net load on first use; garbage is collected.

    The admin comes with its first address, not with another page's.
    """
    assert of_new_process(STARTED) == [[], [0, True], ["home", False, True, True]]


COMMANDS = """
import json, sys
import django
django.setup()
from django.core.management import get_commands, load_command_class
names = [name for name, app in get_commands().items() if app == "games" and name not in %r]
own = {name: load_command_class("games", name) for name in names}
few = {"numpy", "openpyxl", "icalendar", "rustworkx", "rest_framework.serializers"}
few |= {"daphne.server", "games.urls", "games.admin.site"}
checks = {name: command.requires_system_checks for name, command in own.items() if command.requires_system_checks}
print(json.dumps([len(own), sorted(few & set(sys.modules)), checks]))
"""
SERVING = ("play", "serve", "serve_scaled")


@pytest.mark.day(parts=5, turn=2)
def test_a_command_that_does_not_serve_loads_no_server_no_page_and_no_admin() -> None:
    """Nor do checks of the system load them: `check` makes these, and a new database only its own."""
    count, loaded, checks = of_new_process(COMMANDS % (SERVING,))
    assert count > 15
    assert loaded == []
    assert checks == {"migrate": ["database"]}
