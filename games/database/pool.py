"""A bounded pool of connections: so many are open at most, and whoever comes then waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

WAIT_SECONDS = 5.0


class Full(psycopg.OperationalError):
    """All connections are in use, and none was given back in time."""


class Pool:
    """At most `most` connections, kept open between two uses. For any thread."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._room = threading.BoundedSemaphore(most)
        self._idle: list[Any] = []

    def take(self, connect: Callable[[], Any]) -> Any:
        """Return a connection that works, an idle one or a new one.

        Raises Full after WAIT_SECONDS, and what `connect` raises.
        """
        if not self._room.acquire(timeout=WAIT_SECONDS):
            raise Full(f"all {self.most} connections of the pages are in use")
        try:
            found = self._living() or connect()
            found._pool = self
        except BaseException:
            self._room.release()
            raise
        return found

    def _living(self) -> Any:
        """Return an idle connection that still answers, None where there is none."""
        while self._idle:
            try:
                found = self._idle.pop()
            except IndexError:
                return None
            try:
                found.execute("SELECT 1")
            except psycopg.Error:
                found.close()
            else:
                return found
        return None

    def give_back(self, used: Any) -> None:
        """Take a connection back; one that is broken is closed."""
        try:
            if not used.closed and used.info.transaction_status != TransactionStatus.IDLE:
                used.rollback()
            used.autocommit = True
        except psycopg.Error:
            used.close()
        finally:
            if not used.closed:
                self._idle.append(used)
            self._room.release()

    def close(self) -> None:
        """Close what is idle."""
        while self._idle:
            self._idle.pop().close()
