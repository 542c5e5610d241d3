"""Training of a net by self-play, from nothing: `python -m chouette.bot.training`, about an hour on two cores.

In each round many games are played at once by the net as it stands, and every position before a roll gets a target:
the chances after the play that was made, mixed with what came later (TD(λ)), at the end the result. Then
the two nets (contact, races) are fitted to these targets by Adam. Games are cubeless, for points.

The same seed and counts give the same bytes on a machine, however many workers play: games belong to parts with seeds
of their own, which are put together in their order. Another NumPy or processor may round otherwise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, TypeAlias

from chouette.board.generator import packed_results
from chouette.board.position import START, Position, swap, winner_value
from chouette.bot.arrays import np
from chouette.bot.evaluator import (
    FEATURES,
    SLOPE,
    Boards,
    Chances,
    Evaluator,
    Floats,
    Net,
    PipCount,
    boards_of,
    embedded,
    features,
    flipped,
    is_race,
    judged,
    swapped,
    unpacked,
)
from chouette.bot.move_choice import money

Layers: TypeAlias = dict[str, Floats]
"""Weights by name: W1 (inputs × hidden), b1, W2 (hidden × 5), b2, each with 0 for contact and 1 for races."""
Lessons: TypeAlias = tuple[Boards, Chances]
"""Boards before a roll, and the target of each."""

PARTS = 8
"""The parts of a round, which workers play apart."""
BATCH = 128
DECAY = (0.9, 0.999)
TOLD_EACH = 10
"""Rounds between two lines about the net's strength."""
_TINY = 1e-8
_SINGLE = money()


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The length and the steps of a training.

    `mix` is λ, `first` and `last` are Adam's steps in the first and last round.

    `games` are those of a round, `hidden` the hidden units of the nets for contact and for races.
    """

    rounds: int = 200
    games: int = 800
    hidden: tuple[int, int] = (128, 48)
    seed: int = 1
    mix: float = 0.7
    first: float = 2e-3
    last: float = 1e-4

    def step(self, number: int) -> float:
        """Return the step of a round, counted from 0."""
        done = number / max(self.rounds - 1, 1)
        return float(self.first * (self.last / self.first) ** done)


@dataclass(slots=True)
class Fit:
    """The layers in training, with Adam's means of the gradients and of their squares."""

    layers: Layers
    means: Layers = field(default_factory=dict)
    squares: Layers = field(default_factory=dict)
    steps: dict[int, int] = field(default_factory=lambda: {0: 0, 1: 0})

    def learn(self, lessons: Lessons, rng: np.random.Generator, step: float) -> None:
        """Go once through a round's lessons, in random order."""
        boards, targets = lessons
        races = is_race(boards)
        for kind, rows in ((0, np.flatnonzero(~races)), (1, np.flatnonzero(races))):
            rng.shuffle(rows)
            for start in range(0, len(rows), BATCH):
                some = rows[start : start + BATCH]
                self._learn_batch(kind, features(boards[some]), targets[some], step)

    def _learn_batch(self, kind: int, inputs: Floats, targets: Chances, step: float) -> None:
        """Take a step against the gradient of the cross-entropy between chances and targets."""
        weights = {name: self.layers[f"{name}{kind}"] for name in ("W1", "b1", "W2", "b2")}
        sums = inputs @ weights["W1"] + weights["b1"]
        hidden = np.maximum(sums, sums * np.float32(SLOPE))
        outputs = 1 / (1 + np.exp(-np.clip(hidden @ weights["W2"] + weights["b2"], -60, 60)))
        wrong = (outputs - targets) / len(targets)
        back = (wrong @ weights["W2"].T) * np.where(sums > 0, np.float32(1), np.float32(SLOPE))
        found = {"W1": inputs.T @ back, "b1": back.sum(axis=0), "W2": hidden.T @ wrong, "b2": wrong.sum(axis=0)}
        self.steps[kind] += 1
        for name, gradient in found.items():
            self._move(f"{name}{kind}", gradient.astype(np.float32), step, self.steps[kind])

    def _move(self, name: str, gradient: Floats, step: float, count: int) -> None:
        slow, slower = DECAY
        mean = self.means.get(name, np.zeros_like(gradient)) * slow + gradient * (1 - slow)
        square = self.squares.get(name, np.zeros_like(gradient)) * slower + gradient**2 * (1 - slower)
        self.means[name], self.squares[name] = mean.astype(np.float32), square.astype(np.float32)
        moved = step * (mean / (1 - slow**count)) / (np.sqrt(square / (1 - slower**count)) + _TINY)
        self.layers[name] = (self.layers[name] - moved).astype(np.float32)


def untrained(hidden: tuple[int, int], rng: np.random.Generator) -> Layers:
    """Return layers with small random weights."""
    layers: Layers = {}
    for kind, units in enumerate(hidden):
        for name, (rows, columns) in {"W1": (FEATURES, units), "W2": (units, 5)}.items():
            layers[f"{name}{kind}"] = (rng.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)
            layers[f"b{name[1]}{kind}"] = np.zeros(columns, dtype=np.float32)
    return layers


def stored(layers: Layers) -> bytes:
    """Return layers as the file that the house loads: half precision, the same bytes for the same numbers."""
    file = BytesIO()
    halves: dict[str, Any] = {name: layers[name].astype(np.float16) for name in sorted(layers)}
    np.savez_compressed(file, **halves)
    return file.getvalue()


def net_of(layers: Layers) -> Net:
    """Return the net of layers, as exact as they are stored."""
    return Net(BytesIO(stored(layers)))


def train(plan: TrainingPlan, workers: int = 1, tell: Callable[[int, Layers], None] | None = None) -> bytes:
    """Return a trained net as a file; `tell` is called after each round with its number, from 1, and the layers."""
    fit = Fit(untrained(plan.hidden, np.random.default_rng([plan.seed, 0])))
    with ProcessPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        run = map if pool is None else pool.map
        for number in range(plan.rounds):
            known = stored(fit.layers)
            games = max(plan.games // PARTS, 1)
            parts = [(known, games, [plan.seed, 1 + number, part], plan.mix) for part in range(PARTS)]
            boards, targets = zip(*run(_part, parts), strict=True)
            together = np.concatenate(boards), np.concatenate(targets)
            fit.learn(together, np.random.default_rng([plan.seed, 1 + number, PARTS]), plan.step(number))
            if tell is not None:
                tell(number + 1, fit.layers)
    return stored(fit.layers)


def _part(asked: tuple[bytes, int, Sequence[int], float]) -> Lessons:
    """Return the lessons of one part of a round."""
    known, games, seed, mix = asked
    return lessons(Net(BytesIO(known)), games, np.random.default_rng(seed), mix)


@dataclass(slots=True)
class Course:
    """A game in play: the boards before each roll, and the mover's chances after each play."""

    position: Position = START
    boards: list[Position] = field(default_factory=list)
    after: list[Chances] = field(default_factory=list)

    def targets(self, mix: float) -> Chances:
        """Return the target of each board: its own chances after the play, and a part `mix` of what came later."""
        found = np.concatenate(self.after)
        for at in range(len(found) - 2, -1, -1):
            found[at] = (1 - mix) * found[at] + mix * flipped(found[at + 1 : at + 2])[0]
        return found


def lessons(evaluator: Evaluator, games: int, rng: np.random.Generator, mix: float) -> Lessons:
    """Play games at once by an evaluator against itself; return all boards before a roll with their targets."""
    courses = [Course() for _ in range(games)]
    live = courses
    while live:
        played = plays(evaluator, [course.position for course in live], rng)
        for course, (position, chances) in zip(live, played, strict=True):
            course.boards.append(course.position)
            course.after.append(flipped(chances))
            course.position = position
        live = [course for course in live if not winner_value(swap(course.position))]
    boards = boards_of([board for course in courses for board in course.boards])
    return boards, np.concatenate([course.targets(mix) for course in courses])


def plays(
    evaluator: Evaluator, positions: Sequence[Position], rng: np.random.Generator
) -> list[tuple[Position, Chances]]:
    """Roll and play once in each position; return the other side's positions and its chances, as one row each."""
    rolls = rng.integers(1, 7, (len(positions), 2)).tolist()
    listed = [
        unpacked(packed_results(position, max(roll), min(roll)))
        for position, roll in zip(positions, rolls, strict=True)
    ]
    boards = swapped(np.concatenate(listed))
    chances = judged(evaluator, boards)
    worths = _SINGLE.of(flipped(chances))
    ends = np.cumsum([len(each) for each in listed]).tolist()
    best = [start + int(np.argmax(worths[start:end])) for start, end in pairwise([0, *ends])]
    return [(tuple(boards[at].tolist()), chances[at : at + 1]) for at in best]


def points(first: Evaluator, second: Evaluator, games: int, seed: int) -> list[int]:
    """Return what the first evaluator wins in each cubeless game against the second; they begin in turn."""
    rng, won = np.random.default_rng(seed), [0] * games
    live = {game: (START, game % 2) for game in range(games)}
    while live:
        for mover, evaluator in enumerate((first, second)):
            here = [game for game, (_, each) in live.items() if each == mover]
            played = plays(evaluator, [live[game][0] for game in here], rng) if here else []
            for game, (position, _) in zip(here, played, strict=True):
                live[game] = position, 1 - mover
                if value := winner_value(swap(position)):
                    won[game] = value if mover == 0 else -value
                    del live[game]
    return won


def told(name: str, won: Sequence[int]) -> str:
    """Return a line about points a game, with n and the standard error."""
    error = stdev(won) / len(won) ** 0.5
    return f"{name}: {fmean(won):+.3f} ± {error:.3f} points a game, n = {len(won)}"


def main() -> None:
    """Train a net as the arguments say, and write it; its strength is printed on the way and at the end."""
    plan = TrainingPlan()
    parser = argparse.ArgumentParser(prog="python -m chouette.bot.training", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--out", type=Path, default=Path("net.npz"), help="the file to write (net.npz)")
    for name in ("rounds", "games", "seed"):
        parser.add_argument(f"--{name}", type=int, default=getattr(plan, name), help=f"({getattr(plan, name)})")
    parser.add_argument("--workers", type=int, default=2, help="processes that play (2); they do not change the result")
    parser.add_argument("--compare", type=int, default=1000, help="games against the net that comes along (1000)")
    asked = parser.parse_args()
    plan = replace(plan, rounds=asked.rounds, games=asked.games, seed=asked.seed)
    if min(plan.rounds, plan.games, asked.workers) < 1:
        parser.error("rounds, games and workers are 1 or more")

    def tell(number: int, layers: Layers) -> None:
        asked.out.write_bytes(stored(layers))
        if number % TOLD_EACH == 0:
            _say(told(f"round {number}, against a pip-count player", points(net_of(layers), PipCount(1), 200, 1)))

    found = Net(BytesIO(train(plan, asked.workers, tell)))
    if asked.compare > 1:
        _say(told("against the net that comes along", points(found, embedded(), asked.compare, 1)))
    _say(f"written: {asked.out}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
