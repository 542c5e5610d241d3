"""Prove a backup whole, without touching the house."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.backups import archive, checksums, faults, proof


class Command(BaseCommand):
    """`manage.py check_backup`."""

    help = "Prove a backup whole: restore it into an empty house that is deleted again; exit code 1 on a fault."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the argument `file`."""
        parser.add_argument("file", type=Path, help="what `backup` wrote")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Compare the checksum beside it, if there is one, and restore it; raises CommandError for a fault."""
        path = file.resolve()
        if not path.is_file():
            raise CommandError(f"There is no file {path}.")
        if fault := checksums.fault(path):
            raise CommandError(fault)
        try:
            fault = proof.fault(path)
        except OSError as error:
            raise CommandError(f"{path} can't be unpacked: {faults.words_of(error)}.") from None
        if fault:
            raise CommandError(fault)
        about = archive.about(path)
        of = f", of version {about['version']}, made at {about['made_at']}" if about else ""
        self.stdout.write(f"{path} is whole{of}: it was restored into an empty house, and every table proved.")
