"""A reading of the database that simultaneous requests for the same thing share.

After a result all phones of a night ask for the same page at once. A caller may take what a reading finds that began
after the call, so those who come while one is under way share the next one: none is shown anything older than it would
have read by itself, nothing is kept afterwards, and nothing has to be declared out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from threading import Lock
from typing import Generic, TypeVar

from django.db import connection

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class CommonReading(Generic[Key, Found]):
    """Readings by key: of each at most one is under way, and at most one is waited for; for threads of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._under_way: dict[Key, Future[Found]] = {}
        self._next: dict[Key, Future[Found]] = {}

    def read(self, key: Key, make: Callable[[], Found]) -> Found:
        """Return the result of a call of `make` that began after this call; callers who wait share it, or its error.

        Callers share what it returns: none may change it. Inside a transaction it is not shared: others do not see
        what the transaction sees.
        """
        if connection.in_atomic_block:
            return make()
        with self._lock:
            joined, before = self._next.get(key), self._under_way.get(key)
            if joined is None:
                own: Future[Found] = Future()
                self._next[key] = own
        if joined is not None:
            return joined.result()
        if before is not None:
            wait([before])
        return self._carry_out(key, own, make)

    def _carry_out(self, key: Key, own: Future[Found], make: Callable[[], Found]) -> Found:
        """Carry out the next reading; callers that come from now on wait for the one after it."""
        with self._lock:
            self._under_way[key] = self._next.pop(key)
        try:
            own.set_result(make())
        except BaseException as error:
            own.set_exception(error)
        with self._lock:
            if self._under_way.get(key) is own:
                del self._under_way[key]
        return own.result()
