"""Locks between processes: one at a time prepares a house, one serves a house on SQLite, one grades its games, one
makes a backup that a browser fetches.

The system releases them when a process ends, for any reason.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection

from games.ops.system import calls

Say = Callable[[str], Any]
# Numbers that no other program uses in this database.
_ADVISORY, _ADVISORY_ANALYSER = 7_361_726_033, 7_361_726_034


@contextmanager
def preparing(say: Say) -> Iterator[None]:
    """Wait until no other process prepares this house, and lock it against others."""
    with _opened(Path(settings.DATA_DIR) / "prepare.lock") as fd:
        if not calls.lock(fd):
            say("Another start is preparing this house: waiting for it.")
            calls.lock(fd, wait=True)
        with _database_to_oneself():
            yield


@contextmanager
def _database_to_oneself() -> Iterator[None]:
    """Wait until no other machine prepares the same PostgreSQL database; on SQLite do nothing."""
    if connection.vendor != "postgresql":
        yield
        return
    # A connection of its own, whose end releases the lock: others are closed meanwhile.
    own: Any = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_ADVISORY])
        yield
    except DatabaseError as error:
        raise CommandError(f"The database can't be used: {' '.join(str(error).split())}") from error
    finally:
        own.close()


@contextmanager
def serving() -> Iterator[None]:
    """Be the only server on an SQLite database; raises CommandError if there is another."""
    if (path := _serving_path()) is None:
        yield
        return
    with _opened(path) as fd:
        if not calls.lock(fd):
            raise CommandError(
                f"The house in {path.parent} is open already{_by(path)}. On SQLite one server plays at a time: "
                "close that one first, give this one another folder (STAMMTISCH_DATA), or use PostgreSQL."
            )
        os.truncate(fd, 0)
        os.write(fd, str(os.getpid()).encode())
        yield


def is_serving() -> bool:
    """Tell whether a server runs on this SQLite database."""
    path = _serving_path()
    if path is None or not path.exists():
        return False
    with _opened(path) as fd:
        return not calls.lock(fd)


@contextmanager
def analysing() -> Iterator[bool]:
    """Be the only analyser of this database; yield False if there is another."""
    if connection.vendor == "postgresql":
        own: Any = connection.copy()
        try:
            with own.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [_ADVISORY_ANALYSER])
                is_taken = cursor.fetchone()[0]
            yield is_taken
        finally:
            own.close()
        return
    with _opened(Path(f"{settings.DATABASES['default']['NAME']}.analyser.lock")) as fd:
        yield calls.lock(fd)


def is_analysing() -> bool:
    """Tell whether an analyser works on this database."""
    with analysing() as is_free:
        return not is_free


@contextmanager
def fetching() -> Iterator[bool]:
    """Be the only one that makes a backup to be fetched; yield False if there is another."""
    with _opened(Path(settings.DATA_DIR) / "fetch.lock") as fd:
        yield calls.lock(fd)


def _serving_path() -> Path | None:
    if connection.vendor != "sqlite":
        return None
    return Path(f"{settings.DATABASES['default']['NAME']}.lock")


def _by(path: Path) -> str:
    number = path.read_text(encoding="ascii", errors="replace")
    return f" (process {number})" if number.isdigit() else ""


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Open a file of the data folder; raises CommandError, with the remedy, if nothing can be written there."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise CommandError(
            f"The house can't write in its folder {path.parent}: {error.strerror}. Let this user write there and make "
            "room on its disk, or give the house another folder (STAMMTISCH_DATA)."
        ) from None
    try:
        yield fd
    finally:
        os.close(fd)
