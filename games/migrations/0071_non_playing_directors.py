import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0070_tables_of_dates"),
    ]

    operations = [
        migrations.CreateModel(
            name="NonPlayingDirector",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.player"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="non_playing",
                        to="games.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "player"), name="one_non_playing_director_a_player"
                    )
                ],
            },
        ),
    ]
