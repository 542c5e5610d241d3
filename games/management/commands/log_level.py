"""Show or change how much a running house logs."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models.house import zone
from games.ops.diagnosis import log_level

USUAL = "usual"


class Command(BaseCommand):
    """`manage.py log_level`."""

    help = "Show how much the house logs, or change it while it runs, for an hour or as long as you say."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the level and how long it holds."""
        levels = [each.lower() for each in log_level.LEVELS]
        parser.add_argument("level", nargs="?", type=str.lower, choices=[*levels, USUAL], help="none: show it")
        parser.add_argument(
            "--minutes", type=int, default=log_level.USUAL_MINUTES, help=f"how long ({log_level.USUAL_MINUTES})"
        )

    def handle(self, *args: Any, level: str | None, minutes: int, **options: Any) -> None:
        """Change the level, and print it."""
        try:
            if level == USUAL:
                log_level.choose_usual()
            elif level:
                log_level.choose(level.upper(), minutes)
        except ValueError as error:
            raise CommandError(f"{error}.") from None
        except OSError as error:
            raise CommandError(f"The data folder can't be written: {error}.") from None
        if choice := log_level.chosen():
            until = datetime.fromtimestamp(choice.until, zone())
            self.stdout.write(f"{choice.level} until {until:%Y-%m-%d %H:%M}, then {log_level.usual()}.")
        else:
            self.stdout.write(f"{log_level.usual()}, as LOG_LEVEL says.")
