"""Choosing a play: judge every result, and for the best few look one roll ahead.

A `Worth` rates chances: a number for each of the five chances and one for losing a single
game. So money, the Jacoby rule and a match score choose in the same way.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from chouette.board.generator import packed_results
from chouette.board.position import Position, swap, winner_value
from chouette.bot.arrays import np, npt
from chouette.bot.evaluator import (
    Boards,
    Chances,
    Evaluator,
    boards_of,
    flipped,
    judged,
    swapped,
    unpacked,
)

Equities: TypeAlias = npt.NDArray[np.float32]

LOOKED_AT = 4
WITHIN = 0.12
MOST_BOARDS = 6000
"""Most boards judged in one look-ahead; results that would need more are judged without."""

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
"""Every roll once, the higher die first."""

_CHANCE = np.array([1 if high == low else 2 for high, low in ROLLS]) / 36


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of the chances: `base` for losing a single game, `gains` to be added.

    On the scale on which winning a single game is worth 1, and losing one −1.
    """

    base: float
    gains: tuple[float, float, float, float, float]

    def of(self, chances: Chances) -> Equities:
        """Return the worth of each row of chances to its side."""
        found: Equities = chances @ np.array(self.gains, dtype=np.float32) + self.base
        return found


def money(gammons: float = 1.0) -> Worth:
    """Return the worth of chances in a money game; `gammons` is the share of the cubes for which gammons count."""
    return Worth(-1.0, (2.0, gammons, gammons, -gammons, -gammons))


def equities(evaluator: Evaluator, results: Sequence[Position], worth: Worth) -> Equities:
    """Return the worth of each result of a play to the player that moved."""
    boards = swapped(boards_of(results))
    return worth.of(flipped(judged(evaluator, boards)))


def ranked(
    evaluator: Evaluator, results: Sequence[Position], worth: Worth, *, looks_ahead: bool
) -> list[tuple[int, float]]:
    """Return the indexes of the results with their worth to the mover, best first.

    With `looks_ahead` the best few come first, ordered by their worth after the next roll.
    """
    found = equities(evaluator, results, worth)
    order = [int(i) for i in np.argsort(-found, kind="stable")]
    if looks_ahead and len(order) > 1:
        best = [i for i in order[:LOOKED_AT] if found[i] >= found[order[0]] - WITHIN]
        deeper = _looked_ahead(evaluator, [results[i] for i in best], worth)
        values = dict(zip(best, deeper, strict=False))
        order.sort(key=lambda i: -values.get(i, -np.inf))
        found[list(values)] = list(values.values())
    return [(i, float(found[i])) for i in order]


def noisy(
    evaluator: Evaluator, results: Sequence[Position], worth: Worth, error: float, seed: str
) -> list[tuple[int, float]]:
    """Return the indexes of the results with their worth to the mover, best first, misjudged by a random error.

    `error` is its standard deviation.
    """
    rng = random.Random(seed)
    found = [(i, float(each) + rng.gauss(0, error)) for i, each in enumerate(equities(evaluator, results, worth))]
    return sorted(found, key=lambda each: -each[1])


def chances_after_roll(evaluator: Evaluator, position: Position, worth: Worth) -> Chances:
    """Return the five chances of the side on roll after its best play of each roll, as one row of chances."""
    rolls = [unpacked(packed_results(position, *roll)) for roll in ROLLS]
    # After its play the other side is on roll.
    found = flipped(judged(evaluator, swapped(np.concatenate(rolls))))
    starts = np.cumsum([0, *map(len, rolls)])
    values = worth.of(found)
    best = [start + int(np.argmax(values[start:end])) for start, end in pairwise(starts)]
    return _CHANCE.astype(np.float32)[None, :] @ found[best]


def _looked_ahead(evaluator: Evaluator, results: list[Position], worth: Worth) -> list[float]:
    """Return the worth of the first results after the opponent's best replies."""
    if len(results) == 1:
        return []
    packed: list[list[bytes]] = []
    count = 0
    for result in results:
        other = swap(result)
        replies = [] if winner_value(result) else [packed_results(other, *r) for r in ROLLS]
        count += sum(map(len, replies)) // len(result)
        if count > MOST_BOARDS and packed:
            break
        packed.append(replies)
    found = iter(_after_replies(evaluator, [replies for replies in packed if replies], worth))
    ended = equities(evaluator, results, worth)
    return [next(found) if replies else float(ended[i]) for i, replies in enumerate(packed)]


def _after_replies(evaluator: Evaluator, packed: list[list[bytes]], worth: Worth) -> list[float]:
    """Return for each list of replies, by roll, the mean worth after the opponent's best ones."""
    if not packed:
        return []
    rolls = [unpacked(replies) for by_roll in packed for replies in by_roll]
    # After the opponent's reply the mover is on roll again.
    boards: Boards = swapped(np.concatenate(rolls))
    left = worth.of(judged(evaluator, boards))
    starts = np.cumsum([0, *map(len, rolls[:-1])])
    worst = np.minimum.reduceat(left, starts).reshape(len(packed), len(ROLLS))
    return [float(mean) for mean in worst @ _CHANCE]
