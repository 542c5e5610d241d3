"""Run the housekeeping now, instead of at night."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.services.clock import housekeeping


class Command(BaseCommand):
    """`manage.py housekeeping`."""

    requires_system_checks = []
    requires_migrations_checks = True
    help = (
        "Close unused nights, delete what is past its term, count dice, move old logs to files. "
        "The clock does it every night."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do all chores and print the count of each."""
        for name, count in housekeeping.run().items():
            self.stdout.write(f"{name}: {count}")
