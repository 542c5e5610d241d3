"""Two engines under the same counting: `python -m tests.bench.bench_engines [--matches 40] [--first 0] [--level …]`.

Matches of bots with planted blunders are graded by GNU Backgammon at 2-ply and by bgsage. Printed is every side of at
least fifty choices that count, then the share of the sides whose PRs differ by at most 1 or 5 %, the mean gap, the
bias, and how many seconds a game takes at each level, luck left out; the aims are 92 %, 0.5 and 0.3.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any

from chouette.analysis import engines, sage
from chouette.analysis.engine import Engine
from tests.chouette.analysis.comparing import MATCHES, Side, agreement, compared


class Timed:
    """An engine that counts how long its answers took."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self.seconds, self.asked = engine, 0.0, 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._engine, name)
        return self._timed(found) if name in ("plays", "cube") else found

    def _timed(self, question: Any) -> Any:
        def ask(*args: Any) -> Any:
            began = perf_counter()
            try:
                return question(*args)
            finally:
                self.seconds += perf_counter() - began
                self.asked += 1

        return ask


def line(side: Side) -> str:
    """Return a side in words."""
    mark = " " if side.is_near else "*"
    return f"match {side.match:2} side {side.player} n {side.decisions:4} PR {side.pr:6.2f} {side.other:6.2f} {mark}"


def main() -> None:
    """Compare, and print every side as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--level", choices=sage.LEVELS, default=sage.DEFAULT_LEVEL, help="bgsage's level")
    asked = parser.parse_args()
    pair = Timed(engines.engine("gnubg", "2-ply")), Timed(engines.engine("bgsage", asked.level))
    sides: list[Side] = []
    for number in range(asked.first, asked.first + asked.matches):
        for side in compared(number, *pair):
            sides.append(side)
            print(line(side), flush=True)
    for engine in pair:
        print(f"{engine.name} {engine.level}: {engine.seconds / max(engine.asked, 1) * 1000:.0f} ms a choice")
    found = agreement(sides)
    print(f"{found.sides} sides: {found.near:.0%} near, mean gap {found.gap:.2f}, bias {found.bias:+.2f}")


if __name__ == "__main__":
    main()
