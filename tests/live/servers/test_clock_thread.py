"""The clock's thread: lazy, nudged by news, and not to be brought down."""

import importlib
import threading
from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest

from games.live import clock_thread
from games.services import processes, publication
from games.services.clock import clock, outages
from games.services.tables.log import LoggedEntry
from games.services.tables.relay import TableNews
from tests.tables.snapshots import made


@pytest.fixture(scope="module")
def asgi() -> ModuleType:
    """The application of the servers, imported by nothing else: it starts threads of its own."""
    return importlib.import_module("games.asgi")


@pytest.fixture
def rounds(monkeypatch, settings):
    """Count rounds of a clock that is otherwise asleep; `rounds.wait(n)` waits for the n-th."""
    settings.CLOCK = "thread"
    monkeypatch.setattr(clock_thread, "ROUND_SECONDS", 60)
    monkeypatch.setattr(clock_thread, "AFTER_FAILURE_SECONDS", 0)
    counter = Rounds()
    monkeypatch.setattr(clock, "run_due", counter)
    monkeypatch.setattr(clock, "pause_hostless", lambda: 0)
    for module, name in ((outages, "make_up"), (processes, "note_running"), (processes, "stop"), (clock, "release")):
        monkeypatch.setattr(module, name, lambda: None)
    monkeypatch.setattr(clock_thread, "close_old_connections", lambda: None)
    yield counter
    clock_thread.stop()


class Rounds:
    def __init__(self) -> None:
        self.count, self.fails = 0, False
        self.more = threading.Condition()

    def __call__(self) -> int:
        with self.more:
            self.count += 1
            self.more.notify_all()
        if self.fails:
            raise RuntimeError("the database has gone")
        return 0

    def wait(self, count: int) -> bool:
        with self.more:
            return self.more.wait_for(lambda: self.count >= count, timeout=10)


def news(due_in: float | None = 0) -> TableNews:
    """Return news of a table where the clock must act in so many seconds, or not at all."""
    due_at = None if due_in is None else datetime.now(UTC) + timedelta(seconds=due_in)
    return TableNews(made("dummygame", 1, None, due_at=due_at), LoggedEntry(1, ()))


def clocks() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "clock"]


def test_importing_the_application_starts_no_clock(asgi):
    assert asgi.application
    assert clocks() == []


def test_another_process_may_run_the_clock(settings):
    settings.CLOCK = "off"
    clock_thread.start()
    assert clocks() == []


def test_it_starts_once_and_news_wakes_it(rounds):
    clock_thread.start()
    clock_thread.start()
    assert len(clocks()) == 1
    publication.publish(news())
    assert rounds.wait(1)


def test_news_that_leaves_nothing_to_do_does_not_wake_it(monkeypatch):
    woken = threading.Event()
    monkeypatch.setattr(clock_thread, "_news", woken)
    for due_in in (None, 3600):
        clock_thread._nudge(news(due_in))
        assert not woken.is_set()
    clock_thread._nudge(news())
    assert woken.is_set()


def test_a_failing_round_does_not_end_it(rounds, caplog):
    clock_thread.start()
    rounds.fails = True
    publication.publish(news())
    assert rounds.wait(1)
    rounds.fails = False
    for count in (2, 3):
        publication.publish(news())
        assert rounds.wait(count)
    assert "the clock stumbled" in caplog.text


async def test_the_first_request_starts_it(asgi, rounds):
    done: list[dict] = []

    async def send(message):
        done.append(message)

    scope = {"type": "websocket", "headers": [], "path": "/", "client": None, "server": None}
    await asgi.application(scope, None, send)
    assert len(clocks()) == 1
    assert done == [{"type": "websocket.close", "code": 4403}]
