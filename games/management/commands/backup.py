"""Write a backup of the house, also while it plays."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.management.backups import archive


class Command(BaseCommand):
    """`manage.py backup`."""

    help = "Write database and secret key to one new file; the house may play meanwhile."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the argument `file`."""
        parser.add_argument("file", type=Path, help="a file that is not there yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Write the backup and print its size."""
        size = archive.write(file.resolve())
        self.stdout.write(f"{file}: {size / 1e6:.1f} MB. Keep it where only you can read it.")
