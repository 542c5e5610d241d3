from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0042_spreadsheets"),
    ]

    operations = [
        migrations.AddField(
            model_name="backgroundtask",
            name="done_by",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.AddField(
            model_name="player",
            name="hides_grades",
            field=models.BooleanField(db_default=False, default=False, verbose_name="hides their grades"),
        ),
    ]
