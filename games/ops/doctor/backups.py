"""The doctor's findings about backups: how the last one ended, what the stored ones are like, and on which disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.management.backups import archive, schedule, stored
from games.models import StoredBackup
from games.ops.doctor.findings import Finding, good, look, wrong
from games.services import tasks
from games.services.regions import written
from games.services.storage import stored_backups

OLD_DAYS = 7
MOST_READ = 2 << 30
"""So many bytes of the newest are read while somebody waits; of those before only the sizes count, and the night's
look."""


def last_one() -> Iterator[Finding]:
    """Check that the folder is there, how the last backup ended, where it is, and its age."""
    topic, by_hand = _("backups"), _by_hand(_("Make one: %(ways)s"))
    folder = {"folder": settings.BACKUP_FOLDER}
    other_folder = _("Connect its disk, or let BACKUP_FOLDER name another folder.")
    if schedule.is_folder_missing():
        yield wrong(topic, _("There is no folder %(folder)s: no backup will be made.") % folder, other_folder)
        return
    row = tasks.row(schedule.NAME)
    if schedule.is_on() and row.has_failed:
        remedy = _by_hand(_("Until then make one by hand: %(ways)s"))
        yield wrong(topic, _("The last one failed: %(error)s") % {"error": row.result}, remedy)
        return
    if schedule.is_on() and row.succeeded_at is not None and schedule.newest() is None:
        yield wrong(topic, _("There is none in %(folder)s any more.") % folder, other_folder)
        return
    if (at := max(filter(None, (archive.last(), row.succeeded_at)), default=None)) is None:
        yield look(topic, _("None has been made yet."), by_hand)
        return
    days = (datetime.now(UTC) - at).days
    text = _("The last one was made %(days)s days ago.") % {"days": days}
    yield look(topic, text, by_hand) if days > OLD_DAYS else good(topic, text)


def _by_hand(text: str) -> str:
    """Return a text with the ways to make a backup: the admin's button, where there is one, and the command."""
    command = schedule.command()
    button = _("“Run now” under “Background tasks” in the admin, or %(command)s") % {"command": command}
    return text % {"ways": button if schedule.is_on() else command}


def stored_ones() -> Iterator[Finding]:
    """Check that the stored backups are what was written, and were restored in a test."""
    topic, notes = _("stored backups"), _notes()
    try:
        found = stored.look(notes, MOST_READ)
    except CommandError:  # the folder is not there: `last_one` says so
        return
    texts = [*filter(None, found.values()), *stored.unproved({name: notes[name] for name in found.keys() & notes})]
    remedy = _by_hand(
        _("Make a new one, on another disk if this one is worn out: %(ways)s. Then delete the damaged file.")
    )
    for text in texts:
        yield wrong(topic, text, remedy)
    if found and not texts:
        yield good(topic, f"{_whole(len(found))} {_last_proof(notes)}".strip())


def _notes() -> dict[str, StoredBackup]:
    """Return what the database has noted; nothing where it can't be read, for the files tell most."""
    with suppress(DatabaseError):
        return stored_backups.noted()
    return {}


def _whole(count: int) -> str:
    text = ngettext(
        "The stored one is as it was written.", "All %(count)s stored ones are as they were written.", count
    )
    return text % {"count": count}


def _last_proof(notes: dict[str, StoredBackup]) -> str:
    at = max((row.proved_at for row in notes.values() if row.proved_at and not row.proof_fault), default=None)
    if at is None:
        return ""
    return _("The last test of restoring one: %(day)s.") % {"day": written.day(at, "medium")}


def disk() -> Iterator[Finding]:
    """Check that the backups are on another disk than the house."""
    if schedule.is_on_houses_disk():
        yield look(
            _("disk of the backups"),
            _("The backups are on the same disk as the house: if it breaks, both are gone."),
            _("A USB stick of 32 GB costs about 10 euros: connect it, and name its folder by BACKUP_FOLDER."),
        )


CHECKS = (last_one, stored_ones, disk)
