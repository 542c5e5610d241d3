"""Docstrings say the thing first, with a noun or a verb and not with a question, and come to their end."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tests.architecture.sources import GAME_FOLDERS, HOUSE, files, statements, tree_of

QUESTIONS = ("What", "Who", "Whom", "Whose", "Whoever", "Whatever", "Where", "When", "How", "Whether")


ENDS = (".", "!", "?", "…", ")")


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of the docstrings, of attributes too."""
    for node in statements(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value.replace(f"\n{' ' * node.col_offset}", "\n").strip()


def asking(tree: ast.AST) -> list[tuple[int, str]]:
    """Return line and first word of the docstrings that begin with a question."""
    firsts = [(line, text.split()[0].strip(",:;.") if text.split() else "") for line, text in docstrings(tree)]
    return [(line, word) for line, word in firsts if word in QUESTIONS]


def broken_off(tree: ast.AST) -> list[tuple[int, str]]:
    """Return line and last words of the docstrings that end in mid-sentence; an indented example may end one."""
    lasts = [(line, text.split("\n\n")[-1]) for line, text in docstrings(tree) if text]
    return [(line, last[-40:]) for line, last in lasts if not last.endswith(ENDS) and not last.startswith(" ")]


def found_by(check: Callable[[ast.AST], list[tuple[int, str]]]) -> list[tuple[str, int, str]]:
    """Return the places of the product that a check finds."""
    paths = [path for folder in (HOUSE, *GAME_FOLDERS) for path in files(".py", under=folder)]
    assert len(paths) > 200
    return [(str(path), *place) for path in paths if "migrations" not in path.parts for place in check(tree_of(path))]


def test_docstrings_begin_with_the_thing() -> None:
    assert found_by(asking) == []


def test_docstrings_come_to_their_end() -> None:
    assert found_by(broken_off) == []


def test_a_planted_question_is_found() -> None:
    text = (
        'SIZE = 3\n"""How many seats there are."""\ndef f():\n    """Return it."""\nclass A:\n    """What it is."""\n'
    )
    assert asking(ast.parse(text)) == [(2, "How"), (6, "What")]


def test_a_planted_docstring_that_breaks_off_is_found() -> None:
    text = (
        'def f():\n    """Return it.\n\n    Raises ValueError unless\n    """\n'
        'def g():\n    """Return it:\n\n        an example\n    """\nSIZE = 3\n"""The seats"""\n'
    )
    assert broken_off(ast.parse(text)) == [(2, "Raises ValueError unless"), (12, "The seats")]
