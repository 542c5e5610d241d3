"""The version of the house that a database belongs to."""

from __future__ import annotations

from typing import Any

from django.db.migrations.loader import MigrationLoader

HOUSE = "games"


def later_migrations(connection: Any) -> list[str]:
    """Return the migrations of later versions that were applied to a database; raises DatabaseError."""
    loader = MigrationLoader(connection)
    done = {name for app, name in loader.applied_migrations if app == HOUSE}
    return sorted(done - {name for app, name in loader.disk_migrations if app == HOUSE})
