"""The stored backups looked at again: every one each night by size and checksum, some of them whole.

Whole (`proof`) are proved: the newest if none was for a week, what stays for longer once a week, and backups of earlier
versions, which have no checksum yet, before they get one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from pathlib import Path

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from games.management.backups import checksums, faults, proof, schedule
from games.models import StoredBackup
from games.services import tasks
from games.services.storage import stored_backups

NAME = "backup_check"
HOUR = time(5, 0)
"""The time of day, in the house's time zone: after the backup and the housekeeping."""
WEEK, AGAIN = timedelta(days=7), timedelta(days=1)
"""The time after a proof, and after one that failed, until the next."""
PROOFS = 2
"""The most proofs in a night: each takes a minute or more of a small computer."""


def look(notes: Mapping[str, StoredBackup], most: float = float("inf")) -> dict[str, str]:
    """Return each stored backup's fault in a sentence, "" for none, the newest first.

    After `most` bytes only sizes are compared. Raises CommandError without the folder.
    """
    found = {}
    for path in schedule.every():
        is_read = most > 0
        found[path.name] = checksums.fault(path, notes.get(path.name), is_read=is_read)
        most -= path.stat().st_size if path.exists() else 0
    return found


def run() -> str:
    """Look at all of them, and prove some; return figures. Raises TaskFailed for faults, TaskEnded."""
    try:
        found = look(_notes())
        stored_backups.note_faults(found)
        due = _due(found, timezone.now())
        for path in due:
            _prove(path)
    except CommandError as error:
        raise tasks.TaskFailed(str(error)) from None
    except OSError as error:
        raise tasks.TaskFailed(f"The backups can't be looked at: {faults.words_of(error)}.") from None
    if texts := [*filter(None, found.values()), *unproved(stored_backups.noted())]:
        raise tasks.TaskFailed(f"{' '.join(texts)} Make a new one, on another disk if this one is worn out.")
    return f"{len(found)} looked at, {len(due)} restored as a test"


def unproved(notes: Mapping[str, StoredBackup]) -> list[str]:
    """Return the sentences about those that could not be restored as a test."""
    rows = [row for row in notes.values() if row.proof_fault and not row.fault]
    return [_("%(name)s can't be restored: %(fault)s") % {"name": row.name, "fault": row.proof_fault} for row in rows]


def _notes() -> dict[str, StoredBackup]:
    """Return the database's notes, brought up to what is in the folder; raises CommandError, OSError."""
    there, notes = {path.name: path for path in schedule.every()}, stored_backups.noted()
    stored_backups.forget(notes.keys() - there.keys())
    for name, path in there.items():
        if name not in notes and checksums.told_by_file(path) and not checksums.fault(path):
            checksums.keep(path)
    return stored_backups.noted()


def _due(found: Mapping[str, str], now: datetime) -> list[Path]:
    """Return the backups to prove now, of those without a fault; `found` names the newest first."""
    notes = stored_backups.noted()
    whole = [path for path in schedule.every() if not found.get(path.name)]
    since = {path: _since(notes.get(path.name)) for path in whole}
    due = [path for path, at in since.items() if at is None or at < now]
    if whole and not due and not any(row.proved_at and row.proved_at > now - WEEK for row in notes.values()):
        due = whole[:1]
    return sorted(due, key=lambda path: since[path] or datetime.min.replace(tzinfo=now.tzinfo))[:PROOFS]


def _since(note: StoredBackup | None) -> datetime | None:
    """Return from when on a backup is to be proved; None for one that has no checksum yet."""
    if note is None:
        return None
    return (note.proved_at or note.made_at) + (AGAIN if note.proof_fault else WEEK)


def _prove(path: Path) -> None:
    """Prove a backup and note what came of it; raises OSError, TaskEnded."""
    tasks.check_going_on()
    fault = proof.fault(path, tasks.check_going_on)
    if path.name not in stored_backups.noted():
        checksums.keep(path)
    stored_backups.note_proof(path.name, fault, timezone.now())
