"""Passwords of open nights' Wi-Fi are encrypted as those of series are.

Those that are there stay until the new version seals them (`wifi.seal_left`): 1.0.0 reads them while it plays on.
"""

from typing import Any

from django.db import migrations, models

from games.services import sealing

FOLDER = "wifi-keys"


def open_all(apps: Any, _schema_editor: Any) -> None:
    """Write every password that can be read as it is; a network whose password cannot be read goes."""
    for night in apps.get_model("games", "Night").objects.exclude(wifi_sealed=b""):
        password = sealing.opened(FOLDER, night.public_id, bytes(night.wifi_sealed))
        night.wifi_password = password or ""
        night.wifi_name = night.wifi_name if password else ""
        night.save(update_fields=["wifi_name", "wifi_password"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0060_quiz_and_brought_matches"),
    ]

    operations = [
        migrations.AddField(
            model_name="night",
            name="wifi_sealed",
            field=models.BinaryField(db_default=b"", default=b""),
        ),
        migrations.RunPython(migrations.RunPython.noop, open_all, elidable=False),
        migrations.AlterField(
            model_name="night",
            name="wifi_password",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=63),
        ),
    ]
