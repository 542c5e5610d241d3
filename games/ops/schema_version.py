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
FORMER_STEPS = frozenset({"0001_version_0_1_0"})
"""Steps that stood for several and gave way to one that stands for more; older databases have their names."""


def of_later_versions(applied: Iterable[Migration], known: Iterable[Migration]) -> list[str]:
    """Return the names of the house's applied migrations that this version does not know."""
    return sorted({name for app, name in set(applied) - set(known) if app == HOUSE} - FORMER_STEPS)


def changed_at() -> datetime:
    """Return when the last of the house's steps was applied; raises DatabaseError."""
    rows = MigrationRecorder(connection).migration_qs.filter(app=HOUSE)
    found: datetime = rows.aggregate(last=Max("applied"))["last"]
    return found


def later_migrations(line: Any) -> list[str]:
    """Return the migrations of later versions that were applied to a database; raises DatabaseError."""
    loader = MigrationLoader(line)
    return of_later_versions(loader.applied_migrations, loader.disk_migrations)
