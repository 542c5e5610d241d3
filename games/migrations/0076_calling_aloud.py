from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0075_kept_positions'),
    ]

    operations = [
        migrations.AddField(
            model_name='night',
            name='calls_aloud',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
