"""Whose word another phone needs, sessions that end with a moved name, who is shown in leaderboards."""

from typing import ClassVar

from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    """Phones that waited for an approval ask again; nobody is shown before they chose to be."""

    dependencies: ClassVar = [("games", "0012_speech_and_corrections")]
    operations: ClassVar = [
        migrations.RemoveField("devicemove", "approved"),
        migrations.AddField("devicemove", "agreed", models.JSONField(default=list)),
        migrations.AddField("devicemove", "is_own", models.BooleanField(default=False)),
        migrations.AddField("devicemove", "wrong", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField(
            "devicemove",
            "asked_at",
            models.DateTimeField(auto_now_add=True, default=timezone.now),
            preserve_default=False,
        ),
        migrations.AddField("historyclaim", "agreed", models.JSONField(default=list)),
        migrations.AddField("player", "devices_since", models.PositiveIntegerField(default=0, editable=False)),
        migrations.AddField(
            "player", "is_listed", models.BooleanField(default=False, verbose_name="shown in leaderboards")
        ),
    ]
