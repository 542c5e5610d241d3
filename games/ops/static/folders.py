"""The folders of collected static files in the data folder: one a version, held by the processes that serve it."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings

try:
    import fcntl
except ModuleNotFoundError:  # Windows, which has no such locks
    fcntl = None  # type: ignore[assignment]

FOLDER = "static-files"
_POINTER, _LOCK, _NONE = "current", ".held", "none"


def parent(data: Path | None = None) -> Path:
    """Return the folder of the folders, in a data folder or the house's."""
    return Path(data or settings.DATA_DIR) / FOLDER


def pointer(data: Path | None = None) -> Path:
    """Return the file that names the current folder."""
    return parent(data) / _POINTER


def current(data: Path | None = None) -> Path:
    """Return the current folder, which is not there before the first collection."""
    try:
        name = pointer(data).read_text(encoding="utf-8").strip()
    except OSError:
        name = ""
    return parent(data) / (Path(name).name or _NONE)


def hold() -> None:
    """Hold the folder from which this process serves until it ends; nothing where nothing is collected."""
    folder = Path(settings.STATIC_ROOT)
    if fcntl is not None and folder.parent == parent() and folder.is_dir():
        # Never closed: the system does it with the process.
        fcntl.flock(os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_SH)


def is_held(folder: Path) -> bool:
    """Tell whether a process serves from a folder; where the system has no locks, every folder counts as held."""
    if fcntl is None:
        return True
    try:
        line = os.open(folder / _LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(line, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(line)
    return False
