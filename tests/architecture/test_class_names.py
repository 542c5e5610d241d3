"""A word has one meaning: a class of the product has a name that no other one has.

A class inside another one is named with it (`Night.Status`), so it is left out. What may be declared again stands in
`AGAIN`, with the reason.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.architecture import figures, sources
from tests.architecture.figures import product

AGAIN = {
    "Django's name for a command": "*/management/commands/*.py",
    "a view of the API has the name of what it answers": "games/api/*.py",
    "each game has a state, its players and its own base of events": "ch*/rules/state.py",
    "each game has a view of its own": "ch*/rules/view_shape.py",
    "each game has events of its own, and their names are stored": "ch*/rules/events/*.py",
}
"""Reason → the files of which it holds: their classes may have a name that a class elsewhere has."""
MEANINGS = {
    "Line": ("games/kernel/words.py", "a sentence of the game by its name, with its data"),
    "Choice": ("games/kernel/contract.py", "an open decision of a seat"),
    "Draft": ("games/kernel/draft.py", "an unfinished decision of the rules"),
    "Entry": ("games/kernel/replay.py", "the events of one command in a table's log"),
    "Rules": ("games/kernel/rules.py", "the functions of a game"),
    "Throw": ("games/kernel/dice/chains.py", "the origin of the dice that one command drew"),
    "Match": ("games/models/match.py", "the end of a match between two people"),
    "Table": ("games/models/table.py", "a table of a night"),
    "Standing": ("games/kernel/seasons/standing.py", "the places of a season"),
    "Finding": ("games/ops/doctor/findings.py", "what the doctor says of a part of the house"),
    "Batch": ("games/live/rooms/frames.py", "entries to deliver to a room"),
    "Board": ("games/services/history/leaderboards.py", "a leaderboard: a game and unit, and its order"),
    "Record": ("games/kernel/tournaments/phases/phase.py", "wins, losses and meetings of a phase"),
    "Room": ("games/live/rooms/table_room.py", "one table in the process that shows it"),
    "Request": ("games/services/commands.py", "a command as received"),
}
"""Words of the glossary that had several meanings: the file of the one that stays."""
GONE = {"Row", "Kind", "Offer", "Keeper", "Refused", "Question", "Card", "Reader", "Wish", "Drawn"}
"""Words that said too little: no class has them alone."""


def declared(tree: ast.AST) -> Iterator[str]:
    """Yield the names of the classes of a module, without those in classes and functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from declared(node)


def places() -> dict[str, list[Path]]:
    """Return where each class name is declared, a file once for each declaration."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in figures.product():
        for name in declared(figures.tree_of(path)):
            found[name].append(path)
    return found


def twice() -> list[str]:
    """Return the names that several classes have, with their files."""
    strict = {
        name: [path for path in paths if not any(fnmatch(str(path), pattern) for pattern in AGAIN.values())]
        for name, paths in places().items()
    }
    return [f"{name}: {', '.join(map(str, paths))}" for name, paths in sorted(strict.items()) if len(paths) > 1]


def strays() -> list[str]:
    """Return the words that stand elsewhere than where their meaning does, or are gone."""
    found = places()
    wrong = [f"{name}: {path}" for name in GONE for path in found.get(name, ())]
    for name, (at, _meaning) in MEANINGS.items():
        if found.get(name) != [Path(at)]:
            wrong.append(f"{name}: {', '.join(map(str, found.get(name, ())))}")
    return sorted(wrong)


def test_a_class_name_is_declared_once() -> None:
    assert twice() == []


def test_words_that_had_several_meanings_have_one() -> None:
    assert strays() == []


def test_each_exception_is_one_of_existing_files() -> None:
    paths = [str(path) for path in product()]
    assert [pattern for pattern in AGAIN.values() if not any(fnmatch(path, pattern) for path in paths)] == []


def plant(monkeypatch: pytest.MonkeyPatch, planted: dict[str, str]) -> None:
    """Let further files be sources, too."""
    files = {sources.Path(name): ast.parse(text) for name, text in planted.items()}
    real = figures.product()
    tree_of = figures.tree_of
    monkeypatch.setattr(figures, "product", lambda **_: [*real, *files])
    monkeypatch.setattr(figures, "tree_of", lambda path: files.get(path) or tree_of(path))


def test_a_planted_second_class_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, {"games/web/planted.py": "class Batch: ...\nclass Holder:\n    class Line: ...\n"})
    assert twice() == ["Batch: games/live/rooms/frames.py, games/web/planted.py"]
    assert strays() == ["Batch: games/live/rooms/frames.py, games/web/planted.py"]


def test_a_planted_word_without_a_meaning_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, {"games/web/planted.py": "if True:\n    class Row: ...\n"})
    assert strays() == ["Row: games/web/planted.py"]


def test_a_class_of_an_exception_may_be_declared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, {"games/management/commands/planted.py": "class Command: ...\n"})
    assert twice() == []
