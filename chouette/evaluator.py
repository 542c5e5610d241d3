"""Evaluators: what a position is worth to the player on roll.

Positions come as boards: an array of n × 26 small ints in the order of
`chouette.rules.position`, in the view of the player on roll. The chances are an array of
n × 5: of winning, of winning a gammon or more, a backgammon, of losing a gammon or more, a
backgammon. Any class with `evaluate` can take the place of the net that comes along.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from chouette.rules.position import BAR, CHECKERS, HOME, Position

Boards: TypeAlias = npt.NDArray[np.int8]
Chances: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.float32]

SIZE = BAR + 1
FEATURES = 202
SLOPE = 0.01
_WEIGHTS = Path(__file__).parent / "data" / "tdnet_f16.npz"
_PIPS = np.arange(SIZE, dtype=np.float32)


class Evaluator(Protocol):
    """Judges boards in batches."""

    def evaluate(self, boards: Boards) -> Chances:
        """Return the chances of the player on roll, one row for each board."""


def boards_of(positions: Sequence[Position]) -> Boards:
    """Return positions as boards."""
    return np.array(positions, dtype=np.int8).reshape(-1, SIZE)


def unpacked(results: bytes) -> Boards:
    """Return the results of `plays.result_bytes` as boards."""
    return np.frombuffer(results, dtype=np.int8).reshape(-1, SIZE)


def swapped(boards: Boards) -> Boards:
    """Return boards in the view of the other side."""
    return -boards[:, ::-1]


def flipped(chances: Chances) -> Chances:
    """Return chances as the other side has them."""
    found = chances[:, [0, 3, 4, 1, 2]]
    found[:, 0] = 1 - found[:, 0]
    return found


def judged(evaluator: Evaluator, boards: Boards) -> Chances:
    """Return an evaluator's chances, certain where the rules leave no doubt.

    A game that has ended has its result; nobody loses a gammon who has borne off a checker.
    """
    own, theirs = counts(boards)
    chances = np.clip(evaluator.evaluate(boards), 0.0, 1.0)
    chances[theirs < CHECKERS, 1:3] = 0.0
    chances[own < CHECKERS, 3:5] = 0.0
    chances[:, 1] = np.minimum(chances[:, 1], chances[:, 0])
    chances[:, 3] = np.minimum(chances[:, 3], 1 - chances[:, 0])
    chances[:, 2] = np.minimum(chances[:, 2], chances[:, 1])
    chances[:, 4] = np.minimum(chances[:, 4], chances[:, 3])
    lost, won = theirs == 0, own == 0
    if lost.any():
        chances[lost] = flipped(_won(swapped(boards[lost])))
    if won.any():
        chances[won] = _won(boards[won])
    return chances


def counts(boards: Boards) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    """Return how many checkers each side has on the board and the bar: (own, theirs)."""
    own = np.maximum(boards, 0).sum(axis=1, dtype=np.int_)
    return own, own - boards.sum(axis=1, dtype=np.int_)


def pips(boards: Boards) -> tuple[Floats, Floats]:
    """Return the pip counts: (own, the opponent's)."""
    own = np.maximum(boards, 0) @ _PIPS
    theirs = np.maximum(-boards, 0) @ _PIPS[::-1]
    return own, theirs


def _won(boards: Boards) -> Chances:
    """Return the chances of a player who has borne off everything."""
    is_gammon = counts(boards)[1] == CHECKERS
    is_backgammon = is_gammon & (boards[:, : HOME + 1] != 0).any(axis=1)
    chances = np.zeros((len(boards), 5), dtype=np.float32)
    chances[:, 0], chances[:, 1], chances[:, 2] = 1.0, is_gammon, is_backgammon
    return chances


def is_race(boards: Boards) -> npt.NDArray[np.bool_]:
    """Tell for each board whether the two sides have passed each other."""
    rearmost = BAR - np.argmax(boards[:, ::-1] > 0, axis=1)
    theirs = np.argmax(boards < 0, axis=1)
    is_there = (boards > 0).any(axis=1) & (boards < 0).any(axis=1)
    found: npt.NDArray[np.bool_] = (rearmost < theirs) | ~is_there
    return found


def features(boards: Boards) -> Floats:
    """Return the nets' inputs, 202 for each board."""
    ahead, theirs = boards[:, 1:BAR], -boards[:, BAR - 1 : 0 : -1]
    found = np.empty((len(boards), FEATURES), dtype=np.float32)
    for start, points in ((0, ahead), (96, theirs)):
        block = found[:, start : start + 96].reshape(len(boards), 24, 4)
        block[:, :, 0], block[:, :, 1], block[:, :, 2] = points == 1, points == 2, points >= 3
        block[:, :, 3] = np.maximum(points - 3, 0) * 0.5
    own, other = counts(boards)
    own_pips, other_pips = pips(boards)
    found[:, 192], found[:, 193] = boards[:, BAR] / 2, boards[:, 0] / -2
    found[:, 194], found[:, 195] = (CHECKERS - own) / 15, (CHECKERS - other) / 15
    found[:, 196], found[:, 197] = own < CHECKERS, other < CHECKERS
    found[:, 198], found[:, 199] = own_pips / 100, other_pips / 100
    found[:, 200] = (other_pips - own_pips) / 40
    found[:, 201] = (ahead[:, :HOME] >= 2).sum(axis=1) / HOME
    return found


class Net:
    """The nets that come along: one for contact, one for races, both trained by self-play."""

    def __init__(self, path: Path = _WEIGHTS) -> None:
        with np.load(path) as stored:
            self._layers: dict[str, Any] = {k: stored[k].astype(np.float32) for k in stored.files}

    def evaluate(self, boards: Boards) -> Chances:
        """Return the chances of the player on roll, one row for each board."""
        inputs, races = features(boards), is_race(boards)
        if races.all() or not races.any():
            return self._outputs(inputs, int(races.all()))
        found = np.empty((len(boards), 5), dtype=np.float32)
        for kind, rows in ((0, ~races), (1, races)):
            found[rows] = self._outputs(inputs[rows], kind)
        return found

    def _outputs(self, inputs: Floats, kind: int) -> Chances:
        layers = self._layers
        hidden = inputs @ layers[f"W1{kind}"] + layers[f"b1{kind}"]
        hidden = np.maximum(hidden, SLOPE * hidden)
        sums = np.clip(hidden @ layers[f"W2{kind}"] + layers[f"b2{kind}"], -60, 60)
        found: Chances = 1 / (1 + np.exp(-sums))
        return found


class PipCount:
    """Whoever is ahead in the race is ahead, and equals are drawn by lot: to compare with."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def evaluate(self, boards: Boards) -> Chances:
        """Return the chances of the player on roll, one row for each board."""
        own, theirs = pips(boards)
        chances = np.zeros((len(boards), 5), dtype=np.float32)
        drawn = self._rng.random(len(boards)) * 0.01
        chances[:, 0] = 1 / (1 + np.exp((own - theirs - 4 + drawn) / 12))
        return chances


class Random:
    """Any position is worth anything: to compare with. The seed decides what."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def evaluate(self, boards: Boards) -> Chances:
        """Return the chances of the player on roll, one row for each board."""
        chances = np.zeros((len(boards), 5), dtype=np.float32)
        chances[:, 0] = self._rng.random(len(boards))
        return chances


@cache
def embedded() -> Net:
    """Return the net that comes along, loaded at first use."""
    return Net()
