"""An outage of a database or of Redis does not flood the log: the first line, then a number once a minute."""

from __future__ import annotations

import io
import logging
import logging.config
import time
from collections.abc import Iterator

import pytest
import redis
from django.conf import settings
from django.db import IntegrityError, InterfaceError, OperationalError

from games.ops.diagnosis import outage_lines
from games.ops.logs import JsonFormatter

AWAY = 'connection to server at "127.0.0.1", port 5432 failed: Connection refused'


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """The lines of the house's own handler, as the settings make it, and of a second one beside it."""
    outage_lines.forget()
    written = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    handlers = logging.StreamHandler(written), logging.StreamHandler(io.StringIO())
    handlers[1].setFormatter(JsonFormatter())
    for each in handlers:
        each.addFilter(outage_lines.OutageFilter())
    root.handlers = list(handlers)
    root.setLevel(logging.WARNING)
    yield written
    root.handlers, root.level = before, level
    outage_lines.forget()


def fail(logger: str, error: Exception) -> None:
    """Log an error as the parts of the house do: with its traceback, behind a `raise from`, or as an argument."""
    try:
        raise error
    except Exception:
        logging.getLogger(logger).exception("a frame failed")
    try:
        raise RuntimeError("the clock stumbled") from error
    except RuntimeError:
        logging.getLogger("games.clock").warning("the clock stumbled", exc_info=True)
    logging.getLogger("games.web.busy").warning("the database was not ready for a page: %s", error)


@pytest.mark.parametrize(
    "error", [OperationalError(AWAY), InterfaceError("the connection is closed"), redis.ConnectionError("refused")]
)
def test_an_outage_is_one_traceback_and_then_a_number_a_minute(lines: io.StringIO, error: Exception) -> None:
    for _ in range(100):
        fail("games.live", type(error)(*error.args))
    text = lines.getvalue()
    assert text.count("Traceback") == 1 and text.count("\n") < 12
    outage_lines.tell()
    told = lines.getvalue().removeprefix(text)
    assert told.count("\n") == 1 and " 299 more lines " in told and told.endswith(f"{type(error).__name__}\n")
    fail("games.live", type(error)(*error.args))
    outage_lines.tell()
    outage_lines.tell()
    assert lines.getvalue().removeprefix(text + told).count("\n") == 1, "no number where nothing was left out"


def test_another_fault_is_told_during_an_outage(lines: io.StringIO) -> None:
    fail("games.live", OperationalError(AWAY))
    before = lines.getvalue()
    for number in range(3):
        logging.getLogger("games.web").error("broken: %s", number)
        fail("games.web", OperationalError("no such column: x"))
        try:
            raise IntegrityError("a bug")
        except IntegrityError:
            logging.getLogger("games.web").exception("a page failed")
    text = lines.getvalue().removeprefix(before)
    assert text.count("broken: ") == 3
    assert text.count("IntegrityError: a bug") == 3
    assert text.count("no such column: x") == 1 + text.count("OperationalError: no such column") - 1


def test_the_number_is_told_by_itself_also_where_nothing_follows(
    lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage_lines, "QUIET_SECONDS", 0.05)
    fail("games.live", OperationalError(AWAY))
    until = time.monotonic() + 30
    while "2 more lines" not in lines.getvalue() and time.monotonic() < until:
        time.sleep(0.01)
    assert "2 more lines" in lines.getvalue()


def test_a_new_outage_is_told_in_full_once_more(lines: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    fail("games.live", OperationalError(AWAY))
    outage_lines.tell()
    monkeypatch.setattr(outage_lines, "QUIET_SECONDS", 0.0)
    fail("games.live", OperationalError(AWAY))
    assert lines.getvalue().count("Traceback") >= 2


def test_the_houses_handlers_have_the_filter() -> None:
    assert "outages" in settings.LOGGING["handlers"]["console"]["filters"]
    configured = logging.config.DictConfigurator(settings.LOGGING)
    assert configured.config["filters"]["outages"]["()"].endswith("OutageFilter")
