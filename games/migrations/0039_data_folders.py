from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0038_background_tasks'),
    ]

    operations = [
        migrations.CreateModel(
            name='DataFolder',
            fields=[
                ('id', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('seen_at', models.DateTimeField()),
                ('writes_logs', models.BooleanField(default=False)),
            ],
        ),
        migrations.AddConstraint(
            model_name='datafolder',
            constraint=models.UniqueConstraint(condition=models.Q(('writes_logs', True)), fields=('writes_logs',), name='one_folder_of_logs'),
        ),
    ]
