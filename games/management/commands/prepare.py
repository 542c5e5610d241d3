"""Prepare a fresh clone, or an upgrade, for `serve`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.command_line import shell_command
from games.management import locks, preparation
from games.services.logs import data_folders


class Command(BaseCommand):
    """`manage.py prepare`."""

    help = "Make or bring up to date all that `serve` needs: key, database, translations, static files."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for a house that has moved."""
        parser.add_argument(
            "--only-folder", action="store_true", help="other data folders of this database are gone for good"
        )

    def handle(self, *args: Any, only_folder: bool, **options: Any) -> None:
        """Do the missing steps; quick if nothing is missing."""
        with locks.preparing(self.stderr.write):
            preparation.prepare(preparation.printer(self.stdout))
            if only_folder:
                data_folders.make_only()
                if missing := data_folders.missing_files():
                    self.stderr.write(f"{missing} old logs were in another data folder: put its `logs/` into this one.")
        self.stdout.write(f"The house is prepared. `{shell_command('serve')}` opens it.")
