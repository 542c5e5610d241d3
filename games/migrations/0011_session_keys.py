"""The keys of sessions that are open become digests; everybody stays who they are."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations

from games.ops.session_keys import stored


def hide_keys(apps: Any, schema_editor: Any) -> None:
    """Put the digest of each key in its place."""
    for app, model in (("sessions", "Session"), ("usersessions", "UserSession")):
        rows = apps.get_model(app, model).objects.using(schema_editor.connection.alias)
        for key in list(rows.values_list("session_key", flat=True)):
            rows.filter(session_key=key).update(session_key=str.__str__(stored(key)))


class Migration(migrations.Migration):
    """Going back forgets the sessions: digests are no keys."""

    dependencies: ClassVar = [
        ("games", "0010_clock_lease"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]
    operations: ClassVar = [migrations.RunPython(hide_keys, migrations.RunPython.noop, elidable=True)]
