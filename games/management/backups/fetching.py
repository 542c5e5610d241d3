"""A backup that is made to be fetched by a browser: one at a time, encrypted as its fetcher says, and kept nowhere."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from io import BufferedReader
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from games.kernel.contract import Illegal
from games.management import locks
from games.management.backups import archive, faults
from games.management.processes import child
from games.models.house import zone
from games.ops.requests.restore_address import MOST
from games.ops.system import calls

_PIECE = 1 << 20


class FetchedBackup:
    """A backup in pieces; after `close` nothing of it is in any folder, and another one can be fetched."""

    def __init__(self, file: BufferedReader, held: ExitStack) -> None:
        self._file, self._held = file, held

    def __iter__(self) -> FetchedBackup:
        return self

    def __next__(self) -> bytes:
        if piece := self._file.read(_PIECE):
            return piece
        self.close()
        raise StopIteration

    def close(self) -> None:
        """Let another backup be fetched."""
        self._held.close()


def make(key: str | None) -> FetchedBackup:
    """Make a backup encrypted with a key, "" for none, None for the house's own.

    A process of its own makes it, which leaves the processor to what is played. Raises Illegal `backup_is_fetched`,
    `backup_too_big`, and CommandError where none can be made.
    """
    with ExitStack() as held, _told():
        if not held.enter_context(locks.fetching()):
            raise Illegal("backup_is_fetched")
        folder = tempfile.TemporaryDirectory(prefix=archive.UNFINISHED, dir=settings.DATA_DIR)
        path = Path(held.enter_context(folder)) / "fetched.backup"
        _write(path, key)
        if path.stat().st_size > MOST:
            raise Illegal("backup_too_big")
        file = held.enter_context(path.open("rb"))
        if calls.MAY_MOVE_OPEN_FILES:  # so that nothing is left of it, however this process ends
            folder.cleanup()
        return FetchedBackup(file, held.pop_all())


@contextmanager
def _told() -> Iterator[None]:
    """Turn errors of the data folder's disk into CommandErrors with the remedy."""
    try:
        yield
    except OSError as error:
        text = f"No backup can be made: {faults.words_of(error)}. {faults.remedy(error, Path(settings.DATA_DIR))}"
        raise CommandError(text.strip()) from None


def _write(path: Path, key: str | None) -> None:
    """Write a backup by the command; raises CommandError."""
    changed = {} if key is None else {"BACKUP_KEY": key or None}
    done = subprocess.run(  # noqa: S603 (our own program)
        child.command("backup", str(path)),
        cwd=settings.BASE_DIR,
        env=child.environment(**changed),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise CommandError(child.sentence_of(done.stderr))


def name(now: datetime | None = None) -> str:
    """Return the name under which a browser saves a backup, with the house's local time."""
    return f"stammtisch-{(now or timezone.now()).astimezone(zone()):%Y-%m-%d-%H%M}.backup"
