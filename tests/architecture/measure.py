"""Figures of the sources: `python -m tests.architecture.measure`, with `--times` also of `make test`.

The product is games, chicago and chouette without migrations; a file or a folder counts where git
tracks it, or would.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.architecture import features, figures
from tests.architecture.figures import LONGEST, Lines
from tests.architecture.sources import ROOT, files, text_of, tree_of

LANGUAGES = (".py", ".js", ".css", ".html")
MOST = 3
"""How many of the longest or largest are named."""

Row = tuple[str, object]


def lines_and_files() -> Iterator[Row]:
    """Yield how many files and lines there are, and the share of code."""
    paths = figures.product()
    found = sum((figures.count_lines(text_of(path)) for path in paths), Lines())
    yield "Python files of the product", len(paths)
    yield "lines", found.total
    for kind in ("code", "docstring", "comment", "blank"):
        count = getattr(found, kind)
        yield f"  {kind}", f"{count} ({count / found.total:.0%})"
    yield "docstrings", sum(len(figures.docstrings_of(tree_of(path))) for path in paths)
    yield "Python lines of the tests", sum(len(text_of(path).splitlines()) for path in files(".py", under="tests"))


def by_feature() -> Iterator[Row]:
    """Yield the lines of Python of each feature, migrations included, beside those of 1.0.0 and its budget."""
    found = features.lines()
    yield "lines with migrations", f"{found.total()} (1.0.0: {sum(each.released for each in features.FEATURES)})"
    for each in features.FEATURES:
        yield f"  {each.name}", f"{found[each.name]} (1.0.0: {each.released}, budget: {each.budget})"


def browser() -> Iterator[Row]:
    """Yield how many lines of JavaScript the product has, and how often its types say `any`."""
    texts = {path: text_of(path) for path in files(".js") if path.parts[0] in figures.PRODUCT}
    yield "lines of JavaScript", sum(len(text.splitlines()) for text in texts.values())
    found = {path: figures.anys_of(text) for path, text in texts.items()}
    yield "  types that say any", sum(found.values())
    yield "  modules with such a type", sum(bool(count) for count in found.values())


def docs() -> Iterator[Row]:
    """Yield how many pages and words docs/ has, the longest pages by name; translations of pages apart."""
    every = Counter({path: figures.words(text_of(path)) for path in files(".md", under="docs")})
    found = Counter({path: count for path, count in every.items() if len(path.suffixes) == 1})
    yield "pages of docs", len(found)
    yield "  words", found.total()
    yield "  words of translated pages", every.total() - found.total()
    for path, count in found.most_common(MOST):
        yield f"  words of {path}", count


def folders() -> Iterator[Row]:
    """Yield how many Python files the fullest folders have."""
    for folder, count in figures.per_folder().most_common(MOST):
        yield f"files in {folder}", count


def circles() -> Iterator[Row]:
    """Yield the circles of imports at run time."""
    found = figures.circles(figures.import_graph())
    yield "import circles", len(found)
    for circle in found:
        yield f"  of {len(circle)}", ", ".join(circle)
    found_pairs = figures.pairs()
    yield "pairs of folders that import each other", len(found_pairs)
    for one, other in found_pairs:
        yield f"  {one}", other


def widths() -> Iterator[Row]:
    """Yield how many lines are too wide, by language."""
    for suffix in LANGUAGES:
        wide = [place for path in files(suffix) for place in figures.wide_lines(str(path), text_of(path))]
        yield f"lines of {suffix} over {figures.WIDEST} columns", len(wide)


def lengths() -> Iterator[Row]:
    """Yield how long functions are."""
    found = sorted(figures.functions(), key=lambda function: function.length)
    yield "functions", len(found)
    yield "  median of lines", found[len(found) // 2].length
    yield "  90 % have at most", found[int(len(found) * 0.9)].length
    yield f"  over {LONGEST} lines", sum(function.length > LONGEST for function in found)
    for function in found[-MOST:]:
        yield "  among the longest", function


def times() -> Iterator[Row]:
    """Run `make test` and yield its seconds: by the clock, and of processors."""
    began, used = time.monotonic(), _processor_seconds()
    done = subprocess.run(["make", "test"], cwd=ROOT, env=os.environ, check=False)
    yield "seconds of make test", f"{time.monotonic() - began:.0f}"
    yield "  of processors", f"{_processor_seconds() - used:.0f}"
    yield "  exit code", done.returncode


def _processor_seconds() -> float:
    """Return the processor time of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(args: Sequence[str] | None = None) -> None:
    """Print the figures, one a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", action="store_true", help="run make test, too")
    asked = parser.parse_args(args)
    for part in (
        lines_and_files,
        by_feature,
        browser,
        docs,
        folders,
        circles,
        widths,
        lengths,
        *([times] if asked.times else []),
    ):
        for name, figure in part():
            print(f"{name}: {figure}", flush=True)


if __name__ == "__main__":
    main()
