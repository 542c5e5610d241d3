"""The version of the house that a database belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeAlias

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max

Migration: TypeAlias = tuple[str, str]
"""App and name."""
HOUSE = "games"
LAST_STEP_OF_1_0_0 = "0037_game_grades"
"""The step that a database has at least; those before it are known by their numbers alone."""
OLDER = (
    "This database is of a time before version 1.0.0, from which this version does not go on. Install 1.0.0, "
    "`restore` or `prepare` it there, and write a backup with it: this version takes that one. Nothing was changed."
)


def of_later_versions(applied: Iterable[Migration], known: Iterable[Migration]) -> list[str]:
    """Return the names of the house's applied migrations that this version does not know."""
    return sorted(name for app, name in set(applied) - set(known) if app == HOUSE and name > LAST_STEP_OF_1_0_0)


def is_before_1_0_0(applied: Iterable[Migration]) -> bool:
    """Tell whether a database has steps of the house, but not all of version 1.0.0."""
    names = {name for app, name in applied if app == HOUSE}
    return bool(names) and LAST_STEP_OF_1_0_0 not in names


def changed_at() -> datetime:
    """Return when the last of the house's steps was applied; raises DatabaseError."""
    rows = MigrationRecorder(connection).migration_qs.filter(app=HOUSE)
    found: datetime = rows.aggregate(last=Max("applied"))["last"]
    return found


def later_migrations(line: Any) -> list[str]:
    """Return the migrations of later versions that were applied to a database; raises DatabaseError."""
    loader = MigrationLoader(line)
    return of_later_versions(loader.applied_migrations, loader.disk_migrations)
