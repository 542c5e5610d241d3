"""A third game is one folder and one line: nobody in the house knows a game by name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.architecture.sources import GAME_FOLDERS, files, statements, text_of, tracked, tree_of

WHERE_GAMES_ARE_NAMED = {
    "games/settings.py",  # the one line of INSTALLED_APPS
    "games/services/hosting/demo.py",  # the demo night plays it where it is installed
}
DUMMY = "dummygame"


def test_the_dummy_game_is_known_to_the_tests_only() -> None:
    for path in tracked():
        if path.parts[0] in ("games", "chicago", "chouette", "templates") and path.suffix in TEXTS:
            assert DUMMY not in text_of(path), path


TEXTS = (".py", ".html", ".js", ".css", ".po", ".toml", ".svg")


def test_the_dummy_game_is_installed_by_one_line() -> None:
    lines = [line for line in text_of(Path("tests/settings.py")).splitlines() if DUMMY in line]
    assert lines == ['INSTALLED_APPS = [*INSTALLED_APPS, "tests.dummygame"]']


GAME = re.compile(rf"(?<![\w.-])({'|'.join(GAME_FOLDERS)})(?![\w-])")


def names_a_game(text: str) -> bool:
    """Tell whether a text has a game's id as a word of its own, not a heading's word."""
    return GAME.search(text) is not None


def test_no_code_of_the_house_names_a_game() -> None:
    for path in files(".py", under="games"):
        if str(path) in WHERE_GAMES_ARE_NAMED:
            continue
        docstrings = {id(node) for node in _docstrings(tree_of(path))}
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                is_code = id(node) not in docstrings
                assert not (is_code and names_a_game(node.value)), f"{path}:{node.lineno}"


def _docstrings(tree: ast.Module) -> list[ast.AST]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        node.body[0].value
        for node in statements(tree)
        if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)
    ]


def test_no_shared_page_or_script_names_a_game() -> None:
    for path in [*files(".html", under="templates"), *files(".js", ".css", under="games")]:
        text = re.sub(r"/\*.*?\*/|{#.*?#}|//[^\n]*|<!--.*?-->", "", text_of(path), flags=re.S)
        assert not names_a_game(text), path
