"""A restored house that waits beside a new one, and takes its place at the next start.

`prepare` unpacks, checks, upgrades and proves a backup in a folder of the data folder while the house serves;
`put_in_place`, at the next start, sets the new house aside and puts the restored one there, unless nights were opened
meanwhile. SQLite alone: a dump of PostgreSQL can hold any SQL.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, connections

from games.management import locks
from games.management.backups import archive, sqlite
from games.management.backups.other_database import Prove
from games.management.locks import Say
from games.ops.files import sync_folder
from games.services import house, processes

FOLDER, INCOMING = "next-start", "incoming.backup"
"""Names in the data folder: the restored house that waits, and a backup that a page sends."""


def waiting() -> Path:
    """Return the folder of the restored house that waits."""
    return Path(settings.DATA_DIR) / FOLDER


def is_waiting() -> bool:
    """Tell whether a restored house waits for the next start."""
    return waiting().is_dir()


def incoming() -> Path:
    """Return the path of the backup that a page sends."""
    return Path(settings.DATA_DIR) / INCOMING


def why_not() -> str:
    """Return the code of the refusal of a restore beside this house; "" if it can be done. Raises DatabaseError."""
    if connection.vendor != "sqlite":
        return "restore_sqlite_only"
    return "" if house.is_empty() else "restore_not_empty"


def prepare(source: Path, prove: Prove) -> None:
    """Unpack and prove a backup beside the house; raises CommandError, and then nothing waits that did not before."""
    if why_not():
        raise CommandError("Only a new house without nights, on SQLite, takes a backup while it is open.")
    database = archive.MEMBERS["sqlite"]
    folder = Path(tempfile.mkdtemp(prefix=archive.UNPACKED, dir=settings.DATA_DIR))
    try:
        if database not in archive.unpacked(source, folder):
            raise CommandError(f"{source.name} is of a house on PostgreSQL: the command `restore` takes it.")
        connections.close_all()
        sqlite.prove_copy(folder / database, prove)
        drop()
        folder.rename(waiting())
        sync_folder(settings.DATA_DIR)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def drop() -> None:
    """Delete the restored house that waits."""
    shutil.rmtree(waiting(), ignore_errors=True)


def put_in_place(say: Say) -> None:
    """Put the restored house that waits in place, if no server is open and this house is still new.

    The secret key in memory becomes that of the restored house.
    """
    if not is_waiting():
        return
    if _is_served():
        say("A restored house waits: it is put in place at the next start, when no server is open.")
        return
    if not _is_still_new():
        kept = waiting().rename(waiting().with_name(f"before-{archive.new_stamp()}-{FOLDER}"))
        say(f"Nights were opened in this house since a backup was prepared for it: it was not put in place. {kept}")
        return
    connections.close_all()
    aside = archive.put_in_place(waiting())
    drop()
    _use_key()
    say("The restored house was put in place.")
    for kept_file in aside:
        say(f"What was there before is kept: {kept_file}")


def _is_served() -> bool:
    try:
        return locks.is_serving() or processes.is_running()
    except DatabaseError:  # no tables yet
        return False


def _is_still_new() -> bool:
    try:
        return house.is_empty()
    except DatabaseError:  # no tables yet
        return True


def _use_key() -> None:
    """Use the secret key in the data folder, which was read before it was replaced; one of the environment stays."""
    key = Path(settings.DATA_DIR) / archive.KEY
    if key.exists() and not settings.IS_KEY_GIVEN:
        settings.SECRET_KEY = key.read_text().strip()
