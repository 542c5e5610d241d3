"""`make bench`: what the machine makes of the house, the odds, the board and the live line.

As ratios. Arguments go to the live benchmark: `make bench ARGS=--write`.
"""

from __future__ import annotations

import os

import django


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


main()
