"""A module of the house is imported by its own name."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture.sources import GAME_FOLDERS, HOUSE, files, module_name, statements, tree_of

OURS = (HOUSE, *GAME_FOLDERS, "tests")
MARKERS = ("_", "pgettext")
"""Names by which the extraction of texts knows a text to translate."""


def bound_names(tree: ast.AST) -> list[str]:
    """Return every name that a module binds, by its own name: imports, definitions, parameters, variables."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [alias.name.rsplit(".", 1)[-1] for alias in node.names]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.arg):
            found.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.append(node.id)
    return found


def with_folder(module: str) -> str:
    """Return a module's name with its folder's before it: `games.web.tables.acts` is `table_acts`."""
    folder, name = module.split(".")[-2:]
    return f"{folder.removesuffix('s')}_{name}"


def renamed_imports(path: Path, tree: ast.AST, modules: frozenset[str]) -> list[str]:
    """Return the imports under another name that no clash of names in the file asks for.

    Where names clash, a module takes its folder's name before its own; a class or function takes any.
    """
    found = []
    for node in statements(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for alias in node.names:
            full = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            own = full.rsplit(".", 1)[-1]
            if full.split(".")[0] not in OURS or alias.asname in (None, own, *MARKERS):
                continue
            is_clash = bound_names(tree).count(own) > 1
            fits = alias.asname == with_folder(full) if full in modules else True
            if not (is_clash and fits):
                found.append(f"{path}:{node.lineno}: {full} as {alias.asname}")
    return found


def modules_of_the_house() -> frozenset[str]:
    """Return the dotted names of all modules and packages of ours."""
    names = {module_name(path) for path in files(".py")}
    return frozenset(names | {name.rsplit(".", 1)[0] for name in names})


def test_a_module_is_imported_by_its_own_name() -> None:
    """Under another name only where two things of one name meet, and then with its folder's name before it."""
    modules = modules_of_the_house()
    assert len(modules) > 200
    assert [place for path in files(".py") for place in renamed_imports(path, tree_of(path), modules)] == []


def test_planted_names_are_found() -> None:
    modules = frozenset({"games.services.people.players", "games.web.tables.acts", "games.web.nights.acts"})
    planted = {
        "from games.services.people import players as people": 1,
        "from games.services.people import players as people\ndef seat(players): ...": 1,
        "import games.web.tables.acts as kicks": 1,
        "from games.models import Seat as Chair": 1,
        "from games.services.people import players\nimport numpy as np": 0,
        "from games.web.tables import acts as table_acts\nfrom games.web.nights import acts as night_acts": 0,
        "from games.models import Seat as StoredSeat\nfrom games.kernel.contract import Seat": 0,
    }
    for text, count in planted.items():
        assert len(renamed_imports(Path("games/planted.py"), ast.parse(text), modules)) == count, text
