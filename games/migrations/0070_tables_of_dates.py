"""Dates open with tables that wait, evening hosts, and how many people the house wants at a table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0069_seasons_of_series"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="opened_itself",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="night",
            name="one_table",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="gamepolicy",
            name="seats",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, verbose_name="people whom a table wants"
            ),
        ),
        migrations.AddField(
            model_name="seriesdate",
            name="not_tonight",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name="EveningHost",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evenings_to_host",
                        to="games.player",
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evening_hosts",
                        to="games.series",
                    ),
                ),
            ],
            options={
                "ordering": ["place", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("series", "player"), name="one_evening_host_a_series")
                ],
            },
        ),
    ]
