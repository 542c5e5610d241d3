from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0034_the_house'),
    ]

    operations = [
        migrations.AddField(
            model_name='night',
            name='phone_address',
            field=models.CharField(blank=True, max_length=100, verbose_name='address for phones'),
        ),
    ]
