"""Tables that still wait at closed nights end, as they do now when a night is closed."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.utils import timezone


def end_waiting(apps: Any, schema_editor: Any) -> None:
    """Free the seats of such tables, and list them no more."""
    waiting = apps.get_model("games", "Table").objects.filter(status="lobby", night__status="closed")
    apps.get_model("games", "Seat").objects.filter(table__in=waiting).delete()
    waiting.filter(archived_at=None).update(archived_at=timezone.now())
    waiting.update(scorekeeper=None)


class Migration(migrations.Migration):
    dependencies = [("games", "0025_take_over")]
    operations = [migrations.RunPython(end_waiting, migrations.RunPython.noop)]
