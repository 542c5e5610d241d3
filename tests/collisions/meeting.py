"""A meeting of two acts: the second one runs between two statements of the first, or waits for it, each time alike.

On PostgreSQL any two statements may lie around it: if the second act waits for a lock of the first, the first goes on.
SQLite has one writer at a time: there the second act runs before a transaction of the first, or after its last one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from games.kernel.contract import Illegal

SECONDS = 30


class Second(threading.Thread):
    """The second act, with a connection of its own; `fault` is what it raised, refusals left out."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._act, self.fault = act, ""
        self.refusal, self.pid = "", 0

    def run(self) -> None:
        """Carry out the act."""
        try:
            connection.ensure_connection()
            if connection.vendor == "postgresql":
                self.pid = connection.connection.info.backend_pid
            self.fault, self.refusal = carried_out(self._act)
        finally:
            connection.close()

    def go(self) -> None:
        """Start, and return as soon as the act has ended or waits for a lock."""
        self.start()
        until = time.monotonic() + SECONDS
        while self.is_alive() and time.monotonic() < until:
            self.join(0.005)
            if self.is_alive() and self.pid and _waits(self.pid):
                return


def carried_out(act: Callable[[], object]) -> tuple[str, str]:
    """Carry out an act; return its fault and its refusal, each "" for none."""
    try:
        act()
    except Illegal as refusal:
        return "", refusal.code
    except Exception as error:
        return repr(error), ""
    return "", ""


_watcher: list[Any] = []


def _waits(pid: int) -> bool:
    """Tell whether a connection waits for a lock of another one."""
    if not _watcher:
        import psycopg

        found = connection.get_connection_params()
        names = ("dbname", "user", "password", "host", "port")
        _watcher.append(psycopg.connect(**{key: found[key] for key in names if key in found}, autocommit=True))
    row = _watcher[0].execute("SELECT cardinality(pg_blocking_pids(%s))", [pid]).fetchone()
    return bool(row[0])


def end_watching() -> None:
    """Close the connection that watches, so that the database can be dropped."""
    while _watcher:
        _watcher.pop().close()


class Place:
    """A place in an act: before its statement number `at`. `count` is how many it has had so far."""

    def __init__(self, at: int | None, reached: Callable[[], None]) -> None:
        self.at, self.count, self._reached = at, 0, reached

    def __call__(self, execute: Any, *rest: Any) -> Any:
        """Count a statement before it is executed, and tell when the place is reached."""
        if connection.vendor == "postgresql" or not connection.in_atomic_block:
            if self.count == self.at:
                self.at = None
                self._reached()
            self.count += 1
        return execute(*rest)


@contextmanager
def _placed(place: Place) -> Iterator[None]:
    with connection.execute_wrapper(place):
        yield


def length(act: Callable[[], object]) -> tuple[int, str]:
    """Carry out an act alone; return the number of its places, and its fault or refusal."""
    place = Place(None, lambda: None)
    with _placed(place):
        fault, refusal = carried_out(act)
    return place.count, fault or refusal


def meet(first: Callable[[], object], second: Callable[[], object], at: int) -> list[str]:
    """Carry out `first`, and `second` before its statement number `at`, or after it; return their faults."""
    other = Second(second)
    with _placed(Place(at, other.go)):
        fault, _ = carried_out(first)
    if other.ident is None:
        other.start()
    other.join(SECONDS)
    if other.is_alive():
        return [fault, "the second act waits for ever"]
    return [each for each in (fault, other.fault) if each]
