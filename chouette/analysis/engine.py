"""An engine: a program that judges positions, plays and doubles, behind one small adapter.

All equities are cubeful and normalised to the cube's value before the decision: 1.0 is what a dropped
double brings. Positions are in the view of the player on roll, results of plays in that of the mover.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from chouette.board.match_id import MatchState
from chouette.board.plays import Dice
from chouette.board.position import Position
from games.kernel.figures.skill import Depth

MOST = 16.0
"""No equity is larger: three times the cube, in a match with what its score makes of it."""


class EngineFailed(Exception):
    """The engine gave no answer, or one that can't be."""


class EngineGone(EngineFailed):
    """The engine does not start, has ended, or was silent and had to be ended."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """Cube, score and rules that a game is played for, in the view of the player on roll.

    `owner` is 1 for the player on roll, -1 for the opponent and 0 for a cube in the middle; `length` is 0
    for money; `score` is (own, the opponent's).
    """

    cube: int = 1
    owner: int = 0
    length: int = 0
    score: tuple[int, int] = (0, 0)
    is_crawford: bool = False
    jacoby: bool = False
    beavers: bool = False

    def swapped(self) -> Stakes:
        """Return the same stakes in the view of the other player."""
        own, other = self.score
        return Stakes(self.cube, -self.owner, self.length, (other, own), self.is_crawford, self.jacoby, self.beavers)

    @property
    def may_double(self) -> bool:
        """Tell whether the player on roll may double and would gain by it: the cube is not dead."""
        if self.owner < 0 or self.is_crawford:
            return False
        return not self.length or self.score[0] + self.cube < self.length

    def state(self, dice: tuple[int, int] = (0, 0)) -> MatchState:
        """Return the state of the match for ids; the player on roll is player 1, as GNU Backgammon has it."""
        own, other = self.score
        return MatchState(
            cube=self.cube,
            cube_owner={1: 1, -1: 0, 0: None}[self.owner],
            player_on_roll=1,
            turn=1,
            crawford=self.is_crawford,
            dice=dice,
            match_length=self.length,
            score=(other, own),
            jacoby=self.jacoby and not self.length,
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play that was judged: its result in the mover's view, its equity, and the plies it was looked ahead."""

    result: Position
    equity: float
    level: int


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """The equities of the player on roll: without a double, and with one that is taken; a dropped double is worth 1."""

    no_double: float
    take: float
    drop: float = 1.0

    @property
    def best_double(self) -> float:
        """Return the equity of a double that is answered well."""
        return min(self.take, self.drop)


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances behind equities, looked so many plies ahead, as match files have them.

    Each of `values` begins with what the mover wins, wins as a gammon or more, as a backgammon, and loses as these two.
    After a play its equity follows. Before a double the equity without a cube follows, then what no double and a
    double that is taken are worth: equities, in a match chances to win it.
    """

    plies: int
    values: tuple[tuple[float, ...], ...]


class Engine(Protocol):
    """A program that judges; every method raises EngineFailed.

    A failure costs the decision alone: the next question is asked as if nothing had happened.
    """

    @property
    def level(self) -> str:
        """Return how deep the engine looks, for people."""

    @property
    def levels(self) -> tuple[str, str]:
        """Return the levels of plays and cubes, and of luck."""

    @property
    def name(self) -> str:
        """Return the engine's name with its version."""

    def at(self, depth: Depth) -> Engine:
        """Return this engine at another depth; both share what runs."""

    def plays(self, position: Position, dice: Dice, stakes: Stakes, played: Position) -> Sequence[Candidate]:
        """Return every legal play, the best first; the one played is judged as deeply as the best."""

    def cube(self, position: Position, stakes: Stakes) -> CubeEquities:
        """Return the cube's equities for the player on roll."""

    def mean(self, position: Position, stakes: Stakes) -> float:
        """Return the mean equity after all rolls with their best plays, doubles weighted once and others twice."""

    def after_rolls(self, position: Position, rolls: Sequence[Dice], stakes: Stakes) -> Sequence[float]:
        """Return the equity after each of some rolls with its best play, at the level of the mean."""

    def chances(self, position: Position, dice: Dice, stakes: Stakes, after: Sequence[Position]) -> Chances:
        """Return the chances of the mover after some plays of a roll."""

    def cube_chances(self, position: Position, stakes: Stakes) -> Chances:
        """Return the chances of the player on roll before a double; raises EngineFailed where it can't tell them."""

    def close(self) -> None:
        """End what the engine keeps running."""


def checked(values: Iterable[object], count: int) -> list[float]:
    """Return so many finite equities; raises EngineFailed for anything else."""
    found = list(values)
    if len(found) != count or not all(isinstance(each, float) and abs(each) <= MOST for each in found):
        raise EngineFailed("an answer has not the numbers that were asked for")
    return [each for each in found if isinstance(each, float) and math.isfinite(each)]
