"""The proof that a backup is whole: it is restored into an empty house in a folder of its own, which is deleted then.

A process of its own does it, by the command `restore`, on SQLite whatever the backup is of: no SQL of a dump runs, and
nothing of this house is read or written.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from games.management.backups.archive import UNPACKED
from games.management.processes import child
from games.ops.system import calls

_NICENESS = 10
_LOOK_SECONDS = 0.2
_ROOM = 8
"""By so much a backup grows when it is unpacked, at most, in a house of texts."""


def fault(source: Path, going_on: Callable[[], None] = lambda: None) -> str:
    """Return in a sentence what keeps a backup from being restored; "" for a whole one.

    `going_on` is called now and then, and raises an exception to leave it. Raises OSError.
    """
    with tempfile.TemporaryDirectory(prefix=UNPACKED, dir=_roomy(source)) as folder:
        process = subprocess.Popen(  # noqa: S603 (our own program)
            child.command("restore", str(source)),
            cwd=settings.BASE_DIR,
            env=child.environment(STAMMTISCH_DATA=folder, DATABASE_URL=None, REDIS_URL=None),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            creationflags=calls.LATER,
        )
        calls.let_give_way(process.pid, _NICENESS)
        errors = _ended(process, going_on)
    return child.sentence_of(errors).replace(" Nothing was changed.", "") if process.returncode else ""


def _ended(process: subprocess.Popen[str], going_on: Callable[[], None]) -> str:
    """Wait for the end of a process, and return its errors; ends it where it is left."""
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=_LOOK_SECONDS)[1]
            going_on()
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def _roomy(source: Path) -> Path:
    """Return the folder to unpack a backup in: the data folder, unless that is full or may not be written."""
    data, other = Path(settings.DATA_DIR), Path(tempfile.gettempdir())
    has_room = shutil.disk_usage(data).free > _ROOM * source.stat().st_size
    return data if has_room and os.access(data, os.W_OK) else other
