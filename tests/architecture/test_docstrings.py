"""Docstrings say the thing first: they begin with a noun or a verb, not with a question."""

from __future__ import annotations

import ast

from tests.architecture.sources import GAME_FOLDERS, HOUSE, files, statements, tree_of

QUESTIONS = ("What", "Who", "Whom", "Whose", "Whoever", "Whatever", "Where", "When", "How", "Whether")


def asking(tree: ast.AST) -> list[tuple[int, str]]:
    """Return line and first word of the docstrings, of attributes too, that begin with a question."""
    texts = [
        (node.lineno, node.value.value)
        for node in statements(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    firsts = [(line, text.split()[0].strip(",:;.") if text.split() else "") for line, text in texts]
    return [(line, word) for line, word in firsts if word in QUESTIONS]


def test_docstrings_begin_with_the_thing() -> None:
    paths = [path for folder in (HOUSE, *GAME_FOLDERS) for path in files(".py", under=folder)]
    assert len(paths) > 200
    found = [(str(path), *place) for path in paths if "migrations" not in path.parts for place in asking(tree_of(path))]
    assert found == []


def test_a_planted_question_is_found() -> None:
    text = (
        'SIZE = 3\n"""How many seats there are."""\ndef f():\n    """Return it."""\nclass A:\n    """What it is."""\n'
    )
    assert asking(ast.parse(text)) == [(2, "How"), (6, "What")]
