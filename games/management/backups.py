"""Backup and restore: one file with the database as it was at one moment, and the key.

SQLite is copied by its own backup interface, PostgreSQL by pg_dump: both give one consistent
moment while the house plays on, with every move that was acknowledged before. The file is a
tar archive (`database.sqlite3` or `database.dump`, `secret_key`), readable by its owner only.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, connections

KEY = "secret_key"
MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
PAGES_AT_ONCE = 1000
_PATIENCE_SECONDS = 30


def member() -> str:
    """Return the name that this house's database has in a backup; raises CommandError."""
    if (name := MEMBERS.get(connection.vendor)) is None:
        raise CommandError(f"A {connection.vendor} database is not backed up by this command.")
    return name


def write(target: Path) -> int:
    """Write a backup, whole or not at all; return its size in bytes. Raises CommandError."""
    if target.exists():
        raise CommandError(f"{target} is there already; a backup overwrites nothing.")
    if not target.parent.is_dir():
        raise CommandError(f"There is no folder {target.parent}.")
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as folder:
        copy = Path(folder) / member()
        (_copy_sqlite if connection.vendor == "sqlite" else _dump)(copy)
        archive = Path(folder) / "backup"
        archive.touch(mode=0o600)
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(copy, copy.name)
            if (key := settings.DATA_DIR / KEY).exists():
                tar.add(key, KEY)
        with archive.open("rb") as file:
            os.fsync(file.fileno())
        archive.replace(target)
    return target.stat().st_size


def _sqlite_path() -> Path:
    return Path(str(settings.DATABASES["default"]["NAME"]))


def _copy_sqlite(copy: Path) -> None:
    """Copy the database while others write to it."""
    source = sqlite3.connect(f"{_sqlite_path().as_uri()}?mode=ro", uri=True)
    source.execute(f"PRAGMA busy_timeout = {_PATIENCE_SECONDS * 1000}")
    with closing(source), closing(sqlite3.connect(copy)) as target:
        # A reader's moment, held for as long as the copy takes: else it would begin anew
        # whenever somebody writes.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(target, pages=PAGES_AT_ONCE)


def _tool(name: str) -> str:
    if (found := shutil.which(name)) is None:
        raise CommandError(f"{name} is missing (on Debian and Ubuntu: postgresql-client).")
    return found


def _run_tool(name: str, *arguments: str) -> None:
    """Run a tool of PostgreSQL on this house's database; raises CommandError."""
    # The password goes by the environment: arguments can be read by everybody on the machine.
    known = connection.get_connection_params()
    places = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD"}
    places |= {"dbname": "PGDATABASE", "sslmode": "PGSSLMODE"}
    given = {place: str(known[key]) for key, place in places.items() if known.get(key)}
    done = subprocess.run(  # noqa: S603 (a tool of PostgreSQL's, no shell)
        [_tool(name), *arguments],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CommandError(f"{name} failed: {done.stderr.strip()[-2000:]}")


def _dump(copy: Path) -> None:
    _run_tool("pg_dump", "--format=custom", "--no-owner", f"--file={copy}")


def read(source: Path) -> list[Path]:
    """Put a backup in place of the database and the key; return what was set aside.

    Nobody may be serving. Raises CommandError, and then nothing has been changed.
    """
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=settings.DATA_DIR) as folder:
        found = _unpacked(source, Path(folder))
        copy = Path(folder) / member()
        if copy.name not in found:
            raise CommandError(f"{source} holds no {copy.name}: it is of another database.")
        connections.close_all()
        aside = _replace_sqlite(copy) if connection.vendor == "sqlite" else _load_dump(copy)
        if KEY in found:
            aside += _set_aside(settings.DATA_DIR / KEY)
            (Path(folder) / KEY).replace(settings.DATA_DIR / KEY)
            (settings.DATA_DIR / KEY).chmod(0o600)
    return aside


def _unpacked(source: Path, folder: Path) -> set[str]:
    """Unpack what belongs to a backup, and nothing else; return the names."""
    try:
        with tarfile.open(source) as tar:
            names = {KEY, *MEMBERS.values()} & set(tar.getnames())
            for name in names:
                tar.extract(name, folder, filter="data")
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise CommandError(f"{source} is no backup: {error}") from None
    return names


def _replace_sqlite(copy: Path) -> list[Path]:
    with closing(sqlite3.connect(copy)) as database:
        try:
            verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
        except sqlite3.DatabaseError as error:
            verdict = str(error)
    if verdict != "ok":
        raise CommandError(f"The database in the backup is broken: {verdict}")
    path = _sqlite_path()
    aside = [kept for end in ("", "-wal", "-shm") for kept in _set_aside(Path(f"{path}{end}"))]
    copy.replace(path)
    return aside


def _load_dump(copy: Path) -> list[Path]:
    options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
    name = str(settings.DATABASES["default"]["NAME"])
    _run_tool("pg_restore", *options, f"--dbname={name}", str(copy))
    return []


def _set_aside(path: Path) -> list[Path]:
    """Rename a file that is to be replaced; a restore throws nothing away."""
    if not path.exists():
        return []
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    kept = path.with_name(f"before-{stamp}-{path.name}")
    return [path.rename(kept)]
