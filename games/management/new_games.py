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
_PIG = re.compile(r"(?<![A-Za-z])pig(?![A-Za-z])")


class BadName(ValueError):
    """A name that no new game can have; the text is a sentence."""


def check(game_id: str) -> None:
    """Raise BadName if a new game cannot have this id."""
    if not _ID.fullmatch(game_id):
        raise BadName(
            f"{game_id!r} is no name for a game: 2 to 24 of a to z, 0 to 9 and _, a letter first, such as duck."
        )
    if game_id in all_games():
        raise BadName(f"A game named {game_id} is installed already.")
    if keyword.iskeyword(game_id):
        raise BadName(f"{game_id} is a word of Python itself: choose another name.")
    if game_id in ("tests", *apps.app_configs) or importlib.util.find_spec(game_id):
        raise BadName(
            f"A module named {game_id} is there already, of Python or of what is installed: choose another name."
        )


def folder_name(game_id: str) -> str:
    """Return the name of a game's folder, which is that of its package, too."""
    return f"stammtisch-{game_id}"


def files(game_id: str) -> dict[str, str]:
    """Return the texts of a game's files by their paths in its folder."""
    blocks = _FILE.findall(GUIDE.read_text(encoding="utf-8"))
    found = {_renamed(path, game_id): _sorted_imports(_renamed(text, game_id)) for path, text in blocks}
    return {**found, f"{game_id}/__init__.py": ""}


def write(game_id: str, into: Path) -> Path:
    """Write a game's folder, whole or not at all, and return it; raises BadName, OSError."""
    check(game_id)
    folder = into / folder_name(game_id)
    if folder.exists():
        raise BadName(f"{folder} is there already.")
    with TemporaryDirectory(dir=into) as scratch:
        for path, text in files(game_id).items():
            target = Path(scratch, folder.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        Path(scratch, folder.name).rename(folder)
    return folder


def _renamed(text: str, game_id: str) -> str:
    """Return a text of the guide's game with another game's id, class and title."""
    words = game_id.split("_")
    text = text.replace("PigConfig", "".join(map(str.capitalize, words)) + "Config")
    return _PIG.sub(game_id, re.sub(r"\bPig\b", " ".join(words).strip().capitalize(), text))


def _sorted_imports(text: str) -> str:
    """Return a module whose neighbouring imports are in the order of their names."""
    parts = groupby(text.splitlines(keepends=True), lambda line: line.startswith("from "))
    return "".join(
        "".join(sorted(lines, key=lambda line: line.split()[1]) if is_import else lines) for is_import, lines in parts
    )
