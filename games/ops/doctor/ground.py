"""The doctor's findings about what the house stands on: its key, its folders, where it listens, what it was told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.management import lan
from games.ops.doctor.findings import Finding, good, look, wrong
from games.services import processes
from games.services.regions import countries, written
from games.version import IS_INSTALLED, built_on

LEAST_KEY = 32
"""The fewest characters of a secret key that nobody finds by trying, however they were chosen."""
_MOUNTS = Path("/proc/self/mountinfo")
_SHARES = {"9p", "afs", "afpfs", "ceph", "cifs", "davfs", "glusterfs", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"}


def secret_key() -> Iterator[Finding]:
    """Check that nobody can guess the secret key."""
    topic = _("secret key")
    if len(settings.SECRET_KEY) < LEAST_KEY:
        text = _("It has %(count)s characters: who guesses it is logged in as anybody.")
        remedy = _(
            "Take SECRET_KEY away: the house makes one of its own. Browsers are strangers then, and links are new."
        )
        yield wrong(topic, text % {"count": len(settings.SECRET_KEY)}, remedy)
    else:
        yield good(topic, _("It is long enough."))


def age() -> Iterator[Finding]:
    """Check that the version is not old by the day of its build; where that is known; no network is asked."""
    built, most = built_on(), settings.OLD_AFTER_DAYS
    if built is None or not most:
        return
    days = (timezone.localdate() - built).days
    if days < most:
        return
    text = ngettext("It was built %(count)s day ago, on %(day)s.", "It was built %(count)s days ago, on %(day)s.", days)
    remedy = _(
        "A newer one: %(command)s (docs/operations.md, “Upgrading”); its CHANGELOG.md says what it brings. "
        "OLD_AFTER_DAYS=0 keeps this quiet."
    )
    command = "pip install -U -c new/constraints.txt new/stammtisch-*.whl" if IS_INSTALLED else "git pull"
    said = text % {"count": days, "day": written.day(built)}
    yield look(_("age of the version"), said, remedy % {"command": command})


def country() -> Iterator[Finding]:
    """Check that HOUSE_COUNTRY is a country."""
    code, known = settings.HOUSE_FIXED.get("country", ""), countries.countries()
    if code and known and code not in known:
        text = _("HOUSE_COUNTRY is %(code)s, and no country has that code.") % {"code": code}
        yield wrong(_("country"), text, _("Name its code, such as NO, or take the variable away."))


def listening() -> Iterator[Finding]:
    """Check that HOST is an address of this computer and PORT a port; of a running house the port is taken."""
    topic = _("HOST and PORT")
    try:
        lan.check_address(settings.HOST, settings.PORT, is_open=processes.is_running())
    except CommandError as refusal:
        yield wrong(topic, str(refusal), _("Leave HOST away to listen everywhere; PORT is from 1024 to 65535."))


def share() -> Iterator[Finding]:
    """Check that the database of SQLite is on a disk of this computer."""
    if connection.vendor != "sqlite":
        return
    topic, path = _("disk of the database"), Path(str(connection.settings_dict["NAME"])).parent
    if (kind := _kind_of_disk(path)) in _SHARES or kind.startswith("fuse.sshfs") or str(path).startswith(r"\\"):
        text = _(
            "%(folder)s is on a network share (%(kind)s): SQLite does not work reliably there, and moves are lost."
        )
        remedy = _("Let STAMMTISCH_DATA name a folder on a disk of this computer, or use PostgreSQL (DATABASE_URL).")
        yield wrong(topic, text % {"folder": path, "kind": kind or "UNC"}, remedy)
    elif kind:
        yield good(topic, _("It is a disk of this computer (%(kind)s).") % {"kind": kind})


def _kind_of_disk(path: Path) -> str:
    """Return the kind of file system that a folder is on, such as "ext4"; "" where the system does not tell."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
        real = path.resolve()
    except OSError:
        return ""
    best, found = -1, ""
    for line in lines:
        about, _separator, kind = line.partition(" - ")
        if len(parts := about.split()) < 5:
            continue
        mount = Path(parts[4].replace(r"\040", " "))
        # Of two at one place the later one is seen.
        if real.is_relative_to(mount) and len(mount.parts) >= best:
            best, found = len(mount.parts), kind.split()[0]
    return found


CHECKS = (age, secret_key, country, listening, share)
