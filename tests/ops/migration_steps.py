"""The migrations one by one: new houses take those of version 0.1.0 in one step, and then no name inside is reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.migrations import executor
from django.db.migrations.loader import MigrationLoader

SQUASHED = "0001_version_0_1_0"


class SingleSteps(MigrationLoader):
    """The migrations without the one that stands for several."""

    def load_disk(self) -> None:
        super().load_disk()
        del self.disk_migrations["games", SQUASHED]


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
    found = sorted(name for app, name in MigrationLoader(None).disk_migrations if app == "games")
    return [name for name in found if name != SQUASHED]
