"""Series and seasons belong together many to many; the only season that a series had is its first.

The column of before stays, and is not read any more.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def tie(apps: Any, _schema_editor: Any) -> None:
    """Let the nights of each series count in the season that it has."""
    for series in apps.get_model("games", "Series").objects.exclude(season=None):
        series.seasons.add(series.season)


def keep_one(apps: Any, _schema_editor: Any) -> None:
    """Leave each series the newest of its seasons."""
    for series in apps.get_model("games", "Series").objects.all():
        series.season = series.seasons.order_by("-last_day", "-pk").first()
        series.save(update_fields=["season"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0068_screens"),
    ]

    operations = [
        migrations.AlterField(
            model_name="series",
            name="season",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="games.season",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="seasons",
            field=models.ManyToManyField(
                blank=True, related_name="series", to="games.season", verbose_name="seasons"
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="former",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="followers",
                to="games.season",
            ),
        ),
        migrations.CreateModel(
            name="DeclinedEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="declined_entries",
                        to="games.player",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="declined", to="games.season"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("season", "player"), name="one_declined_entry_a_season")
                ],
            },
        ),
        migrations.AddField(
            model_name="webhookmessage",
            name="season",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="webhook_messages",
                to="games.season",
            ),
        ),
        migrations.AddField(
            model_name="mail",
            name="season",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="mails", to="games.season"
            ),
        ),
        migrations.AlterField(
            model_name="mail",
            name="date",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="mails", to="games.seriesdate"
            ),
        ),
        migrations.AlterField(
            model_name="mail",
            name="kind",
            field=models.CharField(
                choices=[
                    ("reminder", "Reminder"),
                    ("change", "Change"),
                    ("place", "Place"),
                    ("season", "Season"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.UniqueConstraint(fields=("season", "player"), name="one_mail_a_season"),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(("date", None), ("season", None), _connector="XOR"),
                name="mail_about_a_date_or_a_season",
            ),
        ),
        migrations.RunPython(tie, keep_one, elidable=False),
    ]
