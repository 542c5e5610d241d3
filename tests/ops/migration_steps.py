"""The migrations one by one, and the one step that stands for them in a new house.

`python -m tests.ops.migration_steps` writes that step anew from the single ones.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import migrations
from django.db.migrations import executor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import CreateModel
from django.db.migrations.state import ModelState
from django.db.migrations.writer import MigrationWriter

from games.ops.create_models import CreateModels

SQUASHED = "0001_all_steps"
WORDS = '''"""The whole database in one step, for new houses; houses of before go on step by step.

What some of the steps did to rows, a new house has none of. `python -m tests.ops.migration_steps` writes this file.
"""
'''


class SingleSteps(MigrationLoader):
    """The migrations without the one that stands for several."""

    def load_disk(self) -> None:
        super().load_disk()
        self.disk_migrations.pop(("games", SQUASHED), None)


@contextmanager
def one_by_one() -> Iterator[None]:
    """Let Django migrate by the single steps, as every house before did."""
    executor.MigrationLoader = SingleSteps
    try:
        yield
    finally:
        executor.MigrationLoader = MigrationLoader


def names() -> list[str]:
    """Return the names of the single steps."""
    return sorted(name for app, name in SingleSteps(None).disk_migrations if app == "games")


def one_step(replaced: list[str]) -> str:
    """Return the text of the one step that stands for these single ones."""
    single = SingleSteps(None)
    state = single.project_state(("games", replaced[-1]))
    made = migrations.Migration(SQUASHED, "games")
    made.initial, made.replaces = True, [("games", name) for name in replaced]
    needed = {each for name in replaced for each in single.get_migration("games", name).dependencies}
    made.dependencies = sorted((each for each in needed if each[0] != "games"), key=str)
    models = [_created(model) for (app, _name), model in state.models.items() if app == "games"]
    made.operations = [CreateModels(models=models)]
    text = MigrationWriter(made, include_header=False).as_string()
    return WORDS + re.sub(r"[ \t]+$", "", text, flags=re.M)


def _created(model: ModelState) -> CreateModel:
    return CreateModel(model.name, list(model.fields.items()), dict(model.options), model.bases, model.managers)


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "games.settings")
    django.setup()
    place = Path(__file__).parents[2] / "games" / "migrations" / f"{SQUASHED}.py"
    place.write_text(one_step(names()))
