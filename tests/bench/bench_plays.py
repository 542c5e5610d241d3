"""How long the distinct results of a roll take: `python -m tests.bench.bench_plays`.

Beside it a straightforward generator with tuples and sets, in the same run on the same
positions, so that the ratio says something on any machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

from chouette.board import plays
from chouette.board.position import BAR, START, Position, swap, winner_value

GAMES = 400
PLIES = range(8, 41)
REPEATS = 5

Roll = tuple[Position, tuple[int, int]]


def straightforward(position: Position, dice: tuple[int, int]) -> set[Position]:
    """Return the distinct results: every step of every order, in tuples and sets."""
    high, low = max(dice), min(dice)
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    most, found = 0, {position}
    for order in orders:
        reached = {position}
        for used, die in enumerate(order, start=1):
            reached = {after for before in reached for after in steps(before, die)}
            if not reached:
                break
            if used > most:
                most, found = used, reached
            elif used == most and used > 1:
                found = found | reached
    return found


def steps(position: Position, die: int) -> set[Position]:
    """Return the positions after one step of `die`."""
    if position[BAR]:
        sources: Sequence[int] = (BAR,)
    else:
        sources = [point for point in range(1, BAR) if position[point] > 0]
    found = set()
    for source in sources:
        target = source - die
        if target > 0:
            if position[target] < -1:
                continue
        elif sources[-1] > 6 or (target < 0 and sources[-1] > source):
            continue
        points = list(position)
        points[source] -= 1
        if target > 0:
            if points[target] == -1:
                points[target] = 0
                points[0] -= 1
            points[target] += 1
        found.add(tuple(points))
    return found


def middle_games(rng: random.Random) -> list[Position]:
    """Return positions from the middle of games of random play."""
    found = []
    while len(found) < GAMES:
        position, plies = START, rng.choice(PLIES)
        for _ in range(plies):
            result = rng.choice(plays.results(position, thrown(rng)))
            if winner_value(result):
                break
            position = swap(result)
        else:
            found.append(position)
    return found


def thrown(rng: random.Random) -> tuple[int, int]:
    """Return a roll."""
    return rng.randint(1, 6), rng.randint(1, 6)


def micros(work: Callable[..., Any], rolls: list[Roll]) -> float:
    """Return the least microseconds for a roll, on average over the rolls, of some repeats."""
    times = []
    for _ in range(REPEATS):
        start = process_time()
        for position, dice in rolls:
            work(position, dice)
        times.append(process_time() - start)
    return min(times) / len(rolls) * 1e6


def report(name: str, rolls: list[Roll]) -> None:
    """Print one line of the table."""
    assert all(set(plays.results(*roll)) == straightforward(*roll) for roll in rolls)
    count = sum(len(plays.results(*roll)) for roll in rolls) / len(rolls)
    plain, ours = micros(straightforward, rolls), micros(plays.results, rolls)
    packed, full = micros(plays.result_bytes, rolls), micros(plays.legal_plays, rolls)
    numbers = (count, ours, packed, plain, plain / ours, full)
    print(f"{name:12}" + "".join(f"{number:16.1f}" for number in numbers))


def main() -> None:
    """Print microseconds a roll, and how many times faster the results are than plainly."""
    rng = random.Random(1)
    positions = middle_games(rng)
    rolls = [(position, thrown(rng)) for position in positions for _ in range(5)]
    heads = ("results", "results µs", "packed µs", "plain µs", "plain/results", "with moves µs")
    print(f"{'plays':12}" + "".join(f"{head:>16}" for head in heads))
    report("all rolls", rolls)
    report("two dice", [roll for roll in rolls if roll[1][0] != roll[1][1]])
    report("doubles", [roll for roll in rolls if roll[1][0] == roll[1][1]])


if __name__ == "__main__":
    main()
