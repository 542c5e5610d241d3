"""Files that survive a power cut."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from games.ops.system import calls

_READ_SECONDS = 2.0


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names in it survive a power cut; Windows opens no folder, and keeps a journal."""
    if calls.IS_WINDOWS:
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def disk_of(path: Path) -> str:
    """Return a name of the disk that a path is on, the same for all its partitions where the system tells them.

    Raises OSError.
    """
    number = path.stat().st_dev
    if sys.platform == "win32":
        return str(number)
    try:
        place = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve(strict=True)
    except OSError:
        return str(number)
    return str(place.parent if (place / "partition").exists() else place)


def write_whole(path: Path, text: str) -> None:
    """Write a file under its name at once: a reader finds the old text or the new one; raises OSError."""
    with _written(path, text) as new:
        _put(new, path)
    sync_folder(path.parent)


def make_once(path: Path, text: str) -> None:
    """Write a file that is not there yet, whole or not at all; of several that do so the first wins. Raises OSError."""
    with _written(path, text) as new:
        try:
            os.link(new, path)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            _put(new, path)
    sync_folder(path.parent)


def _put(new: Path, path: Path) -> None:
    """Give a file another one's name; where that one can't be replaced while it is read, soon. Raises OSError."""
    until = time.monotonic() + (0 if calls.MAY_MOVE_OPEN_FILES else _READ_SECONDS)
    while True:
        try:
            new.replace(path)
            return
        except PermissionError:
            if time.monotonic() >= until:
                raise
            time.sleep(_READ_SECONDS / 20)


@contextmanager
def _written(path: Path, text: str) -> Iterator[Path]:
    """Write a text, synced, under a name beside a file's; what still has that name at the end is deleted."""
    new = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        yield new
    finally:
        new.unlink(missing_ok=True)
