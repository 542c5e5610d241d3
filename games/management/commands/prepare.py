"""Prepare a fresh clone, or an upgrade, for `serve`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.command_line import shell_command
from games.management import locks, preparation


class Command(BaseCommand):
    """`manage.py prepare`."""

    help = "Make or bring up to date all that `serve` needs: key, database, translations, static files."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Do the missing steps; quick if nothing is missing."""
        with locks.preparing(self.stderr.write):
            preparation.prepare(preparation.printer(self.stdout))
        self.stdout.write(f"The house is prepared. `{shell_command('serve')}` opens it.")
