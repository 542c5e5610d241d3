"""Write a new game."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management import new_games


class Command(BaseCommand):
    """`manage.py new_game`."""

    help = "Write a game that plays, as a package with its tests: that of docs/adding-a-game.md, under a name of yours."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the game's id and the folder."""
        parser.add_argument("game", metavar="NAME", help="the game's id, as in its addresses")
        parser.add_argument(
            "--into", metavar="FOLDER", type=Path, default=Path(), help="where its folder is made (here)"
        )

    def handle(self, *args: Any, game: str, into: Path, **options: Any) -> None:
        """Write the folder, and print the next steps; raises CommandError."""
        try:
            folder = new_games.write(game, into)
        except new_games.BadName as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"No game can be written into {into}: {error.strerror}.") from error
        self.stdout.write(f"{folder} is a game that plays. {new_games.GUIDE} says what each part of it does.")
        self.stdout.write(f"Its tests:    python -m pytest {folder}")
        self.stdout.write(f"To play it:   python -m pip install -e {folder}, and restart the house")
