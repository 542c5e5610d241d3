"""How strong bots are, and how long they think: `python -m tests.bench.bench_bots [games]`."""

from __future__ import annotations

import random
import sys
from time import perf_counter

from chouette.choosing import money, noisy, ranked
from chouette.evaluator import Evaluator, PipCount, Random, embedded
from chouette.rules.notation import format_play
from chouette.rules.plays import legal_plays
from tests.bench.bench_plays import middle_games, thrown
from tests.chouette.botplay import match_up

DECISIONS = 300


def strength(games: int) -> None:
    """Print the net's wins and points a game, cubeless, against what it is compared with."""
    others: list[tuple[str, Evaluator]] = [("random", Random(1)), ("pip count", PipCount())]
    for name, other in others:
        wins, points = match_up(embedded(), other, games)
        print(f"net against {name:10} {games:6} games {wins:6} won {points:+8.3f} points a game")


def thinking() -> None:
    """Print the milliseconds that a play takes at each level, on positions of random play."""
    rng = random.Random(1)
    net, worth = embedded(), money()
    rolls = [(position, thrown(rng)) for position in middle_games(rng)[:DECISIONS]]
    for level in ("noisy", "net", "lookahead"):
        times = []
        for position, dice in rolls:
            start = perf_counter()
            plays = {format_play(play): play.result for play in legal_plays(position, dice)}
            found = list(plays.values())
            if level == "noisy":
                noisy(net, found, worth, 0.12, "1")
            elif len(found) > 1:
                ranked(net, found, worth, looks_ahead=level == "lookahead")
            times.append((perf_counter() - start) * 1e3)
        times.sort()
        median, late, most = (times[int(len(times) * x)] for x in (0.5, 0.95, 0.999))
        print(f"{level:10} median {median:6.1f} ms, p95 {late:6.1f} ms, most {most:6.1f} ms")


def main() -> None:
    """Print strength and time."""
    strength(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    thinking()


if __name__ == "__main__":
    main()
