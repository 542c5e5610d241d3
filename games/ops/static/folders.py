"""The folders of collected static files in the data folder: one a version, held by the processes that serve it."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings

from games.ops.system import calls

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
    if folder.parent == parent() and folder.is_dir():
        # Never closed: the system does it with the process.
        calls.lock(os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600), is_shared=True)


def is_held(folder: Path) -> bool:
    """Tell whether a process serves from a folder."""
    try:
        line = os.open(folder / _LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        return not calls.lock(line)
    finally:
        os.close(line)
