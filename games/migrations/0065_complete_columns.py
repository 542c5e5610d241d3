"""Databases of builds between 1.0.0 and the next release get what its steps give their columns since then."""

from django.db import migrations

from games.ops.column_defaults import CompleteColumns


class Migration(migrations.Migration):
    dependencies = [("games", "0064_tournament_rule_set")]

    operations = [
        CompleteColumns(
            columns=[
                ("player", "hides_grades"),
                ("player", "wants_mail"),
                ("house", "points_worth"),
                ("house", "most_a_point"),
                ("house", "most_a_night"),
                ("gamegrades", "depth"),
                ("night", "wifi_sealed"),
                ("night", "wifi_password"),
                ("season", "entry_key"),
            ]
        ),
    ]
