"""Grading: the problems of a game with an engine's equities, what each choice cost, and each roll's luck."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from chouette.analysis import counting
from chouette.analysis.counting import Cost
from chouette.analysis.engine import CubeEquities, Engine, EngineFailed, EngineGone, Stakes
from chouette.analysis.problems import Problem
from chouette.board.notation import format_play
from chouette.board.plays import Dice, legal_plays
from chouette.board.position import Position
from chouette.export.record import BEAVER, DOUBLE, NO_DOUBLE, PLAY, RACCOON, ROLL

logger = logging.getLogger(__name__)

MOST_DEATHS = 3
"""An engine that ends so often in a row is asked no more about this game."""

MOST_LISTED = 5
"""So many plays of a roll are listed with their equities."""

_OPENING_ROLLS = tuple((high, low) for low, high in combinations(range(1, 7), 2))


@dataclass(frozen=True, slots=True)
class Grade:
    """A problem with what the engine says of it.

    `equities` are by name; of a play from the player's view, of a cube from the doubler's. `cost` is None
    where the engine gave no answer, and `luck` where nothing was rolled or it gave none for that. `listed` are the
    results of the best plays, with the one made, each with its equity, the best first. `lucks` are of a play at several
    kinds of cubes the luck at each, of which `luck` is the mean.
    """

    problem: Problem
    equities: Mapping[str, float] | None = None
    cost: Cost | None = None
    best: str = ""
    luck: float | None = None
    listed: tuple[tuple[Position, float], ...] = ()
    lucks: tuple[float | None, ...] = ()


class Grader:
    """Grades problem by problem; what was asked about one cube is not asked again for its answer."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.deaths = engine, 0
        self._position: Position | None = None
        self._equities: dict[Stakes, CubeEquities] = {}

    def grades(self, problems: Iterable[Problem]) -> Iterator[Grade]:
        """Yield the grade of each problem."""
        for problem in problems:
            yield self.attempt(problem, self._grade)

    def attempt(self, problem: Problem, make: Callable[[Problem], Grade]) -> Grade:
        """Return the grade that a function makes; a failure of the engine costs this problem's figures alone."""
        if self.deaths >= MOST_DEATHS:
            return Grade(problem)
        try:
            found = make(problem)
        except EngineFailed as why:
            self.deaths += isinstance(why, EngineGone)
            logger.warning("analysis: not graded: %s (%s)", why, problem.xgid)
            return Grade(problem)
        self.deaths = 0
        return found

    def _grade(self, problem: Problem) -> Grade:
        if problem.kind == PLAY:
            return self._play(problem)
        if problem.kind == ROLL:
            luck = self.luck(problem)
            return Grade(problem, cost=None if luck is None else Cost(0.0, counts=False), luck=luck)
        equities = self._cube(problem)
        if problem.kind in (NO_DOUBLE, DOUBLE):
            cost, raised = counting.of_double(equities, problem.kind == DOUBLE), None
        else:
            raised = _raised(equities, problem)
            cost = counting.of_answer(equities, problem.kind, raised, must_raise=problem.must_raise)
        if problem.is_dead:
            cost = replace(cost, counts=False)
        told = {"no_double": equities.no_double, "take": equities.take, "drop": equities.drop}
        if raised is not None:
            told[BEAVER if problem.must_raise else problem.kind] = raised
        if problem.must_raise:
            del told["take"]
        return Grade(problem, told, cost, cost.best)

    def _play(self, problem: Problem) -> Grade:
        assert problem.dice is not None and problem.result is not None  # noqa: S101
        found = self.engine.plays(problem.position, problem.dice, problem.stakes, problem.result)
        played = next(each for each in found if each.result == problem.result)
        cost = counting.of_play(found, played)
        best = found[0] if cost.error else played
        name = problem.played if best is played else notation(problem, best.result)
        told = {"played": played.equity, "best": best.equity}
        listed = best_of([(each.result, each.equity) for each in found], played.result)
        return Grade(problem, told, cost, name, self.luck(problem), listed)

    def _cube(self, problem: Problem) -> CubeEquities:
        """Return the equities of a cube action, of an answer to a beaver or raccoon from its raiser's view."""
        equities = self.cube(problem)
        if problem.offer == "B":
            # Who beavers owns the cube at twice the value of a take: theirs is the other view, in units of the take.
            return CubeEquities(-equities.take / 2, -equities.take)
        if problem.offer == "R":
            return CubeEquities(equities.take / 2, equities.take)
        return equities

    def cube(self, problem: Problem) -> CubeEquities:
        """Return the cube's equities for the player on roll; kept until another position is asked about."""
        if self._position != problem.position:
            self._position, self._equities = problem.position, {}
        # For points the cube's value changes nothing, so that one answer serves many cubes.
        stakes = problem.stakes if problem.stakes.length else replace(problem.stakes, cube=1)
        if stakes not in self._equities:
            self._equities[stakes] = self.engine.cube(problem.position, stakes)
        return self._equities[stakes]

    def luck(self, problem: Problem) -> float | None:
        """Return how much better a roll is than the mean of all."""
        position, stakes, dice = problem.position, problem.stakes, problem.dice
        assert dice is not None  # noqa: S101
        try:
            after = self.engine.after_rolls(position, [dice], stakes)[0]
            mean = self._opening(position, stakes) if problem.is_opening else self.engine.mean(position, stakes)
        except EngineFailed as why:
            logger.warning("analysis: no luck: %s (%s)", why, problem.xgid)
            return None
        return after - mean

    def _opening(self, position: Position, stakes: Stakes) -> float:
        """Return the mean of the opening rolls, with which either side may begin."""
        other = stakes.swapped()
        if stakes == other:
            return 0.0
        mine = self.engine.after_rolls(position, _OPENING_ROLLS, stakes)
        theirs = self.engine.after_rolls(position, _OPENING_ROLLS, other)
        return (sum(mine) - sum(theirs)) / (2 * len(_OPENING_ROLLS))


def best_of(plays: Sequence[tuple[Position, float]], played: Position) -> tuple[tuple[Position, float], ...]:
    """Return the first of the plays, each a result with its equity, and the one made, which may come after them."""
    return (*plays[:MOST_LISTED], *(each for each in plays[MOST_LISTED:] if each[0] == played))


def _raised(equities: CubeEquities, problem: Problem) -> float | None:
    """Return the equity of a beaver or raccoon, in the view of the side that it answers; None for other answers."""
    return 2 * equities.take if problem.kind in (BEAVER, RACCOON) or problem.must_raise else None


def notation(problem: Problem, result: Position) -> str:
    """Return the notation of a play by its result."""
    assert problem.dice is not None  # noqa: S101
    return named(problem.position, problem.dice, result)


def named(position: Position, dice: Dice, result: Position) -> str:
    """Return the notation of a play of a roll by its result."""
    return next(format_play(play) for play in legal_plays(position, dice) if play.result == result)
