"""The files of a new game: those of the guide's game (docs/adding-a-game.md), under another id."""

from __future__ import annotations

import importlib.util
import keyword
import re
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from django.apps import apps

from games.plugin import all_games
from games.version import IS_INSTALLED, SOURCES

GUIDE = SOURCES / ("games/guide" if IS_INSTALLED else "docs") / "adding-a-game.md"
_FILE = re.compile(r"^`([\w./]+)`\n```\w+\n(.*?)^```$", re.M | re.S)
_ID = re.compile(r"[a-z][a-z0-9_]{0,22}[a-z0-9]", re.ASCII)
_FOLDER = re.compile(r"^stammtisch-(\w+)/$", re.M)


class BadName(ValueError):
    """A name that no new game can have; the text is a sentence."""


def check(game_id: str) -> None:
    """Raise BadName if a new game cannot have this id."""
    if not _ID.fullmatch(game_id):
        raise BadName(f"{game_id!r} is no name for a game: 2 to 24 of a-z, 0-9 and _, a letter first, such as duck.")
    if game_id in all_games():
        raise BadName(f"A game named {game_id} is installed already.")
    if keyword.iskeyword(game_id):
        raise BadName(f"{game_id} is a word of Python itself: choose another name.")
    if game_id in ("tests", *apps.app_configs) or importlib.util.find_spec(game_id):
        raise BadName(f"A module named {game_id} is there already, of Python or of a package: choose another name.")


def files(game_id: str) -> dict[str, str]:
    """Return the texts of a game's files by their paths in its folder."""
    guide = GUIDE.read_text(encoding="utf-8")
    (its_id,) = _FOLDER.findall(guide)
    blocks = [[_renamed(part, its_id, game_id) for part in block] for block in _FILE.findall(guide)]
    return {f"{game_id}/__init__.py": "", **{path: _sorted_imports(text) for path, text in blocks}}


def write(game_id: str, into: Path) -> Path:
    """Write a game's folder, whole or not at all, and return it; raises BadName, OSError."""
    check(game_id)
    folder = into / f"stammtisch-{game_id}"
    if folder.exists():
        raise BadName(f"{folder} is there already.")
    with TemporaryDirectory(dir=into) as scratch:
        for path, text in files(game_id).items():
            target = Path(scratch, folder.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        Path(scratch, folder.name).rename(folder)
    return folder


def _renamed(text: str, its_id: str, game_id: str) -> str:
    """Return a text of the guide's game with another game's id, class and title."""
    words = game_id.replace("_", " ").split()
    text = text.replace(f"{its_id.capitalize()}Config", "".join(map(str.capitalize, words)) + "Config")
    text = re.sub(rf"\b{its_id.capitalize()}\b", " ".join(words).capitalize(), text)
    return re.sub(rf"(?<![A-Za-z]){its_id}(?![A-Za-z])", game_id, text)


def _sorted_imports(text: str) -> str:
    """Return a module whose neighbouring imports are in the order of their names."""
    parts = groupby(text.splitlines(keepends=True), lambda line: line.startswith("from "))
    return "".join(
        "".join(sorted(lines, key=lambda line: line.split()[1]) if is_import else lines) for is_import, lines in parts
    )
