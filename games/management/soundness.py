"""A short look for faults of the database of a house on SQLite, when it opens and when it closes.

What is not reached in that time the nightly backup reads, which checks all of its copy.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

from django.core.management.base import CommandError
from django.db import connection

from games.management.backups import archive, sqlite

SECONDS, AGAIN_SECONDS = 3.0, 60.0
_INSTRUCTIONS = 10_000
_sound_at = -AGAIN_SECONDS
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def refuse_broken() -> None:
    """Raise CommandError, with the remedy, if the house's database is found broken; `play` asks once for all parts."""
    global _sound_at  # noqa: PLW0603
    if time.monotonic() - _sound_at < AGAIN_SECONDS:
        return
    if found := fault():
        raise CommandError(archive.broken(found))
    _sound_at = time.monotonic()


def fault() -> str:
    """Return the first fault of the house's database in SQLite's words; "" for none, and for none found in time."""
    if connection.vendor != "sqlite" or not (path := sqlite.path_of_house()).exists():
        return ""
    until = time.monotonic() + SECONDS
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=1)) as database:
            database.set_progress_handler(lambda: time.monotonic() > until, _INSTRUCTIONS)
            verdict = str(database.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        # Interrupted, locked, or on a disk that does not work: that is for others to tell.
        is_broken = getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN
        verdict = str(error) if is_broken else "ok"
    return "" if verdict == "ok" else " ".join(verdict.split())
