"""Passwords of series' Wi-Fi are encrypted, each with a key in the data folder that no backup copies."""

from typing import Any

from django.db import migrations, models

from games.services import sealing

FOLDER = "wifi-keys"


def seal(apps: Any, _schema_editor: Any) -> None:
    """Encrypt every password."""
    for series in apps.get_model("games", "Series").objects.exclude(wifi_password=""):
        series.wifi_sealed = sealing.seal(FOLDER, series.public_id, series.wifi_password)
        series.save(update_fields=["wifi_sealed"])


def open_all(apps: Any, _schema_editor: Any) -> None:
    """Write every password that can be read as it is; a network whose password cannot be read goes."""
    for series in apps.get_model("games", "Series").objects.exclude(wifi_sealed=b""):
        password = sealing.opened(FOLDER, series.public_id, bytes(series.wifi_sealed))
        series.wifi_password = password or ""
        series.wifi_name = series.wifi_name if password else ""
        series.save(update_fields=["wifi_name", "wifi_password"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0057_drawn_rounds"),
    ]

    operations = [
        migrations.AddField(
            model_name="series",
            name="wifi_sealed",
            field=models.BinaryField(default=b""),
        ),
        migrations.RunPython(seal, open_all, elidable=False),
        migrations.AlterField(
            model_name="webhook",
            name="shape",
            field=models.CharField(
                choices=[
                    ("json", "JSON, signed"),
                    ("discord", "Discord"),
                    ("slack", "Slack"),
                    ("matrix", "Matrix"),
                    ("apprise", "Apprise"),
                ],
                default="json",
                max_length=8,
                verbose_name="form",
            ),
        ),
        migrations.RemoveField(
            model_name="series",
            name="wifi_password",
        ),
    ]
