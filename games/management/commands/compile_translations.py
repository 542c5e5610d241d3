"""Compile the translations without GNU gettext."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.management.translations import catalogs, pseudo


class Command(BaseCommand):
    """`manage.py compile_translations`."""

    help = "Compile every *.po of the project that is newer than its *.mo (needs no GNU gettext)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for the pseudo-language."""
        parser.add_argument(
            "--pseudo", action="store_true", help="write those of the pseudo-language into the data folder, too"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Compile every changed catalogue."""
        for path in catalogs.compile_changed():
            self.stdout.write(f"compiled {path}")
        if options["pseudo"]:
            for path in pseudo.write(settings.PSEUDO_FOLDER):
                self.stdout.write(f"compiled {path}")
