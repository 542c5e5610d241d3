"""The tracked sources, for the tests that hold them to the plan of the house."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOUSE = "games"
PUT_THERE = {".venv", "var", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}


@cache
def tracked() -> tuple[Path, ...]:
    """Return every file that git tracks or would, relative to the project; no ignored ones."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        # An unpacked archive: everything but what make and the tests put there.
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
        names = [name for name in names if not PUT_THERE & set(Path(name).parts)]
    else:
        names = listed.stdout.split("\n")
    return tuple(sorted(Path(name) for name in names if name and (ROOT / name).is_file()))


def files(*suffixes: str, under: str = "") -> list[Path]:
    """Return the tracked files with one of the suffixes, below a folder."""
    return [path for path in tracked() if path.suffix in suffixes and path.is_relative_to(under or ".")]


def text_of(path: Path) -> str:
    """Return a tracked file's text."""
    return (ROOT / path).read_text(encoding="utf-8")


GAME_FOLDERS = tuple(
    str(path.parent)
    for path in tracked()
    if path.name == "apps.py" and len(path.parts) == 2 and path.parent / "rules" / "__init__.py" in tracked()
)
"""Every folder of a game: whatever stands at the top level with an app and rules."""


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a tracked module's syntax tree."""
    return ast.parse(text_of(path), str(path))


def module_name(path: Path) -> str:
    """Return the dotted name of a module file."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path, *, at_run_time_only: bool = False) -> set[str]:
    """Return the dotted names that a module imports, wherever in it."""
    found: set[str] = set()
    for node in statements(tree_of(path), at_run_time_only=at_run_time_only):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(str(node.module))
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
"""The fields of a node that hold statements, in the order of their lines."""


def statements(tree: ast.AST, *, at_run_time_only: bool = False) -> Iterator[ast.AST]:
    """Yield a syntax tree's statements, those of functions and classes too; at run time none of `if TYPE_CHECKING:`.

    Statements are a fifth of all nodes.
    """
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if at_run_time_only and isinstance(node, ast.If) and _is_of_types_alone(node):
            continue
        yield node
        for name in reversed(BLOCKS):
            waiting += reversed(getattr(node, name, ()))


def _is_of_types_alone(node: ast.If) -> bool:
    names = (getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(node.test))
    return "TYPE_CHECKING" in names


def is_in(name: str, package: str) -> bool:
    """Tell whether a dotted name is a package or inside it."""
    return name == package or name.startswith(f"{package}.")
