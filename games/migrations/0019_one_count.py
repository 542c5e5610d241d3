"""Games played and won of a tally are those that the game itself counts, where it does (services.history.tallies)."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def count_as_the_game(apps: Any, schema_editor: Any) -> None:
    """Take `played` and `won` from a tally's figures, which have their sums."""
    tally = apps.get_model("games", "Tally")
    changed = []
    for row in tally.objects.iterator(chunk_size=2000):
        if {"played", "won"} <= row.stats.keys() and (row.played, row.won) != (row.stats["played"], row.stats["won"]):
            row.played, row.won = row.stats["played"], row.stats["won"]
            changed.append(row)
    tally.objects.bulk_update(changed, ["played", "won"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("games", "0018_night_wifi")]
    operations = [migrations.RunPython(count_as_the_game, migrations.RunPython.noop, elidable=True)]
