"""Evaluators: the worth of a position to the player on roll.

Positions come as boards: an array of n × 26 small ints in the order of
`chouette.board.position`, in the view of the player on roll. The chances are an array of
n × 5: of winning, of winning a gammon or more, a backgammon, of losing a gammon or more, a
backgammon. Any class with `evaluate` can replace the built-in nets: the variable
CHOUETTE_EVALUATOR names it (docs/backgammon-bots.md).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias, cast

from chouette.board.position import BAR, CHECKERS, HOME, START, Position
from chouette.bot.arrays import np, npt

Boards: TypeAlias = npt.NDArray[np.int8]
Chances: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.float32]

SIZE = BAR + 1
FEATURES = 202
SLOPE = 0.01
_WEIGHTS = Path(__file__).parent / "data" / "tdnet_f16.npz"
_PIPS = np.arange(SIZE, dtype=np.float32)
_POINTS = np.arange(SIZE, dtype=np.int8)[:, None]
_BY_POINT = np.arange(96).reshape(4, 24).T.ravel()
_ORDER = np.concatenate([_BY_POINT, 96 + _BY_POINT, np.arange(192, FEATURES)])
"""Index in `_inputs` of each input of the nets, which take the four inputs of a point together."""


SETTING = "CHOUETTE_EVALUATOR"
"""Environment variable with the dotted path of a class or function without arguments."""


class Evaluator(Protocol):
    """A judge of boards in batches; hashable, so that its judgements can be cached."""

    def evaluate(self, boards: Boards) -> Chances:
        """Return the chances of the player on roll, one row of five for each board.

        They need not be consistent: `judged` corrects chances that the rules make certain.
        """

    def __hash__(self) -> int:
        """Return the hash; that of any object will do."""


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
    """Return chances in the view of the other side."""
    found = chances[:, [0, 3, 4, 1, 2]]
    found[:, 0] = 1 - found[:, 0]
    return found


def judged(evaluator: Evaluator, boards: Boards) -> Chances:
    """Return an evaluator's chances, corrected where the rules make them certain.

    A game that has ended has its result; a side that has borne off a checker can't lose a gammon.
    """
    own, theirs = counts(boards)
    # By columns, which NumPy goes through three times as fast as through rows of five.
    found = np.array(np.asarray(evaluator.evaluate(boards)).T, dtype=np.float32, order="C")
    np.clip(found, 0.0, 1.0, out=found)
    found[1:3] *= theirs == CHECKERS
    found[3:5] *= own == CHECKERS
    np.minimum(found[1], found[0], out=found[1])
    np.minimum(found[3], 1 - found[0], out=found[3])
    np.minimum(found[2::2], found[1::2], out=found[2::2])
    chances: Chances = found.T
    lost, won = theirs == 0, own == 0
    if lost.any():
        chances[lost] = flipped(_won(swapped(boards[lost])))
    if won.any():
        chances[won] = _won(boards[won])
    return chances


def counts(boards: Boards) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    """Return how many checkers each side has on the board and the bar: (own, theirs)."""
    by_point = _by_point(boards)
    own = np.maximum(by_point, 0).sum(axis=0, dtype=np.int8)
    return own, own - by_point.sum(axis=0, dtype=np.int8)


def pips(boards: Boards) -> tuple[Floats, Floats]:
    """Return the pip counts: (own, the opponent's)."""
    by_point = _by_point(boards)
    return _PIPS @ np.maximum(by_point, 0), _PIPS[::-1] @ np.maximum(-by_point, 0)


def _by_point(boards: Boards) -> Boards:
    """Return boards with a row for each point, so that sums run along contiguous memory."""
    return np.ascontiguousarray(boards.T)


def _won(boards: Boards) -> Chances:
    """Return the chances of a player that has borne off all checkers."""
    is_gammon = counts(boards)[1] == CHECKERS
    is_backgammon = is_gammon & (boards[:, : HOME + 1] != 0).any(axis=1)
    chances = np.zeros((len(boards), 5), dtype=np.float32)
    chances[:, 0], chances[:, 1], chances[:, 2] = 1.0, is_gammon, is_backgammon
    return chances


def is_race(boards: Boards) -> npt.NDArray[np.bool_]:
    """Tell for each board whether the two sides have passed each other."""
    by_point = _by_point(boards)
    rearmost = ((by_point > 0) * _POINTS).max(axis=0)
    theirs = BAR - ((by_point < 0) * _POINTS[::-1]).max(axis=0)
    found: npt.NDArray[np.bool_] = (rearmost < theirs) | (rearmost == 0) | (theirs == BAR)
    return found


def features(boards: Boards) -> Floats:
    """Return the nets' inputs, 202 for each board."""
    found: Floats = _inputs(boards)[_ORDER].T
    return found


def _inputs(boards: Boards) -> Floats:
    """Return the inputs, a row for each, inputs of points grouped by kind; `_ORDER` sorts them."""
    by_point = _by_point(boards)
    own, theirs = np.maximum(by_point, 0), np.maximum(-by_point, 0)[::-1]
    found = np.empty((FEATURES, len(boards)), dtype=np.float32)
    for start, points in ((0, own[1:BAR]), (96, theirs[1:BAR])):
        one, two, three, more = found[start : start + 96].reshape(4, 24, -1)
        one[:], two[:], three[:] = points == 1, points == 2, points >= 3
        np.multiply(np.maximum(points - 3, 0), np.float32(0.5), out=more)
    own_pips, other_pips = _PIPS @ own, _PIPS @ theirs
    here, there = own.sum(axis=0, dtype=np.float32), theirs.sum(axis=0, dtype=np.float32)
    found[192], found[193] = own[BAR] / 2, theirs[BAR] / 2
    found[194], found[195] = (CHECKERS - here) / 15, (CHECKERS - there) / 15
    found[196], found[197] = here < CHECKERS, there < CHECKERS
    found[198], found[199] = own_pips / 100, other_pips / 100
    found[200] = (other_pips - own_pips) / 40
    found[201] = (own[1 : HOME + 1] >= 2).sum(axis=0) / HOME
    return found


class Net:
    """The built-in nets: one for contact, one for races, both trained by self-play."""

    def __init__(self, file: Path | BinaryIO = _WEIGHTS) -> None:
        with np.load(file) as stored:
            layers = {name: stored[name].astype(np.float32) for name in stored.files}
        order = np.argsort(_ORDER)
        self._layers = tuple(
            (
                np.ascontiguousarray(layers[f"W1{kind}"][order].T),
                layers[f"b1{kind}"][:, None],
                np.ascontiguousarray(layers[f"W2{kind}"].T),
                layers[f"b2{kind}"][:, None],
            )
            for kind in (0, 1)
        )

    def evaluate(self, boards: Boards) -> Chances:
        """Return the chances of the player on roll, one row for each board."""
        races = is_race(boards)
        if races.all() or not races.any():
            return self._outputs(boards, int(races.all())).T
        found = np.empty((5, len(boards)), dtype=np.float32)
        for kind, rows in ((0, ~races), (1, races)):
            found[:, rows] = self._outputs(boards[rows], kind)
        return found.T

    def _outputs(self, boards: Boards, kind: int) -> Floats:
        """Return the chances with a row for each of the five."""
        hidden_weights, hidden_bias, weights, bias = self._layers[kind]
        hidden = hidden_weights @ _inputs(boards)
        hidden += hidden_bias
        np.maximum(hidden, hidden * np.float32(SLOPE), out=hidden)
        sums = weights @ hidden
        sums += bias
        np.clip(sums, -60, 60, out=sums)
        found: Floats = np.exp(-sums)
        found += 1
        return np.reciprocal(found, out=found)


class PipCount:
    """An evaluator by pip count alone, with small random differences between equals; for comparison."""

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
    """An evaluator that draws its chances at random from a seed; for comparison."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def evaluate(self, boards: Boards) -> Chances:
        """Return the chances of the player on roll, one row for each board."""
        chances = np.zeros((len(boards), 5), dtype=np.float32)
        chances[:, 0] = self._rng.random(len(boards))
        return chances


@cache
def embedded() -> Net:
    """Return the built-in nets, loaded at first use."""
    return Net()


@cache
def chosen() -> Evaluator:
    """Return the evaluator of this house's bots, made at first use.

    Raises ImportError if CHOUETTE_EVALUATOR names no class or function that makes one.
    """
    path = os.environ.get(SETTING, "")
    return named(path) if path else embedded()


def named(path: str) -> Evaluator:
    """Return the evaluator made by a dotted path's class or function, tried on the starting position.

    Raises ImportError if the path names nothing, or an object that judges no boards.
    """
    module, _, name = path.rpartition(".")
    try:
        made = getattr(import_module(module), name)()
        shape = np.shape(made.evaluate(boards_of([START])))
    except Exception as error:
        raise ImportError(f"{SETTING}={path}: {error}") from error
    if shape != (1, 5):
        raise ImportError(f"{SETTING}={path}: five chances a board are wanted, not {shape}")
    return cast(Evaluator, made)
