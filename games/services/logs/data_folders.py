"""The data folders whose servers share a PostgreSQL: each has an id, and one of them has all log files.

Two machines with a folder each would split the logs from the day on at which they become files
(games/services/storage/log_files.py), and each one's backup would lack half of them.
"""

from __future__ import annotations

import re
import secrets
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from games.models import DataFolder, LogFile
from games.ops.files import make_once
from games.services.storage import log_files

FILE = "folder_id"
ALIVE = timedelta(hours=1)
"""A folder counts as in use when its servers wrote so within this time."""
RENEW_SECONDS = 600.0
_ID = re.compile(r"[0-9a-f]{32}")
_renew_at = 0.0


class Split(Exception):
    """Another data folder is in the way; the text says why, and what to do."""


def own_id() -> str:
    """Return the id of the data folder, made at the first call; raises OSError."""
    path = Path(settings.DATA_DIR) / FILE
    for _ in range(2):
        if not path.exists():
            make_once(path, secrets.token_hex(16))
        if _ID.fullmatch(found := path.read_text(encoding="ascii", errors="replace").strip()):
            return found
        # Broken by a full disk of former times: a new id is a new folder.
        path.unlink()
    raise OSError(f"{path} can't be written")


def is_shared() -> bool:
    """Tell whether several data folders can be used with this database: SQLite is in one of them."""
    return connection.vendor == "postgresql"


def others() -> list[DataFolder]:
    """Return the other data folders that are in use or have the log files."""
    return [each for each in DataFolder.objects.exclude(pk=own_id()) if each.writes_logs or is_alive(each)]


def is_alive(folder: DataFolder) -> bool:
    """Tell whether the servers of a folder wrote of late that they run."""
    now: datetime = timezone.now()
    return now - ALIVE < folder.seen_at <= now + ALIVE


def missing_files() -> int:
    """Return how many log files that the database names are not in this folder."""
    names = set(LogFile.objects.values_list("name", flat=True))
    return len(names - {path.name for path in log_files.all_files()})


def _lock() -> None:
    """Wait for others that register: of two first starts at once the second one sees the first one's row."""
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {DataFolder._meta.db_table} IN EXCLUSIVE MODE")


@transaction.atomic
def register() -> None:
    """Write that a server of this folder runs; raises Split, with nothing written, and OSError."""
    if not is_shared():
        return
    _lock()
    found, writes = others(), bool(settings.COMPRESS_LOGS_DAYS)
    if not settings.IS_SECRET_KEY_SET and any(map(is_alive, found)):
        raise Split(
            "Another data folder is in use with this database, and SECRET_KEY is not set: each would have a key of its "
            "own. Set the same SECRET_KEY (or SECRET_KEY_FILE) everywhere, or let all servers share one folder "
            "(STAMMTISCH_DATA)."
        )
    for each in found:
        is_used = is_alive(each)
        if (writes and is_used) or (each.writes_logs and (is_used or missing_files())):
            raise Split(
                f"Another data folder ({each.pk[:8]}, last used {each.seen_at:%Y-%m-%d %H:%M} UTC) belongs to this "
                "database; the logs would be torn apart. Let all servers share one data folder (STAMMTISCH_DATA), or "
                "set COMPRESS_LOGS_DAYS=0 for all and restart the first ones before the new ones."
            )
    DataFolder.objects.exclude(pk=own_id()).update(writes_logs=False)
    DataFolder.objects.update_or_create(pk=own_id(), defaults={"seen_at": Now(), "writes_logs": writes})


@transaction.atomic
def make_only() -> None:
    """Forget all other data folders; log files that only they have can no longer be read."""
    if is_shared():
        DataFolder.objects.exclude(pk=own_id()).delete()


def note_running() -> None:
    """Write every RENEW_SECONDS that servers of this folder run; raises DatabaseError, OSError."""
    global _renew_at  # noqa: PLW0603
    if time.monotonic() >= _renew_at and is_shared():
        DataFolder.objects.filter(pk=own_id()).update(seen_at=Now())
        _renew_at = time.monotonic() + RENEW_SECONDS


def may_write() -> bool:
    """Tell whether logs may become files in this folder: no other one has them."""
    return not is_shared() or not DataFolder.objects.exclude(pk=own_id()).filter(writes_logs=True).exists()
