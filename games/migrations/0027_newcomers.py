"""How a member came to a night. Those of earlier nights count as invited."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0026_waiting_tables_of_closed_nights")]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="is_invited",
            field=models.BooleanField(default=True, verbose_name="by invitation"),
        ),
    ]
