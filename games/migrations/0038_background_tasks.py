"""Background tasks have rows; the hour of the next housekeeping is kept."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


def keep_the_hour(apps: Any, schema_editor: Any) -> None:
    """Move the row of the housekeeping from the clock's table."""
    clock, task = apps.get_model("games", "HouseClock"), apps.get_model("games", "BackgroundTask")
    for row in clock.objects.filter(pk="housekeeping"):
        task.objects.create(pk="housekeeping", due_at=row.until)
        row.delete()


class Migration(migrations.Migration):
    """The table of background tasks."""

    dependencies = [("games", "0001_version_1_0_0")]

    operations = [
        migrations.CreateModel(
            name="BackgroundTask",
            fields=[
                ("name", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("due_at", models.DateTimeField(null=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("succeeded_at", models.DateTimeField(null=True)),
                ("result", models.TextField(blank=True)),
            ],
        ),
        migrations.RunPython(keep_the_hour, migrations.RunPython.noop, elidable=True),
    ]
