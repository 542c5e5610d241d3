"""Backups that the house makes by itself: every night, before an upgrade, and when the staff asks for one.

They are files of BACKUP_FOLDER. Of those of the nights the last of each of the KEEP_DAYS newest days stays, and the
last of each of KEEP_WEEKS weeks before the newest one's; days and weeks without a backup do not count, so that a house
that was off for a month loses none. Of those before upgrades the KEEP_UPGRADES newest stay. Nothing goes before
another one is written.
"""

from __future__ import annotations

import re
import shutil
import time as system_time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TypeAlias

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction

from games.command_line import shell_command
from games.management.backups import archive, checksums, faults, sqlite
from games.models.house import zone
from games.ops.files import disk_of
from games.services import tasks
from games.services.storage import stored_backups

HOUR = time(4, 0)
"""The time of day of the backup, in the house's time zone: after the last game, before the housekeeping."""
KEEP_DAYS, KEEP_WEEKS, KEEP_UPGRADES = 7, settings.KEEP_BACKUP_WEEKS, 2
NAME = "backup"
_DAILY = re.compile(r"house-(\d{4}-\d{2}-\d{2})-\d{6}\.backup")
_UPGRADE = re.compile(r"before-upgrade-(\d{4}-\d{2}-\d{2})-\d{6}\.backup")
_LEFT_SECONDS = 24 * 3600
Backup: TypeAlias = tuple[str, date]
"""The name and the day of a backup."""


def is_on() -> bool:
    """Tell whether the house makes backups by itself."""
    return settings.BACKUP_FOLDER is not None


def run() -> str:
    """Make the backup of the night; return its name and size. Raises TaskFailed, TaskEnded."""
    try:
        made = make()
    except CommandError as error:
        raise tasks.TaskFailed(str(error)) from None
    return f"{made.name}, {made.stat().st_size / 1e6:.1f} MB"


def make(now: datetime | None = None) -> Path:
    """Write a backup into the folder, and delete those that are not kept any longer; raises CommandError, TaskEnded."""
    made = _write("house", now)
    _delete(made, _DAILY, kept)
    return made


def before_upgrade(now: datetime | None = None) -> Path | None:
    """Write a backup before the first migration of a house that has nights; None where none is made.

    Raises CommandError.
    """
    if not is_on() or not _has_nights():
        return None
    try:
        made = _write("before-upgrade", now)
    except CommandError as error:
        text = f"{error} The upgrade begins with a backup; BACKUP_FOLDER=off does without."
        raise CommandError(text) from None
    _delete(made, _UPGRADE, lambda found: sorted(name for name, _day in found)[-KEEP_UPGRADES:])
    return made


def _has_nights() -> bool:
    """Tell whether a database of any version has nights; raises DatabaseError."""
    with connection.cursor() as cursor:
        if "games_night" not in connection.introspection.table_names(cursor):
            return False
        cursor.execute("SELECT 1 FROM games_night LIMIT 1")
        return cursor.fetchone() is not None


def _write(kind: str, now: datetime | None) -> Path:
    """Write a backup under a name of the house's local time; raises CommandError, TaskEnded."""
    at = (now or datetime.now(UTC)).astimezone(zone())
    target = _folder() / f"{kind}-{at:%Y-%m-%d-%H%M%S}.backup"
    archive.write(target, going_on=tasks.check_going_on)
    try:
        checksums.keep(target)
    except OSError as error:
        text = f"{target} was written, but not its checksum: {faults.words_of(error)}."
        raise CommandError(f"{text} {faults.remedy(error, target.parent)}".strip()) from None
    return target


def _folder() -> Path:
    """Return the folder of the backups; the house's own is made, a chosen one has to be there. Raises CommandError."""
    folder = settings.BACKUP_FOLDER or archive.usual_folder()
    try:
        if _is_own():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"The folder {folder} can't be made: {error.strerror}.") from None
    if is_folder_missing():
        text = f"There is no folder {folder}: is its disk connected? BACKUP_FOLDER names it."
        raise CommandError(text)
    _sweep(folder)
    return folder


def _is_own() -> bool:
    """Tell whether the backups are in the house's own folder, which it makes."""
    return settings.BACKUP_FOLDER in {None, archive.usual_folder()}


def is_folder_missing() -> bool:
    """Tell whether the folder that BACKUP_FOLDER names is not there: it is never made, as the house's own is."""
    return settings.BACKUP_FOLDER is not None and not _is_own() and not settings.BACKUP_FOLDER.is_dir()


def _sweep(folder: Path) -> None:
    """Delete what backups, restores and proofs have left that ended with their process."""
    begins = (archive.UNFINISHED, archive.UNPACKED)
    for left in (path for place in (folder, Path(settings.DATA_DIR)) for path in place.iterdir()):
        is_old = left.name.startswith(begins) and left.stat().st_mtime < system_time.time() - _LEFT_SECONDS
        if is_old and left.is_dir():
            shutil.rmtree(left, ignore_errors=True)


def _dates(folder: Path, form: re.Pattern[str]) -> list[Backup]:
    """Return names and days of the backups of one form in a folder; what has another name is nobody's to delete."""
    found = []
    for path in folder.iterdir():
        if (match := form.fullmatch(path.name)) and (day := _day(match[1])):
            found.append((path.name, day))
    return found


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def kept(found: Iterable[Backup]) -> list[str]:
    """Return the names of the backups that stay, of names and days."""
    last = {day: name for name, day in sorted(found)}
    days = sorted(last, reverse=True)
    weeks: dict[date, date] = {}
    for day in days:
        weeks.setdefault(day - timedelta(days=day.weekday()), day)
    of_weeks = list(weeks.values())[1 : KEEP_WEEKS + 1]
    return [last[day] for day in sorted({*days[:KEEP_DAYS], *of_weeks})]


def _delete(made: Path, form: re.Pattern[str], keeping: Callable[[Sequence[Backup]], Sequence[str]]) -> None:
    """Delete the backups of one form that do not stay beside the one just made; that one always does.

    A damaged one takes no other's place, and goes when it is older than those that stay.
    """
    found, damaged = _dates(made.parent, form), _damaged()
    stay = {*keeping([each for each in found if each[0] not in damaged]), made.name}
    oldest = min(day for name, day in found if name in stay)
    gone = [name for name, day in found if name not in stay and (name not in damaged or day < oldest)]
    checksums.drop(made.parent / name for name in gone)


def _damaged() -> set[str]:
    """Return the names of the damaged ones; none in a database of before the upgrade that begins."""
    try:
        with transaction.atomic():
            return stored_backups.damaged()
    except DatabaseError:
        return set()


def every() -> list[Path]:
    """Return the house's backups in the folder, the newest first; raises CommandError without the folder, OSError."""
    if settings.BACKUP_FOLDER is None or (_is_own() and not settings.BACKUP_FOLDER.is_dir()):
        return []
    folder = _folder()
    names = {name for form in (_DAILY, _UPGRADE) for name, _day in _dates(folder, form)}
    return sorted((folder / name for name in names), key=lambda path: path.stat().st_mtime, reverse=True)


def is_on_houses_disk() -> bool:
    """Tell whether the disk of the data or of its database has the backups, too; False where that is not told."""
    if (folder := settings.BACKUP_FOLDER) is None or not (folder.is_dir() or _is_own()):
        return False
    places = [Path(settings.DATA_DIR), *([sqlite.path_of_house()] if connection.vendor == "sqlite" else [])]
    try:
        own = disk_of(folder if folder.is_dir() else Path(settings.DATA_DIR))
        return own in {disk_of(place) for place in places if place.exists()}
    except OSError:
        return False


def newest() -> Path | None:
    """Return the newest backup in the folder, of whatever kind; None without one. Raises OSError."""
    if settings.BACKUP_FOLDER is None or not settings.BACKUP_FOLDER.is_dir():
        return None
    return max(settings.BACKUP_FOLDER.glob("*.backup"), key=lambda path: path.stat().st_mtime, default=None)


def command() -> str:
    """Return the command that makes a backup by hand."""
    return shell_command("backup FILE")
