from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def note_first_passes(apps: Any, schema_editor: Any) -> None:
    """What was graded before had its first pass: the analyser makes the deep one."""
    apps.get_model("games", "GameGrades").objects.filter(formula__gt=0).update(depth=1, claimed_at=None, tries=0)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0055_series_beginning"),
    ]

    operations = [
        migrations.AddField(
            model_name="gamegrades",
            name="depth",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="gamegrades",
            name="level",
            field=models.CharField(blank=True, max_length=32),
        ),
        migrations.CreateModel(
            name="DeeperQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("row", models.PositiveIntegerField()),
                ("asked_at", models.DateTimeField()),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                (
                    "grades",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="games.gamegrades"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="deeperquestion",
            constraint=models.UniqueConstraint(fields=("grades", "row"), name="one_question_a_row"),
        ),
        migrations.RunPython(note_first_passes, migrations.RunPython.noop),
    ]
