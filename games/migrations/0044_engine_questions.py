"""Positions that the engine is asked about have a table."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """The table of questions."""

    dependencies = [("games", "0043_skill_shown")]

    operations = [
        migrations.CreateModel(
            name="EngineQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game_id", models.CharField(max_length=32)),
                ("position", models.CharField(max_length=200)),
                ("asked_at", models.DateTimeField()),
                ("answer", models.JSONField(null=True)),
            ],
        ),
        migrations.AddConstraint(
            model_name="enginequestion",
            constraint=models.UniqueConstraint(fields=["game_id", "position"], name="one_question_a_position"),
        ),
    ]
