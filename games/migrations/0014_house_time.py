"""The house's time at the last renewal of the clock's lease."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0013_identity'),
    ]

    operations = [
        migrations.AddField('clocklease', 'house_ms', models.BigIntegerField(null=True)),
        migrations.AddField('clocklease', 'told_at', models.DateTimeField(null=True)),
    ]
