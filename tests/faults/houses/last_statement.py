"""The end of a server at a statement: it kills itself with SIGKILL before the n-th write of the database. Tests only.

A test writes n into a file that the server maps into memory (`Bound.arm`); reading statements, and the writes that
every server makes all the time (the clock's row, sessions), do not count. -1: the server lives on.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

VARIABLE = "LAST_STATEMENT"
"""Environment variable of a server: the path of the file."""
_NUMBER = struct.Struct("q")
_WRITES = ("INSERT", "UPDATE", "DELETE", "SAVEPOINT", "RELEASE", "ROLLBACK")
_COUNTS_NOT = ("houseclock", "session", "backgroundtask", "claimed_by")


class Bound:
    """The number of writes that a server has left, in a file that is made if it is missing."""

    def __init__(self, place: Path) -> None:
        self.place = place
        if not place.exists():
            place.write_bytes(_NUMBER.pack(-1))
        with place.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _NUMBER.size)

    def arm(self, writes: int) -> None:
        """Let the server live for so many writes more; -1: for ever."""
        _NUMBER.pack_into(self._shared, 0, writes)

    def left(self) -> int:
        """Return the writes that are left."""
        return int(_NUMBER.unpack_from(self._shared, 0)[0])


def install(place: Path) -> None:
    """Let this process end at the bound in the file."""
    from django.db.backends.signals import connection_created

    bound, lock = Bound(place), threading.Lock()

    def execute(run: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = str(sql)
        if text.startswith(_WRITES) and not any(name in text for name in _COUNTS_NOT):
            with lock:
                left = bound.left()
                if left == 0:
                    bound.arm(-1)
                    os.kill(os.getpid(), signal.SIGKILL)
                if left > 0:
                    bound.arm(left - 1)
        return run(sql, params, many, context)

    def wrap(connection: Any, **_more: Any) -> None:
        if execute not in connection.execute_wrappers:
            connection.execute_wrappers.append(execute)

    connection_created.connect(wrap, weak=False)
