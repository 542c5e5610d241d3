"""Backup and restore: one file with the database as it was at one moment, and the key.

SQLite is copied by its own backup interface, PostgreSQL by pg_dump: both give one consistent moment while play goes on,
with every move acknowledged before it. The file is a tar archive (`database.sqlite3` or `database.dump`, `secret_key`,
the log files in `logs/`, and `backup.json` with version and time), readable by its owner only.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, connections

from games import json_text
from games.command_line import shell_command
from games.management.backups import postgres, sqlite, trust
from games.management.backups.elsewhere import Prove
from games.ops.files import sync_folder
from games.services.logs import log_files
from games.version import version

KEY, LOGS, ABOUT = "secret_key", "logs", "backup.json"
LAST = "backup.stamp"
"""The file in the data folder with the time of the last backup."""
MEMBERS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
_LOG_FILE = re.compile(rf"{LOGS}/[\w-]+{re.escape(log_files.ENDING)}")


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
    with _told(target.parent), tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as folder:
        copy, log_copies = Path(folder) / member(), Path(folder) / LOGS
        # Log files come and go while the database is copied: copy the files from before and after it.
        _copy_log_files(log_copies)
        if connection.vendor == "sqlite":
            sqlite.copy_to(copy)
            _refuse_broken(copy)
        else:
            postgres.dump(copy)
        _copy_log_files(log_copies)
        archive = Path(folder) / "backup"
        archive.touch(mode=0o600)
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(copy, copy.name)
            for kept in sorted(log_copies.iterdir()):
                tar.add(kept, f"{LOGS}/{kept.name}")
            if (key := settings.DATA_DIR / KEY).exists():
                tar.add(key, KEY)
            tar.add(_written_about(Path(folder) / ABOUT), ABOUT)
        with archive.open("rb") as file:
            os.fsync(file.fileno())
        archive.replace(target)
    with suppress(OSError):
        (settings.DATA_DIR / LAST).write_text(datetime.now(UTC).isoformat())
    return target.stat().st_size


def _refuse_broken(copy: Path) -> None:
    """Raise CommandError if a copy of the database is broken: a backup of it could not be restored."""
    if fault := sqlite.fault(copy):
        raise CommandError(f"No backup was written, and earlier ones are kept. {broken(fault)}")


def refuse_after_crash() -> None:
    """Raise CommandError if the last server on SQLite did not end by itself and has left a broken database."""
    if connection.vendor != "sqlite" or not sqlite.is_left_open():
        return
    if fault := sqlite.fault(sqlite.path_of_house(), quick=True):
        raise CommandError(broken(fault))


def broken(fault: str) -> str:
    """Return the sentences about a broken database, with the remedy."""
    when = f", of {found:%Y-%m-%d %H:%M} UTC" if (found := last()) else ""
    command = shell_command("restore FILE")
    return f"The database is broken: {fault}. Stop the house, and restore the last backup{when}: {command}"


_REMEDIES = {
    errno.ENOSPC: "Its disk is full: make room, or choose a folder on another disk.",
    errno.EDQUOT: "Your share of its disk is used up: make room, or choose a folder on another disk.",
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "Choose a folder in which you may write."),
}


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """Turn errors of the disk and of SQLite into CommandErrors with the remedy."""
    try:
        yield
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, "")
        raise CommandError(f"No backup was written to {folder}: {error.strerror or error}. {remedy}".strip()) from None
    except sqlite3.Error as error:
        if "full" in str(error):
            text = f"No backup was written to {folder}: {error}. {_REMEDIES[errno.ENOSPC]}"
            raise CommandError(text) from None
        raise CommandError(f"No backup was written, and earlier ones are kept. {broken(str(error))}") from None


def _written_about(path: Path) -> Path:
    """Write what a backup is of: the version of the house, and the time in UTC."""
    path.write_text(json.dumps({"version": version(), "made_at": datetime.now(UTC).isoformat(timespec="seconds")}))
    return path


def about(source: Path) -> dict[str, str]:
    """Return version and time of a backup; empty for one of version 0.1.0, or for another file."""
    try:
        with tarfile.open(source) as tar, tar.extractfile(ABOUT) as member:  # type: ignore[union-attr]
            found = json_text.read(member.read(10_000).decode())
    except (OSError, EOFError, KeyError, AttributeError, ValueError, zlib.error, tarfile.TarError):
        return {}
    return {name: str(found[name]) for name in ("version", "made_at") if isinstance(found, dict) and name in found}


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


def read(source: Path, prove: Prove = lambda: None) -> list[Path | str]:
    """Put a backup in the place of database and key, once it is proved; return the names of the replaced ones.

    No server may be running. Raises CommandError; then nothing has been changed.
    """
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=settings.DATA_DIR) as folder:
        found = unpacked(source, Path(folder))
        copy = Path(folder) / member()
        if copy.name not in found:
            raise CommandError(f"{source} holds no {copy.name}: it is of another database.")
        connections.close_all()
        _add_log_files(Path(folder) / LOGS)
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        replace = sqlite.replace if connection.vendor == "sqlite" else postgres.replace
        aside = replace(copy, prove, stamp)
        if KEY in found:
            aside += sqlite.set_aside(settings.DATA_DIR / KEY, stamp)
            (Path(folder) / KEY).chmod(0o600)
            (Path(folder) / KEY).replace(settings.DATA_DIR / KEY)
        sync_folder(settings.DATA_DIR)
    return aside


def unpacked(source: Path, folder: Path) -> set[str]:
    """Unpack the files that belong to a backup, and no others; return their names. Raises CommandError.

    Nothing of an archive is believed: what is not of the form that the house writes is refused.
    """
    try:
        with tarfile.open(source) as tar:
            members = [each for each in tar if _belongs(each.name)]
            trust.check_members(members, folder)
            for each in members:
                tar.extract(each, folder, filter="data")
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
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
