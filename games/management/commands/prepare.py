"""From a fresh clone, or an upgrade, to a house that can be served."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.command_line import spoken
from games.management import locks, preparation


class Command(BaseCommand):
    """`manage.py prepare`."""

    help = "Make or bring up to date all that `serve` needs: key, database, translations, static files."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is missing; at once where nothing is."""
        with locks.preparing(self.stderr.write):
            preparation.prepare()
        self.stdout.write(f"The house is prepared. `{spoken('serve')}` opens it.")
