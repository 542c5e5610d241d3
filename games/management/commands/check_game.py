"""Check an installed game against the contract, and grade it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management import game_grades
from games.plugin import all_games


class Command(BaseCommand):
    """`manage.py check_game`."""

    help = "Play a game at random by the contract, and list what it has; exit code 1 if it breaks the contract."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the game's id."""
        parser.add_argument("game", metavar="NAME", help="the game's id, as in its addresses")

    def handle(self, *args: Any, game: str, **options: Any) -> None:
        """Print the list; raises CommandError for a game that is not installed."""
        found = all_games().get(game)
        if found is None:
            why = [str(each.reason) for each in settings.GAMES_LEFT_OUT if each.game_id == game]
            raise CommandError(*why or [f"{game} is not installed. Installed are: {', '.join(all_games())}."])
        grades = list(game_grades.grades(found))
        width = max(len(each.topic) for each in grades)
        for each in grades:
            self.stdout.write(f"{' yes' if each.is_had else '  no'}  {each.topic:{width}}  {each.text}".rstrip())
        if not grades[0].is_had:
            sys.exit(1)
