"""Tables are claimed by the process that acts for their bots and sleepers; nobody holds the clock any more."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0014_house_time'),
    ]

    operations = [
        migrations.RenameModel('ClockLease', 'HouseClock'),
        migrations.RemoveField('houseclock', 'holder'),
        migrations.AddField('table', 'claimed_by', models.CharField(blank=True, default='', max_length=32)),
        migrations.AddField('table', 'claimed_until', models.DateTimeField(blank=True, null=True)),
    ]
