"""The grades of a game that was played at this house, as rows that the house keeps with its result.

This is the game's plug-in for grading (`games.plugin.Grading`): `__all__` declares what it offers, part of it made
elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from chouette.analysis import counting, engines, telling
from chouette.analysis.counting import AREAS, FORMULA, PARTS, WHAT_COUNTS, Cost, area, parts
from chouette.analysis.engine import Candidate, Engine, EngineFailed
from chouette.analysis.engines import HOW_TO_GET_ONE
from chouette.analysis.exercises import exercise, kept_exercise
from chouette.analysis.gnubg import error_rate
from chouette.analysis.grading import Grade, Grader, best_of, notation
from chouette.analysis.problems import Problem
from chouette.analysis.remembered import Remembered
from chouette.analysis.sessions import EXTRA, NO_EXTRA, PLAY_ON, SETTLEMENT, Bound, SessionChoice, Share, choices
from chouette.analysis.study import answer
from chouette.analysis.telling import cost, course, first_side, luck, luck_of_seat, lucky, mistakes, swing
from chouette.board.plays import results
from chouette.board.position import Position
from chouette.export.record import BEAVER, DOUBLE, TAKE
from games.kernel.contract import JsonObject, Seat
from games.kernel.figures.skill import GameToGrade
from games.kernel.text import gettext_noop as _

__all__ = [
    "AREAS", "FORMULA", "HOW_TO_GET_ONE", "IS_EXACT", "OTHER_RATES", "PARTS", "RATE", "SCALE", "WHAT_COUNTS",
    "answer", "area", "cost", "course", "engine", "exercise", "first_side", "has_engine", "kept_exercise", "luck",
    "luck_of_seat", "lucky", "mistakes", "parts", "row", "rows", "swing",
]  # fmt: skip

SCALE, RATE = counting.PER_DECISION, _("PR")
IS_EXACT = False
OTHER_RATES = (error_rate.ERROR_RATE,)


def has_engine() -> bool:
    """Tell whether an engine is installed here."""
    return bool(engines.installed())


def engine() -> Engine | None:
    """Return the engine that grades here, None without one."""
    found = engines.installed()
    return Remembered(engines.engine(found[0])) if found else None


def rows(game: GameToGrade, engine: Engine) -> Iterable[JsonObject]:
    """Yield a row for each choice of a game.

    `{"seq", "seat", "role", "kind", "xgid", "others", "dice", "played", "best", "equities", "error", "counts", "luck",
    "cube", "suggested", "graded", "listed", "chances", "lucks"}`: `seat` is null for what was nobody's, `others`
    are the XGIDs of further owners' cubes, `cube` is the sum of the values in play, `suggested` the seats that had
    suggested the better play. `lucks` are of a play the luck of its roll in points for each seat with a cube in play,
    pairs of seat and points; null where a cube's is not known.
    `listed` are of a play that was a mistake the best plays and the one made, each with its equity, else empty.
    `chances` are of a mistake `{"plies", "values"}` (`engine.Chances`), of a play as `listed`, else null.
    """
    grader = SessionGrader(engine)
    for choice in _choices(game):
        yield grader.row(choice)


def row(game: GameToGrade, engine: Engine, number: int) -> JsonObject | None:
    """Return a single one of the rows by its number from 0; None where there are not so many."""
    choice = next(islice(_choices(game), number, None), None)
    return None if choice is None else SessionGrader(engine).row(choice)


def _choices(game: GameToGrade) -> Iterator[SessionChoice]:
    return choices(game.options, game.seats, game.entries, game.first)


class SessionGrader:
    """Grades choices: at one kind of cubes, or at the mean of several weighted by their values."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.grader = engine, Grader(engine)

    def grade(self, choice: SessionChoice) -> Grade:
        """Return the grade of a choice."""
        if choice.kind == SETTLEMENT:
            return self.grader.attempt(choice.problem, lambda problem: self._settlement(problem, choice))
        if choice.kind in (EXTRA, NO_EXTRA):
            return self.grader.attempt(choice.problem, self._extra)
        if len(choice.groups) == 1:
            (found,) = self.grader.grades([choice.problem])
            return self._bound(choice, choice.bound, found) if choice.bound and found.cost else found
        return self.grader.attempt(choice.problem, lambda problem: self._play(problem, choice))

    def row(self, choice: SessionChoice) -> JsonObject:
        """Return the row of a choice; of a mistake the chances, too, which files in other programs' form have."""
        grade = self.grade(choice)
        found = _row(choice, grade)
        return {
            **found,
            "chances": self._chances(grade) if _is_mistake(grade) else None,
            "lucks": _lucks(choice.shares, grade.lucks or (grade.luck,)),
        }

    def _chances(self, grade: Grade) -> JsonObject | None:
        """Return the chances of a mistake, at the heaviest kind of cubes; None where the engine does not tell them."""
        problem = grade.problem
        try:
            if problem.dice is not None:
                after = [result for result, _ in grade.listed]
                found = self.engine.chances(problem.position, problem.dice, problem.stakes, after)
            elif problem.offer in ("", "D"):
                found = self.engine.cube_chances(problem.position, problem.stakes)
            else:
                return None
        except EngineFailed:
            return None
        return {"plies": found.plies, "values": [list(each) for each in found.values]}

    def _bound(self, choice: SessionChoice, bound: Bound, found: Grade) -> Grade:
        """Return a grade under obligations: where the best legal set has the same for this cube, nobody chose it.

        To beaver on top of a take that the obligations ask for is the player's own.
        """
        if not found.cost or not found.cost.error:
            return found
        try:
            is_forced = (bound.cube in self._best_set(bound)) == (choice.kind in (TAKE, BEAVER, DOUBLE))
        except EngineFailed:
            return Grade(found.problem)
        if not is_forced:
            return found
        if choice.kind == BEAVER and not found.problem.must_raise:
            assert found.equities is not None  # noqa: S101
            error = max(found.equities[BEAVER] - found.equities[TAKE], 0.0)
            if error:
                return replace(found, cost=replace(found.cost, error=error, best=TAKE), best=TAKE)
        return replace(found, cost=replace(found.cost, counts=False, is_forced=True))

    def _best_set(self, bound: Bound) -> frozenset[int]:
        """Return the legal set of cubes, to take or to double, that is best for the Box; none is always legal."""
        gains = {}
        for index, problem in bound.problems.items():
            found, cube = self.grader.cube(problem), problem.stakes.cube
            if problem.offer == "D":
                plain, raised = found.drop - found.take, found.drop - 2 * found.take
            else:
                plain = raised = found.best_double - found.no_double
            gains[index] = plain * cube, raised * cube

        def gain(option: JsonObject) -> float:
            marked = option.get(bound.sets.marks.key, ()) if bound.sets.marks is not None else ()
            return sum(gains[index][index in marked] for index in option[bound.sets.key])

        best = max([{bound.sets.key: []}, *bound.sets], key=gain)
        return frozenset(best[bound.sets.key])

    def _play(self, problem: Problem, choice: SessionChoice) -> Grade:
        """Return the grade of a play against the best one at the cubes in play."""
        groups = [_Listed(self.engine, each, weight) for each, weight in choice.groups]
        assert problem.result is not None  # noqa: S101
        total = sum(group.weight for group in groups)
        means = {
            result: sum(group.weight * group.equity(result) for group in groups) / total
            for result in {problem.result, *(group.found[0].result for group in groups)}
        }
        best = max(means, key=lambda result: (means[result], result == problem.result))
        error = means[best] - means[problem.result]
        counts = any(group.counts for group in groups)
        lucks = [self.grader.luck(each) for each, _ in choice.groups]
        told = [each * group.weight for each, group in zip(lucks, groups, strict=True) if each is not None]
        return Grade(
            problem,
            {"played": means[problem.result], "best": means[best]},
            Cost(error, counts),
            notation(problem, best),
            sum(told) / total if len(told) == len(groups) else None,
            best_of(sorted(means.items(), key=lambda each: -each[1]), problem.result),
            tuple(lucks),
        )

    def _settlement(self, problem: Problem, choice: SessionChoice) -> Grade:
        """Return the grade of a settlement: what the side gave away of its cube's equity."""
        if problem.dice is None:
            found = self.engine.cube(problem.position, problem.stakes)
            best = max(found.no_double, found.best_double) if choice.may_double else found.no_double
        else:
            legal = results(problem.position, problem.dice)
            best = self.engine.plays(problem.position, problem.dice, problem.stakes, legal[0])[0].equity
        equity = best if problem.player == 0 else -best
        error = max(equity - choice.points, 0.0)
        # It is no decision as XG counts them.
        name = PLAY_ON if error else SETTLEMENT
        return Grade(problem, {"played": choice.points, "best": equity}, Cost(error, counts=False, best=name), name)

    def _extra(self, problem: Problem) -> Grade:
        """Return the grade of an extra that a dropper gave, or did not give, to the only taker."""
        is_given = problem.kind == EXTRA
        equities = self.grader.cube(problem)
        found, worth = counting.of_extra(equities, is_given=is_given, is_beavered=problem.offer == "B")
        name = (NO_EXTRA if is_given else EXTRA) if found.error else problem.kind
        return Grade(problem, {EXTRA: worth, NO_EXTRA: 0.0}, replace(found, best=name), name)


class _Listed:
    """The plays of a roll at one kind of cubes."""

    def __init__(self, engine: Engine, problem: Problem, weight: int) -> None:
        assert problem.dice is not None and problem.result is not None  # noqa: S101
        self.engine, self.problem, self.weight = engine, problem, weight
        self.dice = problem.dice
        self.found = self._asked(problem.result)
        played = next(each for each in self.found if each.result == problem.result)
        self.counts = counting.of_play(self.found, played).counts

    def equity(self, result: Position) -> float:
        """Return the equity of a play, looked at as deeply as the best."""
        found = next(each for each in self.found if each.result == result)
        if found.level < self.found[0].level:
            found = next(each for each in self._asked(result) if each.result == result)
        return found.equity

    def _asked(self, result: Position) -> list[Candidate]:
        return list(self.engine.plays(self.problem.position, self.dice, self.problem.stakes, result))


def _is_mistake(grade: Grade) -> bool:
    return grade.cost is not None and grade.cost.counts and grade.cost.error >= telling.LEAST_ERROR


def _lucks(shares: Sequence[Share], by_group: Sequence[float | None]) -> list[list[Any]] | None:
    """Return the luck of a roll in points for each seat with a share in a cube; None where a cube's is not known."""
    found: dict[Seat, float] = {}
    for share in shares:
        of_roll = None if share.group is None else by_group[share.group]
        if of_roll is None:
            return None
        found[share.seat] = found.get(share.seat, 0.0) + share.value * of_roll
    return [[seat, points] for seat, points in sorted(found.items())]


def _row(choice: SessionChoice, grade: Grade) -> JsonObject:
    problem, found = choice.problem, grade.cost
    is_better = found is not None and found.error > 0
    return {
        "seq": choice.seq,
        "seat": None if found is not None and found.is_forced else choice.seat,
        "role": choice.role,
        "kind": choice.kind,
        "xgid": problem.xgid,
        "others": [each.xgid for each, _ in choice.groups[1:]],
        "dice": list(problem.dice) if problem.dice else None,
        "played": problem.played,
        "best": grade.best if found else None,
        "equities": dict(grade.equities) if grade.equities is not None else None,
        "error": found.error if found else None,
        "counts": bool(found and found.counts and choice.seat is not None),
        "luck": grade.luck,
        "cube": sum(weight for _, weight in choice.groups),
        "suggested": sorted({seat for seat, play in choice.suggestions if is_better and play == grade.best}),
        "graded": found is not None,
        "listed": [[notation(problem, result), equity] for result, equity in grade.listed]
        if _is_mistake(grade)
        else [],
    }
