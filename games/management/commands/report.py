"""Write one file for a report of a fault."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ops.diagnosis import report


class Command(BaseCommand):
    """`manage.py report`."""

    help = "Write log, doctor and versions to one new file for a report of a fault, without names and secrets."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the argument `file`."""
        parser.add_argument("file", type=Path, help="a file that is not there yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Write the file."""
        text = report.make()
        try:
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as target:
                target.write(text)
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}. Name another file.") from None
        self.stdout.write(f"{file}: read it before you send it. Names, codes, addresses and secrets are left out.")
