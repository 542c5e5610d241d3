"""`make bench`: what the machine makes of the house, the odds, the board, the live line, pages and dice.

As ratios. Arguments go to the live benchmark: `make bench ARGS=--write`.
"""

from __future__ import annotations

import os
import subprocess
import sys

import django

# Benchmarks that start houses of their own, with what makes them short enough for a run of all.
APART = (
    ("bench_dice", "2"),
    ("bench_strangers",),
    ("bench_heavy", "5000"),
    ("bench_page",),
    ("bench_beside", "--seconds", "8"),
    ("bench_night", "--people", "12", "--minutes", "120"),
)


def main() -> None:
    """Run every benchmark on a database of its own that is thrown away."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.bench import (
        bench_bots,
        bench_history,
        bench_house,
        bench_live,
        bench_move,
        bench_odds,
        bench_plays,
        bench_seasons,
        bench_sizes,
        bench_tournament_page,
        bench_tournaments,
    )

    bench_house.main()
    print()
    bench_odds.main()
    print()
    bench_plays.main()
    print()
    bench_history.main()
    print()
    bench_bots.short()
    print()
    bench_move.main([])
    print()
    bench_sizes.main()
    print()
    bench_tournaments.main()
    print()
    bench_tournament_page.main()
    print()
    bench_seasons.main()
    print()
    bench_live.main()
    for name, *args in APART:
        print(f"\n{name}", flush=True)
        # One that fails is told, and does not keep the others from being measured.
        subprocess.run([sys.executable, "-m", f"tests.bench.{name}", *args], check=False)


main()
