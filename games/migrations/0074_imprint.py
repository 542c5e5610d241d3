from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0073_evenings'),
    ]

    operations = [
        migrations.AddField(
            model_name='house',
            name='contact',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='house',
            name='imprint',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='house',
            name='notice_addition',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
    ]
