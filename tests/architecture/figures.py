"""Figures of the sources: lines, circles of imports, widths and lengths; one way to count each."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.sources import files, module_name, statements, tree_of

PRODUCT = ("games", "chicago", "chouette")
WIDEST = 120
LONGEST = 40
"""The most lines of a function, its docstring left out."""
NOT_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)

Graph = Mapping[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a Python text, each counted once: code before docstring before comment."""

    code: int = 0
    docstring: int = 0
    comment: int = 0
    blank: int = 0

    @property
    def total(self) -> int:
        """All lines."""
        return self.code + self.docstring + self.comment + self.blank

    def __add__(self, other: Lines) -> Lines:
        """Add up two texts."""
        return Lines(
            self.code + other.code,
            self.docstring + other.docstring,
            self.comment + other.comment,
            self.blank + other.blank,
        )


@dataclass(frozen=True, slots=True)
class Function:
    """A function and its length in lines, its docstring left out."""

    path: Path
    name: str
    line: int
    length: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.name} ({self.length})"


def product(*, migrations: bool = False) -> list[Path]:
    """Return the Python files of the product."""
    return [
        path for path in files(".py") if path.parts[0] in PRODUCT and (migrations or "migrations" not in path.parts)
    ]


def docstrings_of(tree: ast.AST) -> list[ast.Constant]:
    """Return the docstring nodes of a module, its classes and functions."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = [node.body[0] for node in statements(tree) if isinstance(node, holders) and node.body]
    return [
        statement.value
        for statement in first
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    ]


def _span(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def count_lines(text: str) -> Lines:
    """Count the lines of a Python text by kind; a text behind a constant is a docstring, too."""
    in_docstring = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in _span(node)
    }
    with_code: set[int] = set()
    with_comment: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        lines = range(token.start[0], token.end[0] + 1)
        if token.type == tokenize.COMMENT:
            with_comment.update(lines)
        elif token.type not in NOT_CODE:
            with_code.update(lines)
    code = with_code - in_docstring
    comment = with_comment - code - in_docstring
    total = len(text.splitlines())
    return Lines(len(code), len(in_docstring), len(comment), total - len(code | in_docstring | comment))


def functions_of(tree: ast.AST, path: Path) -> list[Function]:
    """Return all functions of a syntax tree, nested ones too."""
    return [
        Function(path, node.name, node.lineno, _length(node))
        for node in statements(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines from the first decorator-less line to the last, the docstring left out."""
    lines = len(range(function.lineno, (function.end_lineno or function.lineno) + 1))
    if ast.get_docstring(function) is not None:
        lines -= len(_span(function.body[0]))
    return lines


def functions() -> list[Function]:
    """Return all functions of the product."""
    return [function for path in product() for function in functions_of(tree_of(path), path)]


def wide_lines(name: str, text: str) -> list[str]:
    """Return "name:number" of each line that has more than 120 characters."""
    return [f"{name}:{number}" for number, line in enumerate(text.splitlines(), start=1) if len(line) > WIDEST]


ANY = re.compile(r"(?<![\w.])any(?![\w.])")
JSDOC = re.compile(r"/\*\*.*?\*/", re.DOTALL)
BRACES = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")


def words(text: str) -> int:
    """Count the words of a page: what stands between blanks and has a letter or a digit, so no bars of tables."""
    return sum(any(letter.isalnum() for letter in each) for each in text.split())


def anys_of(text: str) -> int:
    """Return how often the types of a JavaScript module say `any`."""
    return sum(len(ANY.findall(braces)) for note in JSDOC.findall(text) for braces in BRACES.findall(note))


def per_folder() -> Counter[str]:
    """Return how many Python files each folder of the product has; `__init__.py` does not count."""
    return Counter(str(path.parent) for path in product() if path.name != "__init__.py")


def import_graph() -> dict[str, set[str]]:
    """Return which module of the product imports which when it runs, at the top or in a function.

    `from package import module` leads to the module, not to the package's own file.
    """
    modules = {module_name(path): path for path in product(migrations=True)}
    names = set(modules)
    return {name: _targets(tree_of(path), names) - {name} for name, path in modules.items()}


def pairs() -> list[tuple[str, str]]:
    """Return the pairs of folders of the house whose files import each other; none of a folder and one below it."""
    arrows = {
        (module.rpartition(".")[0], other.rpartition(".")[0])
        for module, imported in import_graph().items()
        for other in imported
        if module.startswith("games.") and other.startswith("games.")
    }
    found = sorted((one, other) for one, other in arrows if one < other and (other, one) in arrows)
    return [(one, other) for one, other in found if not other.startswith(f"{one}.")]


def _targets(tree: ast.AST, modules: set[str]) -> set[str]:
    """Return which of the modules a syntax tree imports when it runs."""
    found: set[str] = set()
    for node in statements(tree, at_run_time_only=True):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(name if name in modules else str(node.module) for name in whole)
    return found & modules


def circles(graph: Graph) -> list[tuple[str, ...]]:
    """Return the strongly connected components of more than one node, each sorted (Tarjan 1972).

    Without recursion: a chain of imports may be longer than Python's stack.
    """
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[tuple[str, ...]] = []
    for root in graph:
        if root not in numbers:
            _visit(root, graph, numbers, lowest, stack, found)
    return sorted(found)


def _visit(
    root: str,
    graph: Graph,
    numbers: dict[str, int],
    lowest: dict[str, int],
    stack: list[str],
    found: list[tuple[str, ...]],
) -> None:
    """Visit all that is reached from a node; nodes on `stack` belong to no component yet."""
    path: list[tuple[str, Iterator[str]]] = []

    def enter(node: str) -> None:
        numbers[node] = lowest[node] = len(numbers)
        stack.append(node)
        path.append((node, iter(sorted(graph.get(node, ())))))

    enter(root)
    while path:
        node, targets = path[-1]
        target = next(targets, None)
        if target is None:
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
            _close(node, numbers, lowest, stack, found)
        elif target not in numbers:
            enter(target)
        elif target in stack:
            lowest[node] = min(lowest[node], numbers[target])


def _close(
    node: str, numbers: dict[str, int], lowest: dict[str, int], stack: list[str], found: list[tuple[str, ...]]
) -> None:
    """Take the component off the stack whose first node this is, if it is one's."""
    if lowest[node] != numbers[node]:
        return
    start = stack.index(node)
    component = tuple(sorted(stack[start:]))
    del stack[start:]
    if len(component) > 1:
        found.append(component)
