"""No file imports itself by way of others, wherever in it the import stands."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest

from tests.architecture import figures, sources
from tests.architecture.figures import circles, import_graph

LEFT = {"games": [13, 3], "chouette": [3]}
"""The sizes of the circles that are left, the largest first; the list may only shrink."""


def test_no_file_imports_itself_by_way_of_others() -> None:
    """A circle is new, or has grown, where it is larger than the one of its rank in LEFT."""
    assert len(import_graph()) > 200
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for circle in circles(import_graph()):
        found[circle[0].split(".")[0]].append(circle)
    for package, of_package in found.items():
        ranked = sorted(of_package, key=len, reverse=True)
        left = LEFT.get(package, [])
        allowed = [*left, *[0] * len(ranked)]
        assert all(len(circle) <= most for circle, most in zip(ranked, allowed, strict=False)), ranked


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": ["b"], "b": ["c"], "c": []}, []),
        ({"a": ["b"], "b": ["c"], "c": ["a"]}, [("a", "b", "c")]),
        ({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, []),
        ({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": ["c"]}, [("a", "b"), ("c", "d")]),
        ({"a": ["b"], "b": ["c", "d"], "c": ["b"], "d": ["a"]}, [("a", "b", "c", "d")]),
    ],
)
def test_circles_are_found_whole_and_apart(graph, found) -> None:
    assert circles(graph) == found


CIRCLE = {
    "games/one.py": "from games import two\n",
    "games/two.py": "def later():\n    from games.three import word\n    return word\n",
    "games/three.py": "import games.one\nword = 1\n",
}
ONLY_TYPES = {
    "games/one.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from games import two\n",
    "games/two.py": "from games.one import TYPE_CHECKING\n",
}
NO_CIRCLE = {"games/one.py": "from games import two\n", "games/two.py": "import os\n"}


@pytest.mark.parametrize(
    ("planted", "found"),
    [(CIRCLE, [("games.one", "games.three", "games.two")]), (ONLY_TYPES, []), (NO_CIRCLE, [])],
    ids=["circle", "types", "none"],
)
def test_a_planted_circle_is_found_in_a_function_too(planted, found, monkeypatch) -> None:
    paths = {sources.Path(name): ast.parse(text) for name, text in planted.items()}
    monkeypatch.setattr(figures, "product", lambda **_: list(paths))
    monkeypatch.setattr(figures, "tree_of", paths.__getitem__)
    assert circles(import_graph()) == found
