"""Which process runs the clock."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_state_seq'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClockLease',
            fields=[
                ('name', models.CharField(default='clock', max_length=16, primary_key=True, serialize=False)),
                ('holder', models.CharField(blank=True, max_length=64)),
                ('until', models.DateTimeField()),
            ],
        ),
    ]
