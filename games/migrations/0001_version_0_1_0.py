"""The database of version 0.1.0 in one step, for new houses; houses of before go on step by step.

What three of the steps did to rows, a new house has none of.
"""

import django.db.models.deletion
import django.utils.timezone
import games.models.night
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('games', '0001_initial'),
        ('games', '0002_history'),
        ('games', '0003_audit'),
        ('games', '0004_house_rules'),
        ('games', '0005_people'),
        ('games', '0006_api_tokens'),
        ('games', '0007_admin'),
        ('games', '0008_admin_words'),
        ('games', '0009_state_seq'),
        ('games', '0010_clock_lease'),
        ('games', '0011_session_keys'),
        ('games', '0012_speech_and_corrections'),
        ('games', '0013_identity'),
        ('games', '0014_house_time'),
        ('games', '0015_clock_claims'),
        ('games', '0016_log_files'),
        ('games', '0017_practice'),
        ('games', '0018_night_wifi'),
        ('games', '0019_one_count'),
        ('games', '0020_dice_tallies'),
        ('games', '0021_dice_chains'),
        ('games', '0022_seats_without_phone'),
        ('games', '0023_result_medium'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('sessions', '0001_initial'),
        ('usersessions', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='GamePolicy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game_id', models.CharField(max_length=32, unique=True, verbose_name='game')),
                ('hosts_may', models.CharField(choices=[('anything', 'any rules, their own too'), ('sets_only', "the house's sets only")], default='anything', max_length=10, verbose_name='hosts may play by')),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('updated_by', models.CharField(blank=True, max_length=150)),
            ],
            options={
                'verbose_name': 'what hosts may play',
                'verbose_name_plural': 'what hosts may play',
                'ordering': ['game_id'],
            },
        ),
        migrations.CreateModel(
            name='HouseClock',
            fields=[
                ('name', models.CharField(default='clock', max_length=16, primary_key=True, serialize=False)),
                ('until', models.DateTimeField()),
                ('house_ms', models.BigIntegerField(null=True)),
                ('told_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Night',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.models.night.new_public_id, max_length=16, unique=True)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('code', models.CharField(default=games.models.night.new_code, max_length=8, null=True, unique=True, verbose_name='room code')),
                ('code_version', models.PositiveIntegerField(default=1)),
                ('status', models.CharField(choices=[('open', 'open'), ('locked', 'locked'), ('closed', 'closed')], default='open', max_length=8, verbose_name='status')),
                ('admit_by_hand', models.BooleanField(default=False, verbose_name='host lets people in')),
                ('cap', models.PositiveSmallIntegerField(default=60, verbose_name='most people')),
                ('host_away_since', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='opened')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('is_practice', models.BooleanField(default=False, verbose_name='practice against bots')),
                ('wifi_name', models.CharField(blank=True, max_length=32, verbose_name='Wi-Fi for guests')),
                ('wifi_password', models.CharField(blank=True, max_length=63, verbose_name='its password')),
            ],
            options={
                'ordering': ['-created_at'],
                'verbose_name': 'night',
                'verbose_name_plural': 'nights',
            },
        ),
        migrations.CreateModel(
            name='Venue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.models.night.new_public_id, max_length=16, unique=True)),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
            ],
            options={
                'ordering': ['name'],
                'verbose_name': 'venue',
                'verbose_name_plural': 'venues',
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('scope', models.CharField(choices=[('read', 'read'), ('play', 'read, play and host')], default='read', max_length=4, verbose_name='may')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('start', models.CharField(editable=False, max_length=12, verbose_name='begins with')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('last_used_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='last used')),
                ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='valid until')),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='revoked')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'API token',
                'verbose_name_plural': 'API tokens',
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='NightEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('type', models.CharField(max_length=32)),
                ('data', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='games.night')),
            ],
            options={
                'ordering': ['-pk'],
                'verbose_name': 'event of a night',
                'verbose_name_plural': 'events of the night',
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nickname', models.CharField(max_length=96, verbose_name='nickname')),
                ('language', models.CharField(blank=True, max_length=8, verbose_name='language')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='first came')),
                ('banned_at', models.DateTimeField(blank=True, null=True, verbose_name='banned')),
                ('deleted_at', models.DateTimeField(blank=True, null=True, verbose_name='deleted')),
                ('devices_since', models.PositiveIntegerField(default=0, editable=False)),
                ('is_listed', models.BooleanField(default=False, verbose_name='shown in leaderboards')),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='games.player')),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='player', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
            },
        ),
        migrations.AddField(
            model_name='night',
            name='host',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hosted', to='games.player', verbose_name='host'),
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('waiting', 'waits at the door'), ('in', 'in'), ('kicked', 'shown the door')], default='in', max_length=8, verbose_name='status')),
                ('joined_at', models.DateTimeField(auto_now_add=True, verbose_name='came')),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='games.night')),
                ('keeper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='kept_memberships', to='games.player', verbose_name='acts for them')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='games.player', verbose_name='player')),
            ],
            options={
                'ordering': ['joined_at', 'pk'],
                'verbose_name': 'person at a night',
                'verbose_name_plural': 'people of the night',
            },
        ),
        migrations.CreateModel(
            name='HouseRules',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.models.night.new_public_id, max_length=16, unique=True)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('game_id', models.CharField(max_length=32, verbose_name='game')),
                ('preset', models.CharField(max_length=32, verbose_name='variant')),
                ('options', models.JSONField(default=dict)),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('status', models.CharField(choices=[('active', 'in use'), ('archived', 'archived')], default='active', max_length=8, verbose_name='status')),
                ('hosts_may', models.CharField(choices=[('nothing', "not on offer: hosts don't see it"), ('choose', 'hosts may choose it, but change nothing'), ('change', 'hosts may choose it and change it for a table')], default='change', max_length=8, verbose_name='hosts may')),
                ('is_default', models.BooleanField(default=False, verbose_name='default')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='last changed')),
                ('created_by', models.CharField(blank=True, max_length=150)),
                ('updated_by', models.CharField(blank=True, max_length=150)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='house_rules', to='games.player', verbose_name='owner')),
            ],
            options={
                'verbose_name': 'house rules',
                'verbose_name_plural': 'house rules',
                'ordering': ['game_id', 'name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='HistoryClaim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('agreed', models.JSONField(default=list)),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='games.night')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims_of', to='games.player')),
                ('guest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims_on', to='games.player')),
            ],
            options={
                'ordering': ['created_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='DiceTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game_id', models.CharField(max_length=32)),
                ('counts', models.JSONField(default=dict)),
                ('control', models.JSONField(default=dict)),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='dice_tallies', to='games.player')),
            ],
            options={
                'ordering': ['game_id'],
            },
        ),
        migrations.CreateModel(
            name='DeviceMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=6)),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('agreed', models.JSONField(default=list)),
                ('is_own', models.BooleanField(default=False)),
                ('wrong', models.PositiveSmallIntegerField(default=0)),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='device_moves', to='games.night')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='games.player')),
            ],
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='when')),
                ('act', models.CharField(db_index=True, max_length=40, verbose_name='what')),
                ('actor_name', models.CharField(max_length=150, verbose_name='who')),
                ('subject', models.CharField(blank=True, max_length=200, verbose_name='about')),
                ('data', models.JSONField(default=dict)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('night', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.night', verbose_name='night')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.player')),
            ],
            options={
                'verbose_name_plural': 'acts of hosts and staff',
                'ordering': ['-at', '-pk'],
                'verbose_name': 'act',
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('seq', models.PositiveIntegerField(blank=True, null=True)),
                ('game_id', models.CharField(max_length=32)),
                ('preset', models.CharField(max_length=32)),
                ('reason', models.CharField(max_length=32)),
                ('unit', models.CharField(max_length=16)),
                ('finished_at', models.DateTimeField(db_index=True, verbose_name='finished')),
                ('by_name', models.CharField(blank=True, max_length=150, verbose_name='corrected by')),
                ('is_correction', models.BooleanField(default=False, verbose_name='correction')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='reason of the correction')),
                ('medium', models.CharField(default='screen', max_length=16)),
                ('corrects', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='corrections', to='games.result')),
            ],
            options={
                'ordering': ['-finished_at', '-pk'],
                'verbose_name': 'result',
                'verbose_name_plural': 'results',
            },
        ),
        migrations.CreateModel(
            name='ResultLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('name', models.CharField(max_length=96, verbose_name='name')),
                ('is_bot', models.BooleanField(default=False)),
                ('points', models.IntegerField(verbose_name='points')),
                ('rank', models.PositiveSmallIntegerField(verbose_name='rank')),
                ('stats', models.JSONField(default=dict)),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='result_lines', to='games.player', verbose_name='player')),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='games.result')),
            ],
            options={
                'ordering': ['result', 'rank', 'seat'],
                'verbose_name': 'line of a result',
                'verbose_name_plural': 'who got what',
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.models.night.new_public_id, max_length=16, unique=True)),
                ('number', models.PositiveSmallIntegerField(default=1, verbose_name='number')),
                ('game_id', models.CharField(max_length=32)),
                ('preset', models.CharField(max_length=32)),
                ('options', models.JSONField(default=dict)),
                ('status', models.CharField(choices=[('lobby', 'waiting to start'), ('playing', 'playing'), ('paused', 'paused'), ('finished', 'finished')], default='lobby', max_length=8, verbose_name='status')),
                ('seq', models.PositiveIntegerField(default=0, verbose_name='log entries')),
                ('state', models.JSONField(null=True)),
                ('rules_version', models.PositiveIntegerField(default=0)),
                ('clocks', models.JSONField(default=dict)),
                ('due_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('dice_seed', models.CharField(max_length=64)),
                ('dice_salt', models.CharField(blank=True, max_length=64)),
                ('dice_drawn', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='opened')),
                ('started_at', models.DateTimeField(blank=True, null=True, verbose_name='started')),
                ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished')),
                ('house_rules_name', models.CharField(blank=True, max_length=60)),
                ('house_rules_version', models.PositiveIntegerField(blank=True, null=True)),
                ('archived_at', models.DateTimeField(blank=True, null=True, verbose_name='archived')),
                ('state_seq', models.PositiveIntegerField(default=0)),
                ('corrections', models.JSONField(default=list)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=32)),
                ('claimed_until', models.DateTimeField(blank=True, null=True)),
                ('chains', models.JSONField(null=True)),
                ('house_rules', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tables', to='games.houserules')),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='games.night', verbose_name='night')),
                ('scorekeeper', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='scored_tables', to='games.player', verbose_name='scorekeeper')),
                ('successor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.table')),
            ],
            options={
                'ordering': ['night', 'number'],
                'verbose_name': 'table',
                'verbose_name_plural': 'tables',
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('name', models.CharField(max_length=96, verbose_name='name')),
                ('bot_level', models.CharField(blank=True, max_length=16, verbose_name='bot')),
                ('nonce', models.CharField(blank=True, max_length=64)),
                ('accepted_at', models.DateTimeField(blank=True, null=True, verbose_name='accepted the rules')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='games.player', verbose_name='player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.table')),
            ],
            options={
                'ordering': ['table', 'index'],
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
            },
        ),
        migrations.AddField(
            model_name='result',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='games.table'),
        ),
        migrations.CreateModel(
            name='LogFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('actors', models.ManyToManyField(related_name='+', to='games.player')),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='log_file', to='games.table')),
            ],
        ),
        migrations.CreateModel(
            name='LogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField(verbose_name='step')),
                ('command_id', models.CharField(max_length=64)),
                ('command', models.JSONField()),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('events', models.JSONField()),
                ('dice', models.JSONField(default=list)),
                ('created_at', models.DateTimeField(verbose_name='when')),
                ('throw', models.JSONField(null=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='games.table')),
            ],
            options={
                'ordering': ['table', 'seq'],
                'verbose_name': 'log entry',
                'verbose_name_plural': 'log of the tables',
            },
        ),
        migrations.CreateModel(
            name='KeptLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=96)),
                ('text', models.CharField(max_length=280)),
                ('said_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_lines', to='games.player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_lines', to='games.table')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='CountedTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='counted', to='games.table')),
            ],
        ),
        migrations.CreateModel(
            name='ChatMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=96)),
                ('text', models.CharField(max_length=280)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='games.player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chat', to='games.table')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game_id', models.CharField(max_length=32)),
                ('unit', models.CharField(max_length=16)),
                ('played', models.PositiveIntegerField(default=0)),
                ('won', models.PositiveIntegerField(default=0)),
                ('points', models.BigIntegerField(default=0)),
                ('stats', models.JSONField(default=dict)),
                ('last_at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='games.player')),
                ('venue', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.venue')),
            ],
            options={
                'ordering': ['game_id', 'unit', '-points'],
            },
        ),
        migrations.AddField(
            model_name='night',
            name='venue',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='nights', to='games.venue', verbose_name='venue'),
        ),
        migrations.CreateModel(
            name='HouseRulesVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=60)),
                ('preset', models.CharField(max_length=32)),
                ('options', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('by_name', models.CharField(blank=True, max_length=150)),
                ('rules', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='games.houserules')),
            ],
            options={
                'verbose_name': 'version of house rules',
                'verbose_name_plural': 'versions of house rules',
                'ordering': ['rules', '-version'],
                'constraints': [models.UniqueConstraint(fields=('rules', 'version'), name='one_row_a_version')],
            },
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['nickname'], name='games_playe_nicknam_afd6eb_idx'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('night', 'player'), name='one_membership_a_night'),
        ),
        migrations.AddIndex(
            model_name='houserules',
            index=models.Index(fields=['game_id', 'owner', 'status'], name='rules_by_owner'),
        ),
        migrations.AddConstraint(
            model_name='houserules',
            constraint=models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('game_id',), name='one_default_a_game'),
        ),
        migrations.AddConstraint(
            model_name='houserules',
            constraint=models.CheckConstraint(condition=models.Q(('is_default', False), models.Q(('owner__isnull', True), ('status', 'active')), _connector='OR'), name='default_is_of_the_house'),
        ),
        migrations.AddConstraint(
            model_name='historyclaim',
            constraint=models.UniqueConstraint(fields=('night', 'guest', 'account'), name='one_claim_a_guest'),
        ),
        migrations.AddConstraint(
            model_name='historyclaim',
            constraint=models.CheckConstraint(condition=models.Q(('guest', models.F('account')), _negated=True), name='claim_is_on_another'),
        ),
        migrations.AddConstraint(
            model_name='dicetally',
            constraint=models.UniqueConstraint(condition=models.Q(('player__isnull', False)), fields=('player', 'game_id'), name='one_dice_tally_a_player'),
        ),
        migrations.AddConstraint(
            model_name='dicetally',
            constraint=models.UniqueConstraint(condition=models.Q(('player__isnull', True)), fields=('game_id',), name='one_dice_tally_of_everybody'),
        ),
        migrations.AddConstraint(
            model_name='resultline',
            constraint=models.UniqueConstraint(fields=('result', 'seat'), name='one_line_a_seat'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(fields=['created_at'], name='table_by_date'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('night', 'number'), name='one_table_a_number'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'index'), name='one_seat_an_index'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'player'), name='one_seat_a_player'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='one_result_a_number'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('table', 'seq'), name='one_result_an_entry'),
        ),
        migrations.AddConstraint(
            model_name='logentry',
            constraint=models.UniqueConstraint(fields=('table', 'seq'), name='one_entry_a_seq'),
        ),
        migrations.AddConstraint(
            model_name='logentry',
            constraint=models.UniqueConstraint(fields=('table', 'command_id'), name='one_entry_a_command'),
        ),
        migrations.AddIndex(
            model_name='tally',
            index=models.Index(fields=['game_id', 'unit', 'venue', 'points'], name='tally_by_points'),
        ),
        migrations.AddIndex(
            model_name='tally',
            index=models.Index(fields=['game_id', 'unit', 'venue', 'played'], name='tally_by_played'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(condition=models.Q(('venue__isnull', False)), fields=('player', 'game_id', 'unit', 'venue'), name='one_tally_a_venue'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(condition=models.Q(('venue__isnull', True)), fields=('player', 'game_id', 'unit'), name='one_tally_everywhere'),
        ),
        migrations.AddIndex(
            model_name='night',
            index=models.Index(fields=['host_away_since'], name='games_night_host_aw_8a4743_idx'),
        ),
        migrations.AddIndex(
            model_name='night',
            index=models.Index(fields=['created_at'], name='night_by_date'),
        ),
        migrations.AddIndex(
            model_name='night',
            index=models.Index(condition=models.Q(('is_practice', True)), fields=['closed_at'], name='practice_by_end'),
        ),
    ]
