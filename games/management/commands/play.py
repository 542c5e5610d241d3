"""Prepare and serve a fresh clone: `make play` and `stammtisch play`."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from games.management import locks, preparation
from games.management.commands.serve import add_address, check
from games.management.processes import ends


class Command(BaseCommand):
    """`manage.py play`."""

    help = "Prepare everything (translations, database, static files, demo, admin) and serve."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add host, port and workers; the environment has their defaults."""
        add_address(parser)
        parser.add_argument("--no-browser", action="store_true", help="open no browser on this computer's desktop")
        parser.add_argument("--end-with-parent", action="store_true", help=SUPPRESS)

    def handle(self, *args: Any, host: str, port: int, workers: int, **options: Any) -> None:
        """Do the missing steps, then serve and say so in sentences; each step is quick if it has nothing to do."""
        if options["end_with_parent"]:
            ends.end_with_parent()
        check(host, port, workers)
        if locks.is_serving():
            with locks.serving():  # refuses, with an explanation
                pass
        with locks.preparing(self.stderr.write):
            preparation.prepare(preparation.printer(self.stdout))
            call_command("demo", stdout=self.stdout)
            call_command("admin", stdout=self.stdout)
        shown = {"for_people": True, "opens_browser": not options["no_browser"], "stdout": self.stdout}
        call_command("serve", host=host, port=port, workers=workers, **shown)
