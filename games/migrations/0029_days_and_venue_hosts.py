from datetime import timedelta
from typing import Any

import games.models.night
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

BATCH = 500


def set_days(apps: Any, schema_editor: Any) -> None:
    """Give every night the local day of its opening, of the day before when opened before 05:00."""
    Night = apps.get_model("games", "Night")
    zone, rows = timezone.get_default_timezone(), []
    for night in Night.objects.only("created_at").iterator(chunk_size=BATCH):
        night.day = (night.created_at.astimezone(zone) - timedelta(hours=5)).date()
        rows.append(night)
    Night.objects.bulk_update(rows, ["day"], batch_size=BATCH)


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0028_muted"),
    ]

    operations = [
        migrations.AddField(
            model_name="night",
            name="day",
            field=models.DateField(db_index=True, default=games.models.night.today, verbose_name="day"),
        ),
        migrations.AddField(
            model_name="night",
            name="is_past",
            field=models.BooleanField(default=False, verbose_name="held without the house"),
        ),
        migrations.RunPython(set_days, migrations.RunPython.noop, elidable=False),
        migrations.AddField(
            model_name="venue",
            name="hosts",
            field=models.ManyToManyField(
                blank=True, related_name="venues", to=settings.AUTH_USER_MODEL, verbose_name="hosts"
            ),
        ),
    ]
