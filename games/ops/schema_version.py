"""Which version of the house a database is of."""

from __future__ import annotations

from typing import Any

from django.db.migrations.loader import MigrationLoader

HOUSE = "games"


def later_migrations(connection: Any) -> list[str]:
    """Return the migrations of later versions that a database has seen; raises DatabaseError."""
    loader = MigrationLoader(connection)
    done = {name for app, name in loader.applied_migrations if app == HOUSE}
    return sorted(done - {name for app, name in loader.disk_migrations if app == HOUSE})
