"""`make bench`: what the machine makes of the house, the odds, the board, the live line, pages and dice.

As ratios, with the seconds that each part took, and at the end all aims with what was found. Arguments go to the live
benchmark; with `make bench ARGS=--write` the day's file of tests/bench/results gets the aims of all parts.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.bench.live import report  # noqa: E402

# Benchmarks of this process, with the function that is short enough for a run of all; the first makes the database.
TOGETHER = (
    ("bench_house", "main"),
    ("bench_odds", "main"),
    ("bench_plays", "main"),
    ("bench_history", "main"),
    ("bench_bots", "short"),
    ("bench_move", "main"),
    ("bench_sizes", "main"),
    ("bench_tournaments", "main"),
    ("bench_tournament_page", "main"),
    ("bench_seasons", "main"),
)
# Those that start houses of their own, with what makes them short enough.
APART = (
    ("bench_dice", "2"),
    ("bench_strangers",),
    ("bench_heavy", "5000"),
    ("bench_page",),
    ("bench_beside", "--seconds", "8"),
    ("bench_wifi", "--seconds", "60"),
    ("bench_night", "--people", "12", "--minutes", "120"),
)
MOST_MINUTES = 20
TITLE = "## The other benchmarks"


class Tee:
    """Standard output that is kept as well."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, text: str) -> int:
        """Print and keep a text."""
        self.parts.append(text)
        return sys.__stdout__.write(text) if sys.__stdout__ is not None else 0

    def flush(self) -> None:
        """Print at once what waits."""
        if sys.__stdout__ is not None:
            sys.__stdout__.flush()


def part(name: str, work: Callable[[], object]) -> str:
    """Run a part, print how long it took, and return what it printed; one that fails does not stop the others."""
    kept = Tee()
    print(f"\n{name}", flush=True)
    began = perf_counter()
    sys.stdout = kept  # type: ignore[assignment]
    try:
        work()
    except Exception as error:
        print(f"{name} failed: {error!r}")
    finally:
        sys.stdout = sys.__stdout__
    print(f"({name}: {perf_counter() - began:.0f} s)", flush=True)
    return "".join(kept.parts)


def apart(name: str, *args: str) -> None:
    """Run a benchmark in a process of its own."""
    command = [sys.executable, "-u", "-m", f"tests.bench.{name}", *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
    if process.returncode:
        print(f"{name} ended with {process.returncode}")


def main(argv: Sequence[str]) -> None:
    """Run every benchmark on a database of its own that is thrown away."""
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        machine = report.machine(Path(folder))
    print(machine)
    said = []
    for name, function in TOGETHER:
        work = getattr(importlib.import_module(f"tests.bench.{name}"), function)
        said.append(part(name, (lambda work=work: work([])) if name == "bench_move" else work))
    live = part("bench_live", lambda: apart("bench_live", *argv))
    said += [part(name, lambda name=name, args=args: apart(name, *args)) for name, *args in APART]
    minutes = (perf_counter() - began) / 60
    said.append("- " + report.aim_line("minutes of make bench", f"≤ {MOST_MINUTES}", -minutes, -MOST_MINUTES))
    lines = [line for text in said for line in report.aim_lines(text)]
    print("\nAims:\n" + "\n".join([*report.aim_lines(live), *lines]))
    if "--write" in argv:
        for line in report.write("\n\n".join([TITLE, machine, "Aims:\n" + "\n".join(lines)]) + "\n"):
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
