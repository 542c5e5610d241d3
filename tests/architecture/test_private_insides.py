"""Private insides of libraries are used where docs/decisions/private-insides.md lists them, and nowhere else.

Found are, by the sources alone: names with an underscore that neither the file itself nor a method of the house has,
read from whatever; such names as text for `getattr` and in collections; imports of them; methods with such a name
that a class of a library has; what is put into a library's module or class; and what is looked up in `sys.modules`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.figures import product
from tests.architecture.sources import ROOT, statements, text_of, tree_of

PAGE = Path("docs/decisions/private-insides.md")
PRIVATE = re.compile(r"_[A-Za-z]\w*")
DOCUMENTED = {"_meta", "_default_manager", "_base_manager", "_state", "_save", "_exit", "stdout"}
"""Names that their libraries describe for everybody."""
OWN = ("games", "chicago", "chouette", "tests")
BY_NAME = {"getattr", "hasattr", "setattr", "delattr", "vars"}


@cache
def methods_of_the_house() -> frozenset[str]:
    """Return the names of all functions of the product."""
    return frozenset(
        node.name
        for path in product()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def own_names(tree: ast.Module) -> set[str]:
    """Return the names that a module gives to what is its own."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found |= {node.attr} if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") else set()
        elif isinstance(node, ast.alias):
            found.add(node.asname or "")
    return found


def of_libraries(tree: ast.Module) -> dict[str, str]:
    """Return the names that a module imports from elsewhere → what they name."""
    found: dict[str, str] = {}
    for node in statements(tree, at_run_time_only=True):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] not in OWN:
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            names = ((each.asname or each.name.split(".")[0], each.name) for each in node.names)
            found |= {here: name for here, name in names if name.split(".")[0] not in OWN}
    found.pop("settings", None)  # a command sets some for itself, before anything reads them
    return found


def _base(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def insides(tree: ast.Module) -> set[str]:
    """Return the private insides that a module uses, by the names that the page has to give."""
    own, foreign = own_names(tree) | DOCUMENTED, of_libraries(tree)
    found = {part for name in foreign.values() for part in name.split(".") if PRIVATE.fullmatch(part)}
    for node in ast.walk(tree):
        inherited = methods_of_the_house() if _base(node) in ("self", "cls") else ()
        found |= {
            each for each in _names(node) if PRIVATE.fullmatch(each) and each not in own and each not in inherited
        }
        if isinstance(node, ast.Attribute):
            is_set = isinstance(node.ctx, ast.Store) and _base(node) in foreign
            found |= {node.attr} if is_set else set()
            found |= {"sys.modules"} if ast.unparse(node).startswith("sys.modules.get") else set()
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr":
            found |= {"setattr"} if _base(node.args[0]) in foreign else set()
        elif isinstance(node, ast.ClassDef):
            found |= set(_overridden(node, foreign))
    return found - DOCUMENTED


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node reads from an object: as an attribute, or as a text for `getattr` and its like."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    is_by_name = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BY_NAME
    texts = node.args if isinstance(node, ast.Call) and is_by_name else getattr(node, "elts", ())
    yield from (each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str))


def _overridden(node: ast.ClassDef, foreign: dict[str, str]) -> Iterator[str]:
    """Yield the private methods of a library's class that a class has in its own way."""
    for base in node.bases:
        name, _, rest = ast.unparse(base).partition(".")
        module, _, kind = ".".join(filter(None, (foreign.get(name, ""), rest))).rpartition(".")
        if not module:
            continue
        library: Any = getattr(import_module(module), kind, None)
        methods = (each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
        yield from (each for each in methods if PRIVATE.fullmatch(each) and hasattr(library, each))


def rows() -> dict[str, list[str]]:
    """Return the rows of the page's tables by file, each as its cells."""
    found: dict[str, list[str]] = {}
    for line in text_of(PAGE).splitlines():
        cells = [each.strip() for each in line.strip("|").split(" | ")]
        if line.startswith("| `") and len(cells) >= 4:
            for name in re.findall(r"`([\w/]+\.py)`", cells[0]):
                found.setdefault(name, []).append(line)
    return found


def test_every_private_inside_that_the_house_uses_is_in_the_list() -> None:
    listed = rows()
    missing = {
        str(path): sorted(
            name for name in insides(tree_of(path)) if f"`{name}`" not in "".join(listed.get(str(path), []))
        )
        for path in product()
    }
    assert {path: names for path, names in missing.items() if names} == {}, f"not in {PAGE}"


def test_what_is_in_the_list_is_used() -> None:
    for path, lines in rows().items():
        text = text_of(Path(path))
        for name in re.findall(r"`(_\w+)`", "".join(lines)):
            assert name in text, f"{path} does not use {name}, which {PAGE} lists"


def test_each_row_of_the_list_names_a_test_that_there_is() -> None:
    for lines in rows().values():
        for line in lines:
            named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", line)
            assert named, f"no test in: {line}"
            for path, test in named:
                assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path} has no {test}"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def f(send):\n    return send._planted", "_planted"),
        ("def f(send):\n    return getattr(send, '_planted', None)", "_planted"),
        ("PARTS = ('state', '_planted')", "_planted"),
        ("from daphne.server import _planted", "_planted"),
        ("import daphne._planted", "_planted"),
        ("from daphne import server\nserver.WebSocketFactory = 1", "WebSocketFactory"),
        ("from daphne.server import Server\nsetattr(Server, 'run', 1)", "setattr"),
        ("import sys\nserver = sys.modules.get('daphne.server')", "sys.modules"),
        (
            "from django.urls import URLResolver\nclass A(URLResolver):\n    def _populate(self):\n        ...",
            "_populate",
        ),
        ("from django import urls\nclass A(urls.URLResolver):\n    def _populate(self):\n        ...", "_populate"),
    ],
)
def test_a_planted_use_of_a_private_inside_is_found(source: str, name: str) -> None:
    assert name in insides(ast.parse(source))


def test_what_is_the_houses_own_is_none() -> None:
    made = "class A:\n    def __init__(self, row):\n        self._own = row._meta\n"
    assert insides(ast.parse(made + "    def f(self, other):\n        return other._own")) == set()
