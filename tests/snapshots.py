"""Snapshots of tables that are played within a test's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection

from games.kernel.records import changed
from games.services.tables import cache, commit, log


@contextmanager
def kept() -> Iterator[None]:
    """Within a test's transaction, keep the snapshots of commands at once, as a commit does; forget them in the end.

    A test's transaction is never committed: else each command would read its log anew. What plays many commands
    and changes no row by itself takes this around them.
    """
    if not connection.in_atomic_block:
        yield
        return
    write = commit._write

    def written(changes: Sequence[Any], now: datetime) -> None:
        write(changes, now)
        for each in changes:
            cache.keep(changed(each.after, open_now=None))

    commit._write = written
    try:
        yield
    finally:
        commit._write = write
        log.forget_all()
