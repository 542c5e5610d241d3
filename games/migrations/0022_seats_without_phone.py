import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0021_dice_chains"),
    ]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="keeper",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="kept_memberships",
                to="games.player",
                verbose_name="acts for them",
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="scorekeeper",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="scored_tables",
                to="games.player",
                verbose_name="scorekeeper",
            ),
        ),
    ]
