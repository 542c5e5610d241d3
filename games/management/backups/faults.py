"""Faults of a database by their kind: broken, or on a disk that is full, read-only or away.

Only a broken database is told as broken: who restores a backup in the place of a whole one loses what was played since.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.ops.system import calls

_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BROKEN_STATES = {"XX001", "XX002"}
"""PostgreSQL's codes of a page and of an index that are damaged."""
_NUMBERS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
"""SQLite's primary result code → the system's number for the same."""
_MAY_WRITE = gettext_noop("Nothing can be written in %(folder)s: choose a folder in which you may write.")
_REMEDIES = {
    errno.ENOSPC: gettext_noop("The disk of %(folder)s is full: make room there, or choose a folder on another disk."),
    errno.EDQUOT: gettext_noop(
        "Your share of the disk of %(folder)s is used up: make room there, or choose a folder on another disk."
    ),
    errno.EROFS: gettext_noop(
        "The disk of %(folder)s is read-only, as a worn-out card becomes by itself: choose a folder in which you may "
        "write."
    ),
    errno.EIO: gettext_noop(
        "The disk of %(folder)s does not work: is it connected, is it worn out? Back up to another one."
    ),
    **dict.fromkeys((errno.EACCES, errno.EPERM), _MAY_WRITE),
}
_LEAST_FREE = 1 << 20
"""A disk with fewer free bytes is full: SQLite calls that an error of the disk where it makes its index of the WAL."""


def words_of(error: BaseException) -> str:
    """Return the words of an error on one line."""
    text = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return " ".join(text.split())


def is_broken(error: BaseException) -> bool:
    """Tell whether an error of a database (SQLite's, PostgreSQL's, or Django's of these) says that it is broken."""
    return _code(error) in _BROKEN or _sqlstate(error) in _BROKEN_STATES


def remedy(error: BaseException, *folders: Path) -> str:
    """Return what mends the disk of one of some folders, by an error of a file or database; "" for another error.

    Of several folders it is the first whose disk is full or read-only, else the first.
    """
    if (number := _number(error)) not in _REMEDIES:
        return ""
    seen = [(seen_number, folder) for folder in folders if (seen_number := _seen(folder))]
    if number in {errno.EIO, errno.EACCES} and seen:
        number, folder = seen[0]
    else:
        folder = next((folder for seen_number, folder in seen if seen_number == number), folders[0])
    return _(_REMEDIES[number]) % {"folder": folder}


def sentence(error: BaseException, *folders: Path) -> str:
    """Return the sentences about a database that can't be used and is not known to be broken."""
    mends, words = remedy(error, *folders), _("The database can't be used: %(error)s.") % {"error": words_of(error)}
    is_whole = _("It is not broken by that: restore nothing.")
    return f"{words} {mends} {is_whole}" if mends else words


def _number(error: BaseException) -> int:
    """Return the system's number of an error; 0 for one that has none."""
    if isinstance(error, OSError):
        return error.errno or 0
    return _NUMBERS.get(_code(error), 0)


def _code(error: BaseException) -> int:
    """Return SQLite's primary result code of an error or of its cause; 0 where there is none."""
    for each in (error, error.__cause__):
        if isinstance(each, sqlite3.Error) and (code := getattr(each, "sqlite_errorcode", 0)):
            return int(code) & 0xFF
    return 0


def _sqlstate(error: BaseException) -> str:
    return str(getattr(error.__cause__, "sqlstate", "") or "")


def _seen(folder: Path) -> int:
    """Return the number of what is wrong with a folder's disk, as it shows itself; 0 for nothing."""
    try:
        if calls.is_read_only(folder):
            return errno.EROFS
        return errno.ENOSPC if shutil.disk_usage(folder).free < _LEAST_FREE else 0
    except OSError:
        return 0
