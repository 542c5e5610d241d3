"""The cached state tells after which entry it holds."""

from typing import Any

from django.db import migrations, models


def as_of_now(apps: Any, schema_editor: Any) -> None:
    """Until now every state was that after the last entry."""
    table = apps.get_model("games", "Table")
    table.objects.filter(state__isnull=False).update(state_seq=models.F("seq"))


class Migration(migrations.Migration):
    dependencies = [("games", "0008_admin_words")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="state_seq",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(as_of_now, migrations.RunPython.noop, elidable=True),
    ]
