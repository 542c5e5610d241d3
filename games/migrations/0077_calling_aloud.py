from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0074_imprint'),
    ]

    operations = [
        migrations.AddField(
            model_name='night',
            name='calls_aloud',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
