"""The doctor: checks every part of the house and returns findings, with a remedy for each fault.

One list of checks (CHECKS) for `stammtisch doctor` and the admin's page. Readiness is that of /readyz
(games/server/health.py), settings are checked by Django's system checks (games/apps.py).
"""

from __future__ import annotations

import platform
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from importlib import metadata
from pathlib import Path
from zoneinfo import ZoneInfo

import django
from django.conf import settings
from django.core import checks
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.command_line import shell_command
from games.live.rooms import relay
from games.management import lan, preparation
from games.management.backups import faults, sqlite
from games.management.processes import analyser_process, workers
from games.models import HouseClock
from games.models.house import zone
from games.ops import logs
from games.ops.at_start import files
from games.ops.doctor import backups, ground, mails, network, sharing, staff
from games.ops.doctor.findings import Finding, good, look, wrong
from games.ops.system import calls
from games.plugin import all_games
from games.server import health
from games.services import processes
from games.services.regions import written
from games.version import version

Check = Callable[[], Iterator[Finding]]
MB = 1_000_000
LEAST_FREE, LITTLE_FREE = 200 * MB, 1000 * MB
JUMP_SECONDS = 60


def examine() -> list[Finding]:
    """Return the findings of all checks, in their order; a check that fails is a finding.

    Those that fail as they need a database that is told to be wrong are one finding, the last.
    """
    found: list[Finding] = []
    left_out: list[str] = []
    for check in CHECKS:
        try:
            found += check()
        except (OSError, DatabaseError, CommandError) as error:
            if isinstance(error, DatabaseError) and _is_wrong(_("database"), found):
                left_out.append(_topic(check))
                continue
            text = _("This could not be looked at: %(error)s") % {"error": faults.words_of(error)}
            remedy = faults.remedy(error, *_folders()) or _("The database and the data folder have to be there first.")
            found.append(wrong(_topic(check), text, remedy))
        except Exception as error:
            text = _("This could not be looked at: %(error)s") % {"error": f"{type(error).__name__}: {error}"}
            remedy = _(
                "A fault of the house itself: “Download the report”, below the findings in the admin, or %(command)s."
            )
            found.append(wrong(_topic(check), text, remedy % {"command": shell_command("report FILE")}))
    if left_out:
        text = _("Without it these can't be looked at: %(topics)s.") % {"topics": written.names(left_out)}
        found.append(wrong(_("database"), text, _("Mend the database first; then they can be.")))
    return found


def _is_wrong(topic: str, found: Iterable[Finding]) -> bool:
    return any(each.topic == topic and each.state == "wrong" for each in found)


_TOPICS = {
    "versions": gettext_noop("versions"),
    "files_of_start": gettext_noop("files"),
    "configuration": gettext_noop("settings"),
    "secret_key": gettext_noop("secret key"),
    "country": gettext_noop("country"),
    "listening": gettext_noop("HOST and PORT"),
    "database": gettext_noop("database"),
    "share": gettext_noop("disk of the database"),
    "disk": gettext_noop("disk"),
    "size": gettext_noop("data"),
    "last_one": gettext_noop("backups"),
    "stored_ones": gettext_noop("stored backups"),
    "clock": gettext_noop("clock"),
    "servers": gettext_noop("server"),
    "analyser": gettext_noop("grading"),
    "games": gettext_noop("games"),
    "redis": "Redis",
    "mails": gettext_noop("mail"),
    "given_up": gettext_noop("deliveries"),
    "folders": gettext_noop("log files"),
    "second_factors": gettext_noop("staff"),
    "age": gettext_noop("age of the version"),
    "public_address": gettext_noop("public address"),
    "tls": "TLS",
    "proxy": gettext_noop("proxy headers"),
    "websocket": "WebSocket",
    "local_network": gettext_noop("phones"),
    "televisions": gettext_noop("televisions"),
}
"""Check → the topic of its findings, for a check that itself fails."""


def _topic(check: Check) -> str:
    return _(_TOPICS.get(check.__name__, gettext_noop("doctor")))


def versions() -> Iterator[Finding]:
    """Yield the versions of the house, Python, Django, daphne and the database."""
    is_sqlite = connection.vendor == "sqlite"
    database = f"SQLite {sqlite3.sqlite_version}" if is_sqlite else connection.vendor
    parts = f"Stammtisch {version()}, Python {platform.python_version()}, Django {django.__version__}"
    yield good(_("versions"), f"{parts}, daphne {metadata.version('daphne')}, {database}, {platform.machine()}")


def files_of_start() -> Iterator[Finding]:
    """Check that the files are those with which the process started; a command has started just now."""
    if files.has_changed():
        yield look(_("files"), str(files.CHANGED), str(files.REMEDY))


def configuration() -> Iterator[Finding]:
    """Yield the warnings of Django's system checks and of the start about the settings."""
    topic = _("settings")
    found = checks.run_checks(include_deployment_checks=settings.BEHIND_TLS)
    messages = [each for each in found if each.level >= checks.WARNING and not each.is_silenced()]
    for each in messages:
        make = wrong if each.is_serious() else look
        yield make(topic, str(each.msg), str(each.hint or _("docs/operations.md has each variable.")))
    warnings = list(logs.dangers())
    for text in warnings:
        yield look(topic, text)
    if not messages and not warnings:
        yield good(topic, _("They fit together."))


def games() -> Iterator[Finding]:
    """Yield the games that are offered, and those of other packages that the house starts without."""
    topic = _("games")
    for each in settings.GAMES_LEFT_OUT:
        remedy = _("Install a version of %(game)s that fits, or remove its package; then restart.")
        yield wrong(topic, str(each.reason), remedy % {"game": each.game_id})
    yield good(topic, ", ".join(str(each.title) for each in all_games().values()))


def database() -> Iterator[Finding]:
    """Check that the database can be read and written, and is of this version."""
    topic, ready = _("database"), health.readiness()
    if not ready["database"]:
        yield _unusable(topic)
        return
    missing = []
    try:
        with suppress(DatabaseError):
            preparation.refuse_other_versions()
            missing = list(preparation.missing())
    except CommandError as other:
        yield wrong(topic, str(other), "")  # its text says what to do
        return
    for text in missing:
        yield wrong(topic, text, preparation.remedy())
    try:
        fault = sqlite.fault(sqlite.path_of_house(), quick=True) if connection.vendor == "sqlite" else ""
    except sqlite3.Error as error:
        yield _told(topic, error)
        return
    if fault:
        yield _broken(topic, fault)
    elif not missing:
        yield good(topic, _("It can be read and written, and is of this version; pages and translations are there."))


def _folders() -> tuple[Path, ...]:
    """Return the folders on whose disks the house is."""
    is_file = connection.vendor == "sqlite"
    return (*([sqlite.path_of_house().parent] if is_file else []), Path(settings.DATA_DIR))


def _broken(topic: str, fault: str) -> Finding:
    text = _("The database file is broken: %(fault)s") % {"fault": fault}
    remedy = _("Stop the house, and restore the last backup: %(command)s")
    return wrong(topic, text, remedy % {"command": shell_command("restore FILE")})


def _unusable(topic: str) -> Finding:
    """Return why the database can't be read or written."""
    try:
        processes.try_writing()
    except DatabaseError as error:
        return _told(topic, error)
    return wrong(topic, _("It can't be read or written."), _where())


def _told(topic: str, error: Exception) -> Finding:
    """Return the finding of an error: a disk that is full or read-only is no fault of the database."""
    if faults.is_broken(error):
        return _broken(topic, faults.words_of(error))
    text = _("It can't be read or written: %(error)s") % {"error": faults.words_of(error)}
    return wrong(topic, text, faults.remedy(error, *_folders()) or _where())


def _where() -> str:
    return _("DATABASE_URL says where it is; is there room, and who may?")


def disk() -> Iterator[Finding]:
    """Check how much disk space is free in the data folder."""
    topic, free = _("disk"), shutil.disk_usage(settings.DATA_DIR).free
    text = _("%(free)s MB are free in %(folder)s.") % {"free": free // MB, "folder": settings.DATA_DIR}
    if free < LITTLE_FREE:
        make = wrong if free < LEAST_FREE else look
        yield make(
            topic,
            text,
            _("A full disk stops play: delete what nobody needs, or name another folder by STAMMTISCH_DATA."),
        )
    else:
        yield good(topic, text)


def size() -> Iterator[Finding]:
    """Yield the size of the data folder."""
    total = sum(path.lstat().st_size for path in Path(settings.DATA_DIR).rglob("*") if path.is_file())
    yield good(_("data"), _("%(size)s MB in %(folder)s.") % {"size": round(total / MB, 1), "folder": settings.DATA_DIR})


def clock() -> Iterator[Finding]:
    """Check that the computer's clock was not set back, and that its time zone is that of the pages."""
    topic = _("clock")
    last = HouseClock.objects.values_list("told_at", flat=True).first()
    ahead = (last - datetime.now(UTC)).total_seconds() if last else 0.0
    if ahead > JUMP_SECONDS:
        yield wrong(
            topic,
            _("It was set back: the house was open %(seconds)s s later than now.") % {"seconds": int(ahead)},
            _("Set the computer's clock; where it has a network, let it set itself (NTP)."),
        )
    now = datetime.now(UTC)
    there, zone_name = now.astimezone(zone()), zone().key
    text = _("The pages of the server say %(time)s (%(zone)s).") % {
        "time": written.hour(there),
        "zone": zone_name,
    }
    if now.astimezone(_zone_of_computer()).utcoffset() != there.utcoffset():
        yield look(
            _("time zone"),
            text,
            _("If the house is elsewhere, say so on the page of the house, or set TIME_ZONE, such as Europe/Oslo."),
        )
    else:
        yield good(_("time zone"), text)


def _zone_of_computer() -> tzinfo:
    """Return the computer's own time zone; Django has set that of the process to TIME_ZONE, but on Windows."""
    if calls.IS_WINDOWS:
        return datetime.now().astimezone().tzinfo or UTC
    try:
        with Path("/etc/localtime").open("rb") as file:
            return ZoneInfo.from_file(file)
    except (OSError, ValueError):
        return UTC


def servers() -> Iterator[Finding]:
    """Check that a server is running, and that its clock works."""
    topic = _("server")
    try:
        workers.check(settings.WORKERS, settings.HOST or lan.EVERYWHERE, is_shared=relay.is_shared())
        if not processes.is_running():
            yield look(
                topic, _("None runs now."), _("Open the house: %(command)s") % {"command": shell_command("serve")}
            )
        elif not health.readiness()["clock"]:
            yield wrong(
                topic, _("The clock does not get on: bots and time-outs wait."), _("Look into the log, and restart.")
            )
        else:
            yield good(topic, _("The house is open; bots and time-outs are played."))
    except CommandError as refusal:
        yield wrong(topic, str(refusal), _("Set DATABASE_URL and REDIS_URL, or WORKERS=1."))


def analyser() -> Iterator[Finding]:
    """Check that finished games are graded, unless that is switched off."""
    topic, now = _("grading"), analyser_process.state()
    text = analyser_process.words(now)
    if now is analyser_process.AnalyserState.NO_ENGINE:
        yield look(topic, text, _("Nothing else is missing without one."))
    elif now is analyser_process.AnalyserState.GIVEN_UP:
        yield wrong(topic, text, _("Mend that, then try again on the doctor's page, or start the house anew."))
    elif now is not analyser_process.AnalyserState.ENDED:
        yield good(topic, text)
    elif processes.is_running():
        yield look(topic, text, _("A server starts it again within a minute; the log says why it ended."))
    else:
        yield good(topic, _("It runs while the house is open."))


def redis() -> Iterator[Finding]:
    """Check that Redis carries messages between the processes, if it is used."""
    if not relay.is_shared():
        yield good("Redis", _("Not used: one process needs none."))
    elif health.readiness()["layer"]:
        yield good("Redis", _("It answers."))
    else:
        yield wrong("Redis", _("It does not answer."), _("Start it, or correct REDIS_URL; until then moves come late."))


CHECKS: tuple[Check, ...] = (
    *(versions, files_of_start, configuration, games, database, disk, size),
    *backups.CHECKS,
    *(clock, servers, analyser, redis),
    *mails.CHECKS,
    *ground.CHECKS,
    *sharing.CHECKS,
    *staff.CHECKS,
    *network.CHECKS,
)
