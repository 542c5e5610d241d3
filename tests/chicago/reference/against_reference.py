"""Random games of the engine beside a second reading of docs/rules-chicago.md, entry by entry.

`python -m tests.chicago.reference.against_reference 1000 --seed 5` plays 1000 games, the first from seed 5,
and prints how often each rare thing was met. A difference ends it with the game's seed, house rules
and last commands, and exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.chicago.reference.reference_play import play_side_by_side
from tests.chicago.reference.reference_rare import rare


def played(games: int, seed: int) -> Counter[str]:
    """Play games from `seed` on; return what rare things they met. Raises AssertionError."""
    met: Counter[str] = Counter()
    for number in range(seed, seed + games):
        for step in play_side_by_side(number):
            met.update(rare(*step))
    return met


def main() -> int:
    """Play as many games as the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed (default: 0)")
    args = parser.parse_args()
    try:
        met = played(args.games, args.seed)
    except AssertionError as difference:
        sys.stderr.write(f"{difference}\n")
        return 1
    print(f"{args.games} games from seed {args.seed}, no difference. Met:", *sorted(met.items()), sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
