from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0071_non_playing_directors"),
    ]

    operations = [
        migrations.AddField(
            model_name="participant",
            name="place",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="participant",
            name="wins",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="participant",
            name="losses",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
