"""The steps of the database one by one, also for a new house, which makes its tables at once."""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.apps import apps
from django.db.migrations.loader import MigrationLoader
from django.db.models.signals import pre_migrate

from games.ops.create_models import make_at_once

KEPT = Path(__file__).parent / "data"
OF_RELEASE, TOO_OLD = KEPT / "house-1.0.0.backup", KEPT / "house-0.1.0.backup"
"""What the command `backup` of 1.0.0 and of the last build before wrote."""
FIRST = "0001_version_1_0_0"
"""The step that makes the whole database of version 1.0.0."""


@contextmanager
def one_by_one() -> Iterator[None]:
    """Let the command `migrate` do each step, as it does for a house of an earlier version."""
    house = apps.get_app_config("games")
    pre_migrate.disconnect(make_at_once, sender=house)
    try:
        yield
    finally:
        pre_migrate.connect(make_at_once, sender=house)


def names() -> list[str]:
    """Return the names of the steps, from the first one."""
    return sorted(name for app, name in MigrationLoader(None).disk_migrations if app == "games")


def of_1_0_0() -> list[str]:
    """Return the names of the steps that a database of version 1.0.0 has."""
    with TemporaryDirectory() as folder, tarfile.open(OF_RELEASE) as tar:
        tar.extract("database.sqlite3", folder, filter="data")
        with closing(sqlite3.connect(Path(folder) / "database.sqlite3")) as database:
            asked = "SELECT name FROM django_migrations WHERE app = 'games' ORDER BY 1"
            return [name for (name,) in database.execute(asked)]
