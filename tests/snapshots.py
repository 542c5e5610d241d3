"""Snapshots of tables that are played within a test's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection

from games.kernel.records import changed
from games.services.tables import commit, log, snapshot

_write = commit._write


def _written_and_kept(changes: Sequence[Any], now: datetime) -> None:
    _write(changes, now)
    # Not in a transaction of the house's own: that one is committed, or rolled back.
    if any(block._from_testcase for block in connection.atomic_blocks):  # type: ignore[attr-defined]
        for each in changes:
            snapshot.keep(changed(each.after, open_now=None))


@contextmanager
def kept() -> Iterator[None]:
    """Within a test's transaction, keep the snapshots of commands at once, as a commit does; forget them in the end.

    A test's transaction is never committed: else each command would read its log anew. All tests have this around
    them (tests/conftest.py); what plays many commands takes it once more, so that what looks at them reads the log.
    """
    before, commit._write = commit._write, _written_and_kept
    try:
        yield
    finally:
        commit._write = before
        log.forget_all()
