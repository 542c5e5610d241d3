"""Compute the kept sums of results again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.services.history import night_tallies, tallies


class Command(BaseCommand):
    """`manage.py rebuild_tallies`."""

    requires_system_checks = []
    requires_migrations_checks = True
    help = "Compute the sums behind leaderboards, player pages and seasons again from the results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option that changes nothing."""
        parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if a sum is wrong")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        """Compare the sums with the results and write them anew; raises CommandError for wrong ones with `check`."""
        with transaction.atomic():
            wrong = tallies.differences() + night_tallies.differences()
            if check and wrong:
                raise CommandError(f"{wrong} sums are not what the results say.")
            if wrong:
                tallies.rebuild()
                night_tallies.rebuild()
        self.stdout.write(f"{wrong} sums were wrong, and are right now." if wrong else "All sums are right.")
