"""Collection of the static files, only when one of them has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from games.ops.static_storage import FORM


def collect_changed() -> bool:
    """Collect the static files unless nothing has changed since the last time; return whether it was done."""
    now = fingerprint()
    if _is_stamped(now):
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    _stamp().write_text(now)
    return True


def is_collected() -> bool:
    """Tell whether the static files are unchanged since they were collected."""
    return _is_stamped(fingerprint())


def _stamp() -> Path:
    return Path(settings.DATA_DIR) / "static.stamp"


def _is_stamped(now: str) -> bool:
    stamp = _stamp()
    return stamp.exists() and stamp.read_text() == now and Path(settings.STATIC_ROOT).exists()


def fingerprint() -> str:
    """Return a hash of name, size and time of every static file, and of the format in which they are stored."""
    lines = sorted(_lines())
    backend = settings.STORAGES["staticfiles"]["BACKEND"]
    return hashlib.sha256("\n".join([backend, str(FORM), *lines]).encode()).hexdigest()


def _lines() -> Iterator[str]:
    for finder in get_finders():
        for name, storage in finder.list(None):
            found = Path(storage.path(name)).stat()
            yield f"{name} {found.st_size} {found.st_mtime_ns}"
