"""How much is logged: answers to bad requests are no warnings, and the level changes while the house runs."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from prometheus_client import REGISTRY

from games.models import AuditEntry
from games.ops import logs
from games.ops.diagnosis import log_level

pytestmark = pytest.mark.django_db


class Lines(logging.Handler):
    """The records that a handler of the house's would write."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[logging.LogRecord] = []
        self.addFilter(logs.BadRequestsFilter())

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record)

    def at(self, level: int) -> list[str]:
        return [record.name for record in self.found if record.levelno == level]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    """All lines from now on, of a process that has warned of nothing yet; the level is put back."""
    monkeypatch.setattr(logs, "_warned_at", {})
    handler, root = Lines(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    yield handler
    root.removeHandler(handler)
    root.setLevel(level)


def set_level(settings: Any, level: str) -> None:
    """Log at a level, also where a server of this process follows the chosen one."""
    settings.LOG_LEVEL = level
    logging.getLogger().setLevel(level)


def bad_requests(client: Client) -> None:
    for _ in range(3):
        assert client.get("/nowhere/").status_code == 404
        assert client.get("/account/logout/nowhere/").status_code == 404
        assert client.get("/api/nowhere/").status_code == 404
        assert Client(enforce_csrf_checks=True).post("/join/", {"code": "ABCDE"}).status_code == 403


def attacks(kind: str) -> float:
    return REGISTRY.get_sample_value("stammtisch_attacks_total", {"kind": kind}) or 0.0


def test_answers_to_bad_requests_are_no_warnings_and_attacks_are_told_once_and_counted(
    lines: Lines, client: Client, settings: Any
) -> None:
    set_level(settings, "WARNING")
    before = attacks("csrf")
    bad_requests(client)
    assert [record.name for record in lines.found] == ["django.security.csrf"]
    assert lines.at(logging.WARNING) == ["django.security.csrf"]
    assert attacks("csrf") - before == 3
    set_level(settings, "INFO")
    bad_requests(client)
    assert lines.at(logging.WARNING) == ["django.security.csrf"]
    assert lines.at(logging.INFO).count("django.security.csrf") == 3
    assert lines.at(logging.INFO).count("django.request") >= 6


def test_a_fault_of_ours_is_an_error_still(lines: Lines) -> None:
    logging.getLogger("django.request").error("Internal Server Error", extra={"status_code": 500})
    logging.getLogger("django.security.SuspiciousOperation").error("made up", extra={"status_code": 400})
    assert lines.at(logging.ERROR) == ["django.request"]
    assert lines.at(logging.WARNING) == ["django.security.SuspiciousOperation"]


def test_a_record_is_lowered_once_for_all_handlers(lines: Lines, settings: Any) -> None:
    other = Lines()
    logging.getLogger().addHandler(other)
    try:
        set_level(settings, "WARNING")
        logging.getLogger("django.security.csrf").warning("no", extra={"status_code": 403})
    finally:
        logging.getLogger().removeHandler(other)
    assert lines.at(logging.WARNING) == other.at(logging.WARNING) == ["django.security.csrf"]


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    """A data folder of its own."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("log_level", *arguments, stdout=out)
    return out.getvalue()


def test_a_level_is_obeyed_until_its_time_is_up_and_the_change_is_told(lines: Lines, folder: Path) -> None:
    assert "WARNING, as LOG_LEVEL says" in told()
    assert told("debug", "--minutes", "5").startswith("DEBUG until ")
    log_level.obey()
    log_level.obey()
    assert logging.getLogger().level == logging.DEBUG
    assert [record.getMessage() for record in lines.found if record.name == logs.STARTS] == [
        "component=log event=level: DEBUG"
    ]
    (folder / log_level.FILE).write_text(json.dumps({"level": "DEBUG", "until": time.time() - 1}))
    log_level.obey()
    assert logging.getLogger().level == logging.WARNING
    told("info")
    assert "as LOG_LEVEL says" in told("usual")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"level": "DEBUG"}', '{"level": "LOUD", "until": 9e9}', "null"])
def test_a_broken_file_of_the_level_counts_as_none(folder: Path, text: str) -> None:
    (folder / log_level.FILE).write_text(text)
    assert log_level.chosen() is None


def test_a_level_ends_though_the_clock_was_set_back(folder: Path) -> None:
    ahead = time.time() + 365 * 86_400
    (folder / log_level.FILE).write_text(json.dumps({"level": "DEBUG", "until": ahead}))
    assert log_level.chosen() is None


def test_bad_levels_are_refused_with_a_sentence(folder: Path) -> None:
    for bad in (["loud"], ["debug", "--minutes", "0"], ["debug", "--minutes", "100000"]):
        with pytest.raises(CommandError):
            told(*bad)
    assert log_level.chosen() is None


def test_superusers_change_the_level_in_the_admin_and_it_is_written_down(folder: Path, client: Client) -> None:
    users = get_user_model()
    client.force_login(users.objects.create_user("waiter", is_staff=True))
    assert client.post("/admin/doctor/", {"act": "level", "level": "DEBUG"}).status_code == 403
    client.force_login(users.objects.create_superuser("boss"))
    assert client.post("/admin/doctor/", {"act": "level", "level": "LOUD"}).status_code == 400
    assert log_level.chosen() is None
    page = client.post("/admin/doctor/", {"act": "level", "level": "DEBUG"}, follow=True).content.decode()
    assert "All processes log at DEBUG until" in page
    chosen = log_level.chosen()
    assert chosen is not None and chosen.level == "DEBUG"
    entry = AuditEntry.objects.get(act="log_level_changed")
    assert (entry.actor_name, entry.subject) == ("boss", "DEBUG")
    client.post("/admin/doctor/", {"act": "level", "level": "usual"})
    assert log_level.chosen() is None
