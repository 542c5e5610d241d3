"""SQLite: a copy of the database during play, its check, and a file that takes its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError

from games.management.backups import faults
from games.management.backups.other_database import Prove, connected_to
from games.ops.system import calls

PAGES_AT_ONCE = 1000
_PATIENCE_SECONDS = 30


def path_of_house() -> Path:
    """Return the path of the house's database file."""
    return Path(str(settings.DATABASES["default"]["NAME"]))


def is_left_open() -> bool:
    """Tell whether the last process that wrote the house's database did not close it."""
    wal = Path(f"{path_of_house()}-wal")
    return wal.exists() and wal.stat().st_size > 0


def copy_to(copy: Path, going_on: Callable[..., None] = lambda *_progress: None) -> None:
    """Copy the database while other processes write to it; `going_on` is called for every part of it."""
    try:
        source = _opened(path_of_house())
    except sqlite3.OperationalError as error:
        if faults.is_broken(error):
            raise
        source = _opened(_moved_aside(copy.parent))
    with closing(source), closing(sqlite3.connect(copy)) as target:
        source.backup(target, pages=PAGES_AT_ONCE, progress=going_on)


def _opened(path: Path) -> sqlite3.Connection:
    """Open a database in a read transaction: without it a copy would begin again at every write."""
    source = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        source.execute(f"PRAGMA busy_timeout = {_PATIENCE_SECONDS * 1000}")
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        source.close()
        raise
    return source


def _moved_aside(folder: Path) -> Path:
    """Copy the database with its WAL to a folder, and return its path there: its own disk is full or read-only.

    SQLite can't make the WAL's index on such a disk. A process that had the house open would have it already, so
    nobody writes to it.
    """
    path = path_of_house()
    for end in ("", "-wal"):
        if (file := Path(f"{path}{end}")).exists():
            shutil.copyfile(file, folder / file.name)
    return folder / path.name


def fault(path: Path, *, quick: bool = False) -> str:
    """Return the first fault of a database file in SQLite's words; "" for none. `quick` leaves out the indexes.

    Raises sqlite3.Error where it can't be read, which says nothing of the database.
    """
    check = "quick_check" if quick else "integrity_check"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as database:
            verdict = str(database.execute(f"PRAGMA {check}(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if not faults.is_broken(error):
            raise
        verdict = str(error)
    return "" if verdict == "ok" else " ".join(verdict.split())


def prove_copy(copy: Path, prove: Prove) -> None:
    """Bring a copy up to this version and prove it; raises CommandError."""
    with connected_to(NAME=str(copy)):
        try:
            prove()
        except DatabaseError as error:
            raise CommandError(f"{faults.sentence(error, copy.parent)} Nothing was changed.") from None
    with copy.open("rb+") as file:
        os.fsync(file.fileno())


def replace(copy: Path, stamp: str) -> list[Path | str]:
    """Put a proved copy in the place of the house's file; return the names of the replaced ones."""
    path = path_of_house()
    aside = _set_house_aside(path, stamp)
    copy.chmod(0o600)
    copy.replace(path)
    return aside


def _set_house_aside(path: Path, stamp: str) -> list[Path | str]:
    """Keep a database under new names, with the content of its WAL; return the names.

    The three files keep matching names: opened by its new name, the database finds its WAL. The WAL is emptied into the
    database first, unless another process prevents it.
    """
    if not path.exists():
        return []
    # Open until all have their new names, where that goes: the last one to close deletes the WAL.
    with closing(sqlite3.connect(path)) as database:
        with suppress(sqlite3.Error):
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if calls.MAY_MOVE_OPEN_FILES:
            return _set_all_aside(path, stamp)
    return _set_all_aside(path, stamp)


def _set_all_aside(path: Path, stamp: str) -> list[Path | str]:
    return [kept for end in ("", "-wal", "-shm") for kept in set_aside(Path(f"{path}{end}"), stamp)]


def set_aside(path: Path, stamp: str) -> list[Path | str]:
    """Rename a file before it is replaced; a restore deletes nothing."""
    if not path.exists():
        return []
    return [path.rename(path.with_name(f"before-{stamp}-{path.name}"))]
