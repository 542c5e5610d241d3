"""Erasing what deletions leave behind in the file of an SQLite database: in space that is free now, and in its WAL.

Every connection overwrites what it deletes (`secure_delete`, games/settings.py). But rows that SQLite has moved between
pages leave copies in space that nothing uses: only VACUUM, which writes the file anew, is sure to leave none. It is a
background task: done once somebody's data were deleted, while nobody plays, and within LONGEST in any case, as moves
wait while it runs. PostgreSQL overwrites free space as it needs it (docs/security.md).
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from django.db import OperationalError, connection

from games.models import LogEntry, Player
from games.services import server_time, tasks

QUIET = timedelta(minutes=5)
LONGEST = timedelta(hours=20)
"""The time within which data are erased although somebody plays: of a day that is promised, and tasks run hourly."""
PATIENCE_SECONDS = 10.0
_WAIT_MS = 200
_EPOCH = datetime(2020, 1, 1, tzinfo=UTC)


def is_needed_here() -> bool:
    """Tell whether the database is SQLite, whose file keeps deleted data until it is written anew."""
    return connection.vendor == "sqlite"


def run_as_task() -> str:
    """Erase what was deleted since the last time, unless somebody plays; return what was done. Raises TaskFailed."""
    now = server_time.now()
    deleted = Player.objects.filter(deleted_at__gte=_erased_at()).order_by("deleted_at")
    first = deleted.values_list("deleted_at", flat=True).first()
    if first is None or (_is_somebody_playing(now) and now - first < LONGEST):
        return ""
    count = deleted.count()
    try:
        _write_anew(now)
    except OperationalError as error:
        raise tasks.TaskFailed(f"The database's file can't be written anew: {error}.") from None
    return f"people={count}"


def _is_somebody_playing(now: datetime) -> bool:
    last = LogEntry.objects.order_by("-pk").values_list("created_at", flat=True).first()
    return last is not None and now - last < QUIET


def _write_anew(now: datetime) -> None:
    """Write the whole database anew, empty its WAL, and note the time of it; raises OperationalError, TaskFailed."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        _empty_wal()
        cursor.execute(f"PRAGMA user_version = {int((now - _EPOCH).total_seconds())}")


def _empty_wal() -> None:
    """Empty the WAL; raises TaskFailed if others read in it all the time. Moves wait for a moment of each try only."""
    until = time.monotonic() + PATIENCE_SECONDS
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
        try:
            while cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                if time.monotonic() > until:
                    raise tasks.TaskFailed("The database's WAL can't be emptied: another program reads in it.")
                tasks.check_going_on()
                time.sleep(_WAIT_MS / 1000)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {before}")


def _erased_at() -> datetime:
    """Return the time of the last erasing; it is in the file itself, whose backups come back with what they hold."""
    with connection.cursor() as cursor:
        seconds = cursor.execute("PRAGMA user_version").fetchone()[0]
    return _EPOCH + timedelta(seconds=seconds)
