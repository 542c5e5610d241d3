import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0019_one_count"),
    ]

    operations = [
        migrations.CreateModel(
            name="CountedTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="counted", to="games.table"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DiceTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game_id", models.CharField(max_length=32)),
                ("counts", models.JSONField(default=dict)),
                ("control", models.JSONField(default=dict)),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dice_tallies",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "ordering": ["game_id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("player__isnull", False)),
                        fields=("player", "game_id"),
                        name="one_dice_tally_a_player",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("player__isnull", True)),
                        fields=("game_id",),
                        name="one_dice_tally_of_everybody",
                    ),
                ],
            },
        ),
    ]
