"""Write the published shapes of what games send."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management import browser_types
from games.plugin import all_games


class Command(BaseCommand):
    """`manage.py browser_types`."""

    help = "Write the JSON schemas of events, choices and views, and the types of the modules in the browser."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the games and the folder."""
        parser.add_argument("games", metavar="GAME", nargs="+", help="the games' ids")
        parser.add_argument("--into", metavar="FOLDER", type=Path, default=Path("docs/schemas"))

    def handle(self, *args: Any, games: list[str], into: Path, **options: Any) -> None:
        """Write the files; raises CommandError for a game that is not installed."""
        installed = all_games()
        if missing := [game for game in games if game not in installed]:
            raise CommandError(f"{missing[0]} is not installed. Installed are: {', '.join(installed)}.")
        into.mkdir(parents=True, exist_ok=True)
        for name, text in browser_types.files(installed[game] for game in games).items():
            (into / name).write_text(text, encoding="utf-8")
            self.stdout.write(f"{into / name}")
