from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0061_sealed_night_wifi"),
    ]

    operations = [
        migrations.AddField(
            model_name="series",
            name="poster_opens",
            field=models.BooleanField(default=False, verbose_name="the poster opens the door"),
        ),
        migrations.AddField(
            model_name="season",
            name="entry_key",
            field=models.CharField(blank=True, db_default="", max_length=32),
        ),
    ]
