"""Functions are short: their lines count, a docstring does not."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

from tests.architecture.figures import LONGEST, functions, functions_of

LEFT = {"append"}
"""The functions that are longer; the list may only shrink."""


def test_no_function_is_long() -> None:
    assert {f"{f}" for f in functions() if f.length > LONGEST and f.name not in LEFT} == set()


def test_most_functions_are_short() -> None:
    """The median of the product's functions is at most 8 lines, nine in ten at most 30."""
    lengths = sorted(function.length for function in functions())
    assert len(lengths) > 1000
    assert statistics.median(lengths) <= 8
    assert lengths[int(len(lengths) * 0.9)] <= 30


def planted(lines: int, docstring: str = "") -> int:
    """Return the length that is found of a function of so many lines."""
    body = [docstring] * bool(docstring) + ["    x = 1"] * (lines - 1)
    (found,) = functions_of(ast.parse("\n".join(["def f():", *body])), Path("games/planted.py"))
    return found.length


def test_a_planted_long_function_is_found() -> None:
    assert planted(LONGEST) == LONGEST
    assert planted(LONGEST + 1) == LONGEST + 1 > LONGEST
    assert planted(LONGEST, '    """One.\n\n    Two, and so on.\n    """') == LONGEST
    assert planted(3, f'    """{"so long " * 500}"""') == 3
