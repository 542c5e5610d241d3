"""Log files: the logs of tables that ended long ago, compressed, in the data folder in place of rows.

A file holds one JSON array per entry, in the order of COLUMNS, gzipped; its name contains a digest of
its bytes, so that a file never changes and damage is noticed. `log.rows` reads rows and files
alike; all other code reads logs through it. The rows are deleted only in the transaction that stores the
name of the file, which is written and synced before.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import os
import time
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from games.kernel.contract import Illegal
from games.models import LogEntry, LogFile, Player, Table
from games.ops import logs
from games.ops.files import sync_folder

logger = logging.getLogger(__name__)

COLUMNS = ("seq", "command_id", "command", "seat", "actor_id", "events", "dice", "created_at", "throw")
ENDING = ".jsonl.gz"
BATCH = 50
KEEP_UNUSED = timedelta(days=30)
"""The time for which a file is kept that no table names: an older copy of the database may still need it."""


def folder() -> Path:
    """Return the folder of the files; it may not exist yet."""
    return Path(settings.DATA_DIR) / "logs"


def rows(table_id: int, after: int = 0, upto: int | None = None) -> list[LogEntry]:
    """Return the entries with after < seq <= upto from a table's file, oldest first; [] without a file.

    Raises Illegal `no_log_file` if the file is missing or damaged.
    """
    file = LogFile.objects.filter(table_id=table_id).first()
    if file is None:
        return []
    # Older files have no throws.
    found = (LogEntry(table_id=table_id, **dict(zip(COLUMNS, row, strict=False))) for row in _read(file.name))
    return [_with_time(row) for row in found if row.seq > after and (upto is None or row.seq <= upto)]


def _with_time(row: LogEntry) -> LogEntry:
    row.created_at = datetime.fromisoformat(str(row.created_at))
    return row


def is_whole(path: Path) -> bool:
    """Tell whether a file, wherever it is, can be unpacked and has the name of its content."""
    try:
        _unpack(path)
    except (OSError, EOFError, ValueError, zlib.error):
        return False
    return True


def _unpack(path: Path) -> list[list[Any]]:
    """Return the rows of a file; raises OSError, EOFError, ValueError, zlib.error."""
    packed = path.read_bytes()
    if _name(path.name.partition("-")[0], packed) != path.name:
        raise ValueError("the digest differs")
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def _read(name: str) -> list[list[Any]]:
    try:
        return _unpack(folder() / name)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        logs.log_event(logger, logging.ERROR, "log_files", "unreadable", text=f"{name}: {error}")
        raise Illegal("no_log_file") from None


def _name(public_id: str, packed: bytes) -> str:
    return f"{public_id}-{hashlib.sha256(packed).hexdigest()[:20]}{ENDING}"


def compress_old(now: datetime) -> int:
    """Move the logs of tables that ended COMPRESS_LOGS_DAYS ago into files; return the number of these tables."""
    if not settings.COMPRESS_LOGS_DAYS:
        return 0
    ended = Table.objects.filter(
        status=Table.Status.FINISHED,
        finished_at__lt=now - timedelta(days=settings.COMPRESS_LOGS_DAYS),
        log_file=None,
        seq__gt=0,
    )
    ids = list(ended.order_by("finished_at").values_list("pk", flat=True))
    for table_id in ids:
        compress(table_id)
    return len(ids)


def compress(table_id: int) -> None:
    """Move the log of a finished table into a file; raises Illegal `not_finished`, `no_such_table`."""
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        raise Illegal("no_such_table")
    if table.status != Table.Status.FINISHED:
        raise Illegal("not_finished")
    entries = list(LogEntry.objects.filter(table_id=table_id).order_by("seq"))
    if LogFile.objects.filter(table_id=table_id).exists() or not entries:
        return
    name = _write(table.public_id, entries)
    with transaction.atomic():
        locked = Table.objects.select_for_update(of=("self",)).get(pk=table_id)
        stored = LogEntry.objects.filter(table_id=table_id)
        # Another process may have been faster, or a player's name was deleted from the log meanwhile.
        if locked.seq != table.seq or _packed(stored.order_by("seq")) != _packed(entries):
            if not LogFile.objects.filter(name=name).exists():
                (folder() / name).unlink(missing_ok=True)
            return
        file = LogFile.objects.create(table_id=table_id, name=name)
        ids = {entry.actor_id for entry in entries if entry.actor_id is not None}
        file.actors.set(Player.objects.filter(pk__in=ids))
        stored.delete()


def _write(public_id: str, entries: Iterable[LogEntry]) -> str:
    """Write a file atomically; return its name."""
    packed = _packed(entries)
    name = _name(public_id, packed)
    folder().mkdir(mode=0o700, exist_ok=True)
    new = folder() / f".{name}.{os.getpid()}"
    try:
        with new.open("wb") as file:
            file.write(packed)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(0o600)
        new.replace(folder() / name)
    finally:
        new.unlink(missing_ok=True)
    sync_folder(folder())
    return name


def _packed(entries: Iterable[LogEntry]) -> bytes:
    lines = (json.dumps([_value(entry, column) for column in COLUMNS], separators=(",", ":")) for entry in entries)
    return gzip.compress("\n".join(lines).encode(), mtime=0)


def _value(entry: LogEntry, column: str) -> Any:
    value = getattr(entry, column)
    return value.isoformat() if isinstance(value, datetime) else value


@transaction.atomic
def bring_back(table_id: int) -> None:
    """Turn a table's file into rows again, so that they can be changed; the file is deleted after the commit.

    Does nothing without a file.
    """
    file = LogFile.objects.select_for_update().filter(table_id=table_id).first()
    if file is None:
        return
    LogEntry.objects.bulk_create(rows(table_id), batch_size=500)
    path = folder() / file.name
    file.delete()
    transaction.on_commit(lambda: path.unlink(missing_ok=True))


def acted_at(player_ids: Iterable[int]) -> set[int]:
    """Return the ids of the tables with a file in whose logs one of these players acted."""
    return set(LogFile.objects.filter(actors__in=player_ids).values_list("table_id", flat=True))


def join_actors(source: Player, target: Player) -> None:
    """Leave only `target` where both players acted, before `source` is merged into it."""
    for file in LogFile.objects.filter(actors=source).filter(actors=target):
        file.actors.remove(source)


def delete_unused(now: datetime) -> int:
    """Delete files that no table names, once they are older than KEEP_UNUSED; return their number."""
    used = set(LogFile.objects.values_list("name", flat=True))
    latest = time.time() - KEEP_UNUSED.total_seconds()
    unused = [path for path in all_files() if path.name not in used and path.stat().st_mtime < latest]
    for path in unused:
        path.unlink(missing_ok=True)
    return len(unused)


def all_files() -> Iterator[Path]:
    """Yield the files of this data folder."""
    if folder().is_dir():
        yield from folder().glob(f"*{ENDING}")
