"""The checksum of each stored backup: in a file beside it, as `sha256sum -c` reads it, and in the database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from games.management.backups import faults
from games.models import StoredBackup
from games.ops.files import write_whole
from games.services.storage import stored_backups

ENDING = ".sha256"


def file_of(path: Path) -> Path:
    """Return the path of the file with a backup's checksum."""
    return path.with_name(f"{path.name}{ENDING}")


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal; raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def keep(path: Path) -> None:
    """Write the checksum of a backup as it is now beside it, and note it in the database; raises OSError."""
    found, made = digest(path), path.stat()
    write_whole(file_of(path), f"{found}  {path.name}\n")
    # The database of before an upgrade has no table for it: then the file alone tells until the next look.
    with suppress(DatabaseError), transaction.atomic():
        stored_backups.note(path.name, made.st_size, found, datetime.fromtimestamp(made.st_mtime, UTC))


def drop(paths: Iterable[Path]) -> None:
    """Delete backups with their checksums."""
    names = []
    for path in paths:
        path.unlink(missing_ok=True)
        file_of(path).unlink(missing_ok=True)
        names.append(path.name)
    with suppress(DatabaseError), transaction.atomic():
        stored_backups.forget(names)


def told_by_file(path: Path) -> str:
    """Return the checksum that the file beside a backup tells; "" without one."""
    try:
        return file_of(path).read_text(encoding="utf-8").partition(" ")[0].strip().lower()
    except (OSError, UnicodeDecodeError):
        return ""


def fault(path: Path, note: StoredBackup | None = None, *, is_read: bool = True) -> str:
    """Return in a sentence how a backup differs from what was written; "" if it does not, or nothing is known of that.

    The database's note counts before the file beside it. Without `is_read` only the size is compared, and what the last
    look found counts on.
    """
    try:
        size = path.stat().st_size
        if not size:
            return _("%(name)s is empty.") % {"name": path.name}
        if note is not None and size != note.size:
            text = _("%(name)s has %(size)s bytes, and had %(expected)s when it was written.")
            return text % {"name": path.name, "size": size, "expected": note.size}
        expected = note.sha256 if note is not None else told_by_file(path)
        if not is_read:
            return note.fault if note is not None else ""
        if not expected or digest(path) == expected:
            return ""
    except OSError as error:
        return _("%(name)s can't be read: %(error)s.") % {"name": path.name, "error": faults.words_of(error)}
    return _("%(name)s is not what was written: its checksum is another one.") % {"name": path.name}
