"""The check of an archive before anything of it is used: whoever wrote it may have meant harm.

A dump of PostgreSQL can hold any SQL, which runs as the house's role: it is not checked, and only the command restores
it (docs/operations.md).
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tarfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from django.core.management.base import CommandError

from games.management.backups import faults, sqlite
from games.services.storage import log_files

_KEY = re.compile(r"[!-~]{32,200}")
"""The form of secret keys, of all versions of the house."""
_NOTHING = "Nothing was changed."


def check_members(members: Sequence[tarfile.TarInfo], folder: Path) -> None:
    """Refuse links, devices, names that come twice, and more than the disk has room for; raises CommandError."""
    names = [each.name for each in members]
    for each in members:
        if not each.isreg():
            raise CommandError(f"The backup's {each.name} is no plain file but a link or a device. {_NOTHING}")
        if names.count(each.name) > 1:
            raise CommandError(f"The backup has {each.name} twice. {_NOTHING}")
    needed, free = sum(each.size for each in members), shutil.disk_usage(folder).free
    if needed > free:
        text = f"The backup needs {needed // 1_000_000} MB, and {free // 1_000_000} MB are free in {folder.parent}"
        raise CommandError(f"{text}: make room. {_NOTHING}")


def check_key(path: Path) -> None:
    """Refuse a secret key that the house has not made; raises CommandError."""
    try:
        key = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        key = ""
    if not _KEY.fullmatch(key):
        raise CommandError(f"The backup's secret key is none that the house makes. {_NOTHING}")


def check_database(path: Path) -> None:
    """Refuse a broken SQLite database, and one that acts by itself (triggers, views); raises CommandError.

    No migration of the house makes a trigger, a view or a virtual table.
    """
    try:
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA cell_size_check = ON")
            found = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    except sqlite3.DatabaseError as error:
        raise _refused(error, path.parent) from None
    for kind, name, sql in found:
        is_virtual = re.match(r"\s*CREATE\s+VIRTUAL", str(sql or ""), re.IGNORECASE)
        if kind not in {"table", "index"} or is_virtual:
            what = "virtual table" if is_virtual else kind
            raise CommandError(f"The database in the backup has a {what} ({name}) that no house makes. {_NOTHING}")
    try:
        fault = sqlite.fault(path)
    except sqlite3.DatabaseError as error:
        raise _refused(error, path.parent) from None
    if fault:
        raise CommandError(f"The database in the backup is broken: {fault}. {_NOTHING}")


def _refused(error: sqlite3.Error, folder: Path) -> CommandError:
    """Return the refusal of a backup whose database can't be read: it is broken, or was unpacked on a full disk."""
    is_broken = faults.is_broken(error)
    text = f"The database in the backup is broken: {error}." if is_broken else faults.sentence(error, folder)
    return CommandError(f"{text} {_NOTHING}")


def check_logs(folder: Path) -> None:
    """Refuse a log file that does not unpack, or is not what its name says; raises CommandError."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if not log_files.is_whole(path):
            raise CommandError(f"The backup's {folder.name}/{path.name} is damaged. {_NOTHING}")
