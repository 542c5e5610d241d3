from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0072_tournament_places'),
    ]

    operations = [
        migrations.AddField(
            model_name='seasonname',
            name='claimant',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='season_names_claimed', to='games.player'),
        ),
        migrations.AddField(
            model_name='result',
            name='is_totals',
            field=models.BooleanField(db_default=False, default=False, verbose_name='totals of an evening'),
        ),
        migrations.AddField(
            model_name='sheetrow',
            name='replaced_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replaced', to='games.seasonsheet'),
        ),
        migrations.AddField(
            model_name='resultline',
            name='agreed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='lines_agreed_for', to='games.player'),
        ),
        migrations.AddField(
            model_name='resultline',
            name='agreed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
