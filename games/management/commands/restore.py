"""Back to a backup."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from games.management import backups
from games.services import clock_lease, ledger


class Command(BaseCommand):
    """`manage.py restore`."""

    help = "Put a backup in the place of database and secret key, and prove its tables."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file."""
        parser.add_argument("file", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument("--force", action="store_true", help="even if a server seems to run on the database")

    def handle(self, *args: Any, file: Path, force: bool, **options: Any) -> None:
        """Restore, bring the database up to this version, and check all tables."""
        if not force and _is_served():
            raise CommandError("A server runs on this database, or died just now. Stop it, or wait 10 seconds.")
        for kept in backups.read(file.resolve()):
            self.stdout.write(f"What was there before is kept: {kept}")
        connections.close_all()
        ledger.forget_all()
        call_command("migrate", interactive=False, verbosity=0)
        call_command("check_logs", stdout=self.stdout)
        self.stdout.write("Restored. Start the house again.")


def _is_served() -> bool:
    """Tell whether some process holds the clock; a database without tables has none."""
    try:
        return clock_lease.is_held()
    except DatabaseError:
        return False
