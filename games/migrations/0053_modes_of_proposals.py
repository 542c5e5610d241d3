from typing import Any

from django.db import migrations, models

USUAL = ("draw", "pairing", "bye", "return")
"""The kinds of proposals that a tournament's `auto_seconds` was for."""


def take_over(apps: Any, _schema_editor: Any) -> None:
    """Give the kinds that the house confirmed by itself the seconds of their tournament."""
    for row in apps.get_model("games", "Tournament").objects.all():
        row.modes = dict.fromkeys(USUAL, row.auto_seconds)
        row.save(update_fields=["modes"])


class Migration(migrations.Migration):
    dependencies = [("games", "0052_who_is_here")]

    operations = [
        migrations.AddField("tournament", "modes", models.JSONField(default=dict)),
        migrations.AddField("tournament", "countdowns", models.JSONField(default=dict)),
        migrations.RunPython(take_over, migrations.RunPython.noop),
        migrations.RemoveField("tournament", "auto_at"),
        migrations.RemoveField("tournament", "auto_seconds"),
    ]
