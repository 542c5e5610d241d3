import django.db.models.deletion
import games.models.night
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0074_imprint'),
    ]

    operations = [
        migrations.CreateModel(
            name='KeptPosition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.models.night.new_public_id, max_length=16, unique=True)),
                ('game_id', models.CharField(max_length=32)),
                ('name', models.CharField(max_length=80)),
                ('position', models.CharField(max_length=200)),
                ('kept_at', models.DateTimeField()),
                ('answer', models.JSONField(null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_positions', to='games.player')),
            ],
            options={
                'verbose_name': 'kept position',
                'verbose_name_plural': 'kept positions',
                'constraints': [models.UniqueConstraint(fields=('owner', 'game_id', 'position'), name='one_position_once')],
            },
        ),
    ]
