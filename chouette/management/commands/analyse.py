"""Grade a match file."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from chouette.analysis import brought, engines
from chouette.analysis.engine import EngineFailed
from chouette.analysis.report import report
from chouette.export.record import Session
from chouette.match_files import gammonview
from chouette.match_files.reading import MOST_BYTES
from games.kernel.contract import Illegal, JsonObject

_WITH_GAMMONVIEW = f"Of .xg, .bgf, .gva and .gvab the same, where gammonview is: {gammonview.HOW_TO_GET_IT}."
REFUSALS = {
    **brought.REFUSALS,
    "bad_file": f"{brought.REFUSALS['bad_file']} {_WITH_GAMMONVIEW}",
    "no_engine": f"No engine is installed: {engines.HOW_TO_GET_ONE}.",
    "engine_failed": "The engine gave no answer.",
}

MANY = 200
"""A PR over fewer decisions has no decimal."""


class FileNotGraded(Exception):
    """A file that is not graded, with the refusal that says why."""

    def __init__(self, refusal: Illegal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal

    def to_json(self) -> JsonObject:
        """Return the refusal with the place in the file where one is known."""
        at = {"at": self.refusal.params["at"]} if "at" in self.refusal.params else {}
        return {"error": {"code": self.refusal.code, **at}}

    def __str__(self) -> str:
        sentence = brought.refused(self.refusal)
        if sentence is None or not sentence.values:
            return REFUSALS[self.refusal.code]
        games = self.refusal.params.get("games", 0)
        remedy = f" --partly grades the {games} game{'s' * (games > 1)} before it." if games else ""
        return f"{sentence.text % sentence.values}{remedy}"


class Command(BaseCommand):
    """`manage.py analyse FILE`, `manage.py analyse --again`."""

    help = (
        "Grade a match file (.mat, .sgf, .xg, .bgf, .gva): plays, doubles, luck and each player's PR; "
        "or the games of the house anew."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and how to grade it."""
        parser.add_argument("file", type=Path, nargs="?")
        parser.add_argument("--again", action="store_true", help="grade every game of the house once more")
        parser.add_argument("--partly", action="store_true", help="grade the games before one that cannot be read")
        parser.add_argument("--json", action="store_true", help="write one JSON object with every decision")
        parser.add_argument("--engine", choices=engines.NAMES, help="the engine; else the first that is installed")
        parser.add_argument("--level", help="how deep the engine looks, such as 2-ply")

    def handle(self, *args: Any, file: Path | None, again: bool, **options: Any) -> None:
        """Write the report, or why there is none; then the exit status is 2."""
        if again == (file is not None):
            raise CommandError("Name a match file, or --again.")
        if file is None:
            call_command("analyser", "--once", "--again", stdout=self.stdout, stderr=self.stderr)
            return
        try:
            session = self._session(file, partly=options["partly"])
            found = self._report(session, options["engine"], options["level"])
        except FileNotGraded as why:
            if options["json"]:
                self.stdout.write(json.dumps(why.to_json()))
            else:
                self.stderr.write(str(why))
            sys.exit(2)
        self.stdout.write(json.dumps(found) if options["json"] else text(found))

    def _session(self, file: Path, *, partly: bool) -> Session:
        """Return the content of a file; raises FileNotGraded."""
        try:
            with file.open("rb") as opened:
                return brought.opened(opened.read(MOST_BYTES + 1), file.suffix.casefold(), partly=partly)
        except OSError as why:
            raise FileNotGraded(Illegal("bad_file")) from why
        except Illegal as why:
            raise FileNotGraded(why) from why

    def _report(self, session: Session, name: str | None, level: str | None) -> JsonObject:
        """Return the report; raises FileNotGraded."""
        names = [name] if name in engines.installed() else [] if name else engines.installed()
        if not names:
            raise FileNotGraded(Illegal("no_engine"))
        if level and level not in engines.LEVELS[names[0]]:
            raise CommandError(f"{names[0]} has no level {level}, but {', '.join(engines.LEVELS[names[0]])}.")
        engine = engines.engine(names[0], level)
        try:
            found = report(session, engine)
        except EngineFailed as why:
            raise FileNotGraded(Illegal("engine_failed")) from why
        finally:
            engine.close()
        if found["decisions"] and not any(each["graded"] for each in found["decisions"]):
            raise FileNotGraded(Illegal("engine_failed"))
        return found


def text(found: JsonObject) -> str:
    """Return the sums of a report in lines for people."""
    lines = [f"{found['engine']}, {found['level']}, formula {found['formula']}, {found['games']} games"]
    if "unread" in found:
        lines.append(f"Left out from here on: {found['unread']}")
    for player in found["players"]:
        lines.append(
            f"{player['name']}: PR {_pr(player)} over {player['decisions']} decisions "
            f"({player['plays']} plays, {player['cubes']} doubles and answers), error {player['error']:.3f}, "
            f"luck {player['luck']:+.3f}, points {player['points']:+d}"
        )
    return "\n".join(lines)


def _pr(player: JsonObject) -> str:
    """Return a PR for people: few decisions bear no decimal."""
    if player["pr"] is None:
        return "–"
    return f"{player['pr']:.{1 if player['decisions'] >= MANY else 0}f}"
