"""Backup and restore: one file with the database as it was at one moment, and the key.

SQLite is copied by its own backup interface, PostgreSQL by pg_dump: both give one consistent moment while play goes on,
with every move acknowledged before it. The file is a tar archive (`database.sqlite3` or `database.dump`, `secret_key`,
the log files in `logs/`, and `backup.json` with version and time), encrypted where BACKUP_KEY is set, and readable by
its owner only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, connections

from games import json_text
from games.command_line import shell_command
from games.management.backups import encryption, faults, postgres, sources, sqlite, transfer, trust
from games.management.backups.other_database import Prove, connected_to
from games.management.locks import Say
from games.ops.files import sync_folder
from games.services.storage import log_files
from games.version import version

KEY, LOGS, ABOUT = "secret_key", "logs", "backup.json"
LAST = "backup.stamp"
"""The file in the data folder with the time of the last backup."""
MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
UNFINISHED = ".backup-"
"""Begin of the name of the folder in which a backup is made."""
UNPACKED = ".restore-"
"""Begin of the name of a folder in which one is unpacked."""
GoingOn = Callable[..., None]
"""A function that is called now and then, and raises an exception to leave a backup unfinished."""
_LOG_FILE = re.compile(rf"{LOGS}/[\w-]+{re.escape(log_files.ENDING)}")


def member() -> str:
    """Return the name of this house's database in a backup; raises CommandError."""
    if (name := MEMBERS.get(connection.vendor)) is None:
        raise CommandError(f"A {connection.vendor} database is not backed up by this command.")
    return name


def usual_folder() -> Path:
    """Return the folder of backups without BACKUP_FOLDER."""
    return Path(settings.DATA_DIR) / "backups"


def write(target: Path, going_on: GoingOn = lambda *_progress: None) -> int:
    """Write a backup, whole or not at all; return its size in bytes. Raises CommandError."""
    if target.exists():
        raise CommandError(f"{target} is there already; a backup overwrites nothing.")
    if not target.parent.is_dir():
        raise CommandError(f"There is no folder {target.parent}.")
    with _told(target.parent), tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=target.parent) as folder:
        copy, log_copies = Path(folder) / member(), Path(folder) / LOGS
        # Log files come and go while the database is copied: copy the files from before and after it.
        _copy_log_files(log_copies)
        if connection.vendor == "sqlite":
            sqlite.copy_to(copy, going_on)
            _refuse_broken(copy)
        else:
            postgres.dump(copy)
        _copy_log_files(log_copies)
        going_on()
        made = _packed(Path(folder), [copy, *sorted(log_copies.iterdir())])
        with made.open("rb+") as file:
            os.fsync(file.fileno())
        made.replace(target)
    with suppress(OSError):
        (settings.DATA_DIR / LAST).write_text(datetime.now(UTC).isoformat())
    return target.stat().st_size


def _packed(folder: Path, found: list[Path]) -> Path:
    """Pack database and logs, with the key and what they are of, into one file of the folder, and return it."""
    packed = folder / "backup"
    packed.touch(mode=0o600)
    with tarfile.open(packed, "w:gz") as tar:
        for path in found:
            tar.add(path, str(path.relative_to(folder)))
        if (key := settings.DATA_DIR / KEY).exists():
            tar.add(key, KEY)
        tar.add(_written_about(folder / ABOUT), ABOUT)
    if not settings.BACKUP_KEY:
        return packed
    encrypted = folder / "encrypted"
    encrypted.touch(mode=0o600)
    encryption.encrypt(packed, encrypted)
    return encrypted


def _refuse_broken(copy: Path) -> None:
    """Raise CommandError if a copy of the database is broken: a backup of it could not be restored."""
    if fault := sqlite.fault(copy):
        raise CommandError(f"No backup was written, and earlier ones are kept. {broken(fault)}")


def refuse_after_crash() -> None:
    """Raise CommandError if the last server on SQLite did not end by itself and has left a broken database."""
    if connection.vendor != "sqlite" or not sqlite.is_left_open():
        return
    path = sqlite.path_of_house()
    try:
        fault = sqlite.fault(path, quick=True)
    except sqlite3.Error as error:
        raise CommandError(told(error, path.parent)) from None
    if fault:
        raise CommandError(broken(fault))


def broken(fault: str) -> str:
    """Return the sentences about a broken database, with the remedy."""
    when = f", of {found:%Y-%m-%d %H:%M} UTC" if (found := last()) else ""
    command = shell_command("restore FILE")
    return f"The database is broken: {fault}. Stop the house, and restore the last backup{when}: {command}"


def told(error: Exception, *folders: Path) -> str:
    """Return the sentences about a database that can't be used, with the remedy; the folders are of its disks."""
    return broken(faults.words_of(error)) if faults.is_broken(error) else faults.sentence(error, *folders)


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Turn errors of the disk and of SQLite into CommandErrors with the remedy."""
    try:
        yield
    except OSError as error:
        remedy = faults.remedy(error, folder)
        raise CommandError(f"No backup was written to {folder}: {faults.words_of(error)}. {remedy}".strip()) from None
    except sqlite3.Error as error:
        text = told(error, folder, sqlite.path_of_house().parent)
        raise CommandError(f"No backup was written, and earlier ones are kept. {text}") from None


def _written_about(path: Path) -> Path:
    """Write what a backup is of: the version of the house, and the time in UTC."""
    found = {"version": version(), "made_at": datetime.now(UTC).isoformat(timespec="seconds")}
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


def about(source: Path) -> dict[str, str]:
    """Return version and time of a backup; empty for one of version 0.1.0, or for another file."""
    try:
        with _archive_of(source) as tar, tar.extractfile(ABOUT) as member:  # type: ignore[union-attr]
            found = json_text.read(member.read(10_000).decode())
    except (OSError, EOFError, KeyError, AttributeError, ValueError, zlib.error, tarfile.TarError):
        return {}
    return {name: str(found[name]) for name in ("version", "made_at") if isinstance(found, dict) and name in found}


@contextmanager
def _archive_of(source: Path) -> Iterator[tarfile.TarFile]:
    """Open the archive of a backup; raises CommandError for one of another key, OSError, TarError."""
    with (
        tempfile.TemporaryDirectory(prefix=UNPACKED, dir=settings.DATA_DIR) as folder,
        encryption.opened(source, Path(folder)) as path,
        tarfile.open(path) as tar,
    ):
        yield tar


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


def read(source: Path, prove: Prove = lambda: None, say: Say = lambda _text: None) -> list[Path | str]:
    """Put a backup in the place of database and key, once it is proved; return the names of the replaced ones.

    No server may be running. Raises CommandError; then nothing has been changed.
    """
    with tempfile.TemporaryDirectory(prefix=UNPACKED, dir=settings.DATA_DIR) as folder:
        found = unpacked(source, Path(folder))
        if not found & set(MEMBERS.values()):
            raise CommandError(f"{source} holds no database.")
        connections.close_all()
        into = _into_sqlite if connection.vendor == "sqlite" else _into_postgresql
        return into(Path(folder), prove, say)


def _into_sqlite(folder: Path, prove: Prove, say: Say) -> list[Path | str]:
    """Restore what was unpacked into a house on SQLite."""
    copy, dump = folder / MEMBERS["sqlite"], folder / MEMBERS["postgresql"]
    if not copy.exists():
        with connected_to(NAME=str(copy)):
            _moved(sources.Dump(dump), say)
    sqlite.prove_copy(copy, prove)
    return put_in_place(folder)


def _into_postgresql(folder: Path, prove: Prove, say: Say) -> list[Path | str]:
    """Restore what was unpacked into a house on PostgreSQL."""
    copy, dump = folder / MEMBERS["sqlite"], folder / MEMBERS["postgresql"]

    def load(schema: str) -> None:
        if dump.exists():
            postgres.load(dump, schema)
            return
        postgres.make_schema(schema)
        with postgres.inside(schema), sources.sqlite_file(copy) as file:
            _moved(file, say)

    stamp = new_stamp()
    _add_log_files(folder / LOGS)
    aside = postgres.replace(load, prove, stamp)
    return aside + _put_key(folder, stamp)


def _moved(source: transfer.BackupSource, say: Say) -> None:
    """Fill the connected database from one of the other kind, and say what was proved."""
    proofs = transfer.fill(source)
    for proof in proofs:
        if proof.rows:
            say(f"{proof.table}: {proof.rows} rows, the same in both databases ({proof.digest[:16]})")
    say(f"{len(proofs)} tables and {sum(proof.rows for proof in proofs)} rows were moved and compared.")


def put_in_place(folder: Path) -> list[Path | str]:
    """Put a proved SQLite database, key and logs of a folder in place; return the names of the replaced ones."""
    stamp = new_stamp()
    _add_log_files(folder / LOGS)
    return sqlite.replace(folder / MEMBERS["sqlite"], stamp) + _put_key(folder, stamp)


def new_stamp() -> str:
    """Return a name for what is set aside now."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")


def _put_key(folder: Path, stamp: str) -> list[Path | str]:
    """Put the secret key of a folder, if it has one, in place; return the name of the replaced one."""
    key, house_key = folder / KEY, Path(settings.DATA_DIR) / KEY
    aside: list[Path | str] = []
    if key.exists():
        aside = sqlite.set_aside(house_key, stamp)
        key.chmod(0o600)
        key.replace(house_key)
    sync_folder(settings.DATA_DIR)
    return aside


def unpacked(source: Path, folder: Path) -> set[str]:
    """Unpack the files that belong to a backup, and no others; return their names. Raises CommandError.

    Nothing of an archive is believed: what is not of the form that the house writes is refused.
    """
    try:
        with _archive_of(source) as tar:
            members = [each for each in tar if _belongs(each.name)]
            trust.check_members(members, folder)
            for each in members:
                tar.extract(each, folder, filter="data")
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        if remedy := faults.remedy(error, folder.parent):
            text = f"{source} can't be read or unpacked: {faults.words_of(error)}. {remedy} Nothing was changed."
            raise CommandError(text) from None
        raise CommandError(f"{source} is no backup: {error}") from None
    names = {each.name for each in members}
    if KEY in names:
        trust.check_key(folder / KEY)
    if MEMBERS["sqlite"] in names:
        trust.check_database(folder / MEMBERS["sqlite"])
    trust.check_logs(folder / LOGS)
    return names


def _belongs(name: str) -> bool:
    return name in {KEY, *MEMBERS.values()} or _LOG_FILE.fullmatch(name) is not None


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
