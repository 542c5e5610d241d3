"""Backup and restore: one file with the database as it was at one moment, and the key.

SQLite is copied by its own backup interface, PostgreSQL by pg_dump: both give one consistent moment while play goes on,
with every move acknowledged before it. The file is a tar archive (`database.sqlite3` or `database.dump`, `secret_key`,
and the log files in `logs/`), readable by its owner only.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, connections, transaction

from games.ops.files import sync_folder
from games.services.logs import log_files

KEY, LOGS = "secret_key", "logs"
LAST = "backup.stamp"
"""The file in the data folder with the time of the last backup."""
MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
BEFORE, INCOMING = "before", "incoming"
"""Name prefixes of the schemas that a restore has replaced, and that it loads."""
_LOG_FILE = re.compile(rf"{LOGS}/[\w-]+{re.escape(log_files.ENDING)}")
PAGES_AT_ONCE = 1000
_PATIENCE_SECONDS = 30


def member() -> str:
    """Return the name of this house's database in a backup; raises CommandError."""
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
        copy, log_copies = Path(folder) / member(), Path(folder) / LOGS
        # Log files come and go while the database is copied: copy the files from before and after it.
        _copy_log_files(log_copies)
        (_copy_sqlite if connection.vendor == "sqlite" else _dump)(copy)
        _copy_log_files(log_copies)
        archive = Path(folder) / "backup"
        archive.touch(mode=0o600)
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(copy, copy.name)
            for kept in sorted(log_copies.iterdir()):
                tar.add(kept, f"{LOGS}/{kept.name}")
            if (key := settings.DATA_DIR / KEY).exists():
                tar.add(key, KEY)
        with archive.open("rb") as file:
            os.fsync(file.fileno())
        archive.replace(target)
    (settings.DATA_DIR / LAST).write_text(datetime.now(UTC).isoformat())
    return target.stat().st_size


def _copy_log_files(target: Path) -> None:
    """Copy the log files that are not in `target` yet; one that is deleted meanwhile is no loss."""
    target.mkdir(mode=0o700, exist_ok=True)
    for path in log_files.folder().glob(f"*{log_files.ENDING}"):
        if not (target / path.name).exists():
            with suppress(FileNotFoundError):
                _link_or_copy(path, target / path.name)


def _link_or_copy(source: Path, target: Path) -> None:
    """Make a hard link to a file that never changes if the file system can, else a copy."""
    try:
        target.hardlink_to(source)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, target)


def last() -> datetime | None:
    """Return the time of the last backup; None without one."""
    try:
        return datetime.fromisoformat((settings.DATA_DIR / LAST).read_text())
    except (OSError, ValueError):
        return None


def _sqlite_path() -> Path:
    return Path(str(settings.DATABASES["default"]["NAME"]))


def _copy_sqlite(copy: Path) -> None:
    """Copy the database while other processes write to it."""
    source = sqlite3.connect(f"{_sqlite_path().as_uri()}?mode=ro", uri=True)
    source.execute(f"PRAGMA busy_timeout = {_PATIENCE_SECONDS * 1000}")
    with closing(source), closing(sqlite3.connect(copy)) as target:
        # A read transaction for the whole copy: without it the copy would begin again at every write.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(target, pages=PAGES_AT_ONCE)


def _tool(name: str) -> str:
    if (found := shutil.which(name)) is None:
        raise CommandError(f"{name} is missing (on Debian and Ubuntu: postgresql-client).")
    return found


def _run_tool(name: str, *arguments: str) -> str:
    """Run a tool of PostgreSQL on this house's database; return its output. Raises CommandError."""
    # The password is passed in the environment: all users of the machine can read arguments.
    parameters = connection.get_connection_params()
    places = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD"}
    places |= {"dbname": "PGDATABASE", "sslmode": "PGSSLMODE"}
    variables = {place: str(parameters[key]) for key, place in places.items() if parameters.get(key)}
    done = subprocess.run(  # noqa: S603 (a tool of PostgreSQL's, no shell)
        [_tool(name), *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CommandError(f"{name} failed: {done.stderr.strip()[-2000:]}{_remedy(done.stderr)}")
    return done.stdout


def _remedy(error: str) -> str:
    """Return the remedy for an error of PostgreSQL; "" if none is known."""
    if "must be owner of schema" in error:
        return "\nA superuser can give the schema to the house's role: ALTER SCHEMA public OWNER TO the_role"
    return ""


def _dump(copy: Path) -> None:
    """Dump the database, without the schemas that earlier restores have kept in it."""
    kept = [f"--exclude-schema={name}_[0-9]*" for name in (BEFORE, INCOMING)]
    _run_tool("pg_dump", "--format=custom", "--no-owner", *kept, f"--file={copy}")


Prove: TypeAlias = Callable[[], None]
"""A function that brings the connected database up to this version, and raises CommandError if it has faults."""


def read(source: Path, prove: Prove = lambda: None) -> list[Path | str]:
    """Put a backup in the place of database and key, once it is proved; return the names of the replaced ones.

    No server may be running. Raises CommandError; then nothing has been changed.
    """
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=settings.DATA_DIR) as folder:
        found = _unpacked(source, Path(folder))
        copy = Path(folder) / member()
        if copy.name not in found:
            raise CommandError(f"{source} holds no {copy.name}: it is of another database.")
        connections.close_all()
        _add_log_files(Path(folder) / LOGS)
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        aside = (_replace_sqlite if connection.vendor == "sqlite" else _replace_schema)(copy, prove, stamp)
        if KEY in found:
            aside += _set_aside(settings.DATA_DIR / KEY, stamp)
            (Path(folder) / KEY).chmod(0o600)
            (Path(folder) / KEY).replace(settings.DATA_DIR / KEY)
        sync_folder(settings.DATA_DIR)
    return aside


def _unpacked(source: Path, folder: Path) -> set[str]:
    """Unpack the files that belong to a backup, and no others; return their names."""
    try:
        with tarfile.open(source) as tar:
            names = {name for name in tar.getnames() if name in {KEY, *MEMBERS.values()} or _LOG_FILE.fullmatch(name)}
            for name in names:
                tar.extract(name, folder, filter="data")
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise CommandError(f"{source} is no backup: {error}") from None
    return names


def _add_log_files(source: Path) -> None:
    """Add the backup's log files to the house's own: a name always has the same content.

    Housekeeping later deletes files that no table names.
    """
    if not source.is_dir():
        return
    log_files.folder().mkdir(mode=0o700, exist_ok=True)
    for path in source.iterdir():
        path.chmod(0o600)
        path.replace(log_files.folder() / path.name)
    sync_folder(log_files.folder())


@contextmanager
def _connected_to(**place: Any) -> Iterator[None]:
    """Connect Django to another database inside the context."""
    kept = {name: connection.settings_dict[name] for name in place}
    connection.close()
    connection.settings_dict.update(place)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(kept)


# SQLite: the file is replaced


def _replace_sqlite(copy: Path, prove: Prove, stamp: str) -> list[Path | str]:
    with closing(sqlite3.connect(copy)) as database:
        try:
            verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
        except sqlite3.DatabaseError as error:
            verdict = str(error)
    if verdict != "ok":
        raise CommandError(f"The database in the backup is broken: {verdict}")
    path = _sqlite_path()
    with _connected_to(NAME=str(copy)):
        prove()
    with copy.open("rb") as file:
        os.fsync(file.fileno())
    aside = _set_sqlite_aside(path, stamp)
    copy.chmod(0o600)
    copy.replace(path)
    return aside


def _set_sqlite_aside(path: Path, stamp: str) -> list[Path | str]:
    """Keep a database under new names, with the content of its WAL; return the names.

    The three files keep matching names: opened by its new name, the database finds its WAL. The WAL is emptied into the
    database first, unless another process prevents it.
    """
    if not path.exists():
        return []
    # Open until all have their new names: the last one to close deletes the WAL.
    with closing(sqlite3.connect(path)) as database:
        with suppress(sqlite3.Error):
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return [kept for end in ("", "-wal", "-shm") for kept in _set_aside(Path(f"{path}{end}"), stamp)]


def _set_aside(path: Path, stamp: str) -> list[Path | str]:
    """Rename a file before it is replaced; a restore deletes nothing."""
    if not path.exists():
        return []
    return [path.rename(path.with_name(f"before-{stamp}-{path.name}"))]


# PostgreSQL: the schema is replaced


def _replace_schema(copy: Path, prove: Prove, stamp: str) -> list[Path | str]:
    """Load a dump into an empty schema, prove it there, and put it in place of the house's schema."""
    end = stamp.replace("-", "_")
    incoming, before = f"{INCOMING}_{end}", f"{BEFORE}_{end}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        house = cursor.fetchone()[0]
    _load(copy, incoming)
    options = connection.settings_dict["OPTIONS"]
    inside = {**options, "options": f"{options.get('options', '')} -c search_path={incoming}"}
    try:
        with _connected_to(OPTIONS=inside):
            prove()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"ALTER SCHEMA {_quoted(house)} RENAME TO {before}")
            cursor.execute(f"ALTER SCHEMA {incoming} RENAME TO {_quoted(house)}")
    except BaseException:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {incoming} CASCADE")
        raise
    finally:
        connection.close()
    return [f"schema {before} (DROP SCHEMA {before} CASCADE when it is not needed any more)"]


def _load(copy: Path, incoming: str) -> None:
    """Load a dump into a new schema, in one transaction; raises CommandError.

    A dump names its schema with every object. A schema of that name is therefore renamed while the dump is loaded; no
    other connection sees this, because it happens inside the transaction.
    """
    dumped = _schema_of(copy)
    name, aside = _quoted(dumped), f"{incoming}_aside"
    body, script = copy.with_suffix(".body"), copy.with_suffix(".sql")
    options = ["--no-owner", "--no-privileges", f"--schema={dumped}", f"--file={body}"]
    _run_tool("pg_restore", *options, str(copy))
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [dumped])
        is_taken = cursor.fetchone() is not None
    connection.close()
    with script.open("wb") as whole, body.open("rb") as middle:
        if is_taken:
            whole.write(f"ALTER SCHEMA {name} RENAME TO {aside};\n".encode())
        whole.write(f"CREATE SCHEMA {name};\n".encode())
        shutil.copyfileobj(middle, whole)
        whole.write(f"\nALTER SCHEMA {name} RENAME TO {incoming};\n".encode())
        if is_taken:
            whole.write(f"ALTER SCHEMA {aside} RENAME TO {name};\n".encode())
    psql_options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"]
    _run_tool("psql", *psql_options, f"--file={script}")


def _schema_of(copy: Path) -> str:
    """Return the name of the schema in a dump; raises CommandError."""
    found = re.search(r" TABLE (\S+) django_migrations ", _run_tool("pg_restore", "--list", str(copy)))
    if found is None:
        raise CommandError("The backup holds no house's database.")
    return found[1]


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
