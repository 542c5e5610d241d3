"""Databases of a test run: migrated once for all its processes, then copied; cleared by deleting.

The migrations take seconds of processor time. All processes of a run share the folder
STAMMTISCH_DATA, where the first one to need an empty database leaves it for the others.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.db import connections, transaction
from django.test import TransactionTestCase

EMPTY_SQLITE, EMPTY_POSTGRESQL = "empty.sqlite3", "empty.sql"
UNSAFE = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
"""Of the test's own database alone, which nobody needs after a power cut; servers keep theirs."""


@cache
def shared_folder() -> Path:
    """Return the folder of this run; of this process, where it belongs to no run."""
    if folder := os.environ.get("STAMMTISCH_DATA"):
        return Path(folder)
    made = Path(tempfile.mkdtemp(prefix="stammtisch-empty-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@contextmanager
def made_once(name: str) -> Iterator[tuple[Path, bool]]:
    """Give the place of a file, and whether it has been made; if not, no other process makes it now."""
    place = shared_folder() / name
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield place, place.exists()


def keep(source: Path, place: Path) -> None:
    """Copy an SQLite database that may be open to its place, whole or not at all."""
    half = place.with_suffix(".half")
    with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(half)) as written:
        read.backup(written)
    half.replace(place)


def forget(own: Path) -> None:
    """Delete an SQLite database that an earlier run has left, with what belongs to it."""
    for end in ("", "-wal", "-shm"):
        own.with_name(own.name + end).unlink(missing_ok=True)


def copy_of_empty(target: Path, make: Callable[[Path], None]) -> None:
    """Put an empty SQLite database at `target`; `make(folder)` migrates one, where none is kept."""
    with made_once(EMPTY_SQLITE) as (place, is_made):
        if not is_made:
            with tempfile.TemporaryDirectory() as folder:
                make(Path(folder))
                keep(Path(folder) / target.name, place)
    shutil.copy(place, target)


def fill_postgresql(url: str, migrate: Callable[[], object]) -> None:
    """Give a new database of PostgreSQL its tables: from the dump of the first one, else by `migrate`."""
    import psycopg

    with made_once(EMPTY_POSTGRESQL) as (place, is_made):
        if is_made:
            with psycopg.connect(url, autocommit=True) as line:
                line.execute(place.read_bytes())
            return
        migrate()
        if text := _dumped(url):
            place.write_text(text)


def _dumped(url: str) -> str:
    """Return the statements that make a database; empty where pg_dump is missing or of another version."""
    program = shutil.which("pg_dump")
    if program is None:
        return ""
    command = [program, "--no-owner", "--no-privileges", "--inserts", f"--dbname={url}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Lines for psql alone begin with a backslash.
    lines = [line for line in done.stdout.splitlines() if not line.startswith("\\")]
    return "" if done.returncode else "\n".join(lines)


def proved_logs(path: Path) -> str:
    """Return what `check_logs` says of another SQLite database; raises CommandError for faults.

    In a thread of its own, where all that is asked goes to that database: starting a process for the command takes
    ten times as long as proving some tables.
    """
    from games.models.house import forget
    from games.services.tables import log

    other = connections["default"].copy()
    other.settings_dict["NAME"] = str(path)
    connections["default"] = other
    told = StringIO()
    # Rows of the tests' own database may have the same ids.
    log.forget_all()
    forget()
    try:
        call_command("check_logs", stdout=told)
    finally:
        other.close()
        log.forget_all()
        forget()
    return told.getvalue()


@contextmanager
def undone() -> Iterator[None]:
    """A transaction that is rolled back: around what a module's tests share, and around each of them."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def clear_quickly(case: TransactionTestCase) -> None:
    """Delete what a test with real transactions leaves, in place of `TransactionTestCase._fixture_teardown`.

    Django empties all tables and makes permissions and content types anew, which takes longer
    than most of the tests.
    """
    for alias in case._databases_names(include_mirrors=False):
        if alias not in _kept or not _delete(alias):
            call_command("flush", verbosity=0, interactive=False, database=alias, reset_sequences=False)
            _kept[alias] = _counts(alias, _tables(alias))


_kept: dict[str, dict[str, int]] = {}
"""How many rows each table has after Django's own clearing: database → table → rows."""


def _delete(alias: str) -> bool:
    """Delete the rows of a test; tell whether that was all."""
    kept = {name: count for name, count in _kept[alias].items() if count}
    filled = _filled(alias, [name for name in _tables(alias) if name not in kept])
    connection = connections[alias]
    with transaction.atomic(using=alias), connection.cursor() as cursor:
        for name in filled:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(name)}")
    return _counts(alias, list(kept)) == kept


_table_names: dict[str, list[str]] = {}


def _tables(alias: str) -> list[str]:
    if alias not in _table_names:
        found = connections[alias].introspection.django_table_names(only_existing=True, include_views=False)
        _table_names[alias] = sorted(found)
    return _table_names[alias]


def _asked(alias: str, statements: list[str]) -> list[tuple]:
    if not statements:
        return []
    with connections[alias].cursor() as cursor:
        cursor.execute(" UNION ALL ".join(statements))
        return cursor.fetchall()


def _filled(alias: str, names: list[str]) -> list[str]:
    quote = connections[alias].ops.quote_name
    rows = _asked(alias, [f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in names])
    return [name for (name,) in rows]


def _counts(alias: str, names: list[str]) -> dict[str, int]:
    quote = connections[alias].ops.quote_name
    return dict(_asked(alias, [f"SELECT '{name}', count(*) FROM {quote(name)}" for name in names]))
