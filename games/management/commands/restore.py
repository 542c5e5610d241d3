"""Restore a backup."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.management import locks, preparation
from games.management.backups import archive, waiting_house
from games.ops.system import calls
from games.services import processes
from games.services.tables import log

NICENESS = 10
"""By so much a backup that is prepared beside the house leaves the processor to it."""


class Command(BaseCommand):
    """`manage.py restore`."""

    help = "Put a backup in the place of database and secret key, and prove its tables."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments `file` and `--force`."""
        parser.add_argument("file", type=Path, help="what `backup` wrote")
        parser.add_argument(
            "--force", action="store_true", help="even if a server seems to run, or the backup has faults"
        )
        parser.add_argument(
            "--next-start",
            action="store_true",
            help="into a new house on SQLite: prepare it beside the running house; the next start puts it in place",
        )

    def handle(self, *args: Any, file: Path, force: bool, next_start: bool = False, **options: Any) -> None:
        """Restore, bring the database up to this version, and check all tables."""
        if next_start:
            calls.give_way(NICENESS)
            waiting_house.prepare(file.resolve(), partial(self._prove, force=force))
            self.stdout.write("Prepared. The next start of the house puts it in place.")
            return
        if not force and _is_served():
            raise CommandError("A server runs on this database, or died just now. Stop it, or wait 10 seconds.")
        if found := archive.about(file.resolve()):
            self.stdout.write(f"A backup of version {found['version']}, made at {found['made_at']}.")
        with locks.preparing(self.stderr.write):
            aside = archive.read(file.resolve(), partial(self._prove, force=force), self.stdout.write)
            log.forget_all()
        for kept in aside:
            self.stdout.write(f"What was there before is kept: {kept}")
        self.stdout.write("Restored. Start the house again.")

    def _prove(self, *, force: bool) -> None:
        """Bring the backup up to this version and check its tables, before it replaces the database."""
        preparation.refuse_other_versions()
        log.forget_all()
        call_command("migrate", interactive=False, verbosity=0)
        try:
            call_command("check_logs", stdout=self.stdout)
        except CommandError as error:
            if not force:
                raise CommandError(f"{error} Nothing was changed; --force restores the backup all the same.") from None


def _is_served() -> bool:
    """Tell whether any process serves, or runs the clock; False for a database without tables."""
    try:
        return locks.is_serving() or processes.is_running()
    except DatabaseError:
        return False
