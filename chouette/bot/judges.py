"""Judges of plays and cubes for a bot: the net at one of its levels, or the engine of the house.

Each ranks the listed plays of a roll, and judges the cubes of a view; that of the engine raises EngineFailed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from chouette.analysis.engine import Candidate, Stakes
from chouette.board.position import Position
from chouette.bot import playing
from chouette.bot.cube_decisions import Judgement, is_capped, is_match, judge, on_turn, owner_of
from chouette.bot.evaluator import Evaluator
from chouette.bot.house_engine import HouseEngine
from chouette.bot.janowski import CENTRE, MINE, THEIRS, DoubleEquities
from chouette.bot.playing import EXPERT, LOOKAHEAD, MISJUDGED, NET, NOISY, Options, Ranked
from games.kernel.contract import JsonObject

_OWNERS = {CENTRE: 0, MINE: 1, THEIRS: -1}
MOST_GROUPS = 4
NEAR = {NOISY: 0.06, NET: 0.03, LOOKAHEAD: 0.02, EXPERT: 0.01}
"""Level → the difference between two plays that it can't tell, in points at cube 1."""


class Judge(Protocol):
    """A judge of plays and cubes.

    `near` is the difference in worth, in points at cube 1, that it does not trust itself to tell.
    """

    @property
    def near(self) -> float:
        """Return the difference that it can't tell."""

    def ranked(self, view: JsonObject, options: Options) -> Ranked:
        """Return the indexes of the listed plays with their worth to the mover, best first."""

    def judgement(self, view: JsonObject, source: str) -> Judgement:
        """Return the judgement of a view's cubes; an error of it is drawn from `source`."""


def best_play(judge: Judge, view: JsonObject, options: Options) -> JsonObject:
    """Return the play that a judge thinks best; a forced one needs no judgement."""
    return options[judge.ranked(view, options)[0][0]] if len(options) > 1 else options[0]


@dataclass(frozen=True, slots=True)
class NetJudge:
    """The net at a level, with errors that are drawn from a seed."""

    evaluator: Evaluator
    level: str
    seed: int

    @property
    def near(self) -> float:
        """Return the difference that it can't tell."""
        return NEAR[self.level]

    def ranked(self, view: JsonObject, options: Options) -> Ranked:
        """Return the indexes of the listed plays with their worth to the mover, best first."""
        if error := MISJUDGED[self.level]:
            return playing.misjudged_plays(self.evaluator, view, options, error, self.seed)
        return playing.ranked_plays(self.evaluator, view, options, looks_ahead=self.level == LOOKAHEAD)

    def judgement(self, view: JsonObject, source: str) -> Judgement:
        """Return the judgement of a view's cubes."""
        # The error of a level is in points; losing and winning a game are two points apart.
        error = MISJUDGED[self.level]
        drawn = random.Random(source).gauss(0, error / 2) if error else 0.0
        return judge(view, self.evaluator, drawn, looks_ahead=self.level == LOOKAHEAD)


class EngineJudge:
    """The engine of the house, for one decision: all its questions have one time together.

    What needs no cube is the net's: whether a race is lost for certain, and settlements after the roll.
    """

    near = NEAR[EXPERT]

    def __init__(self, engine: HouseEngine, evaluator: Evaluator) -> None:
        self.engine, self.net = engine, NetJudge(evaluator, LOOKAHEAD, 0)
        self.until = engine.until()

    def ranked(self, view: JsonObject, options: Options) -> Ranked:
        """Return the indexes of the listed plays with their worth to the mover, best first.

        Where cubes have several owners, the best plays for each are held against each other by the mean over the
        cubes, weighted by their values (docs/skill.md, "A chouette"), as far as the time goes.
        """
        results = playing.listed(view, options)
        net = results[self.net.ranked(view, options)[0][0]]
        first, *others = groups(view)
        listed = [(self._plays(view, first[0], net), first[1])]
        for stakes, weight in others:
            if self.engine.has_time(self.until):
                listed.append((self._plays(view, stakes, net), weight))
        means = self._means(view, [stakes for stakes, _ in (first, *others)], listed)
        worths = {each.result: each.equity for each in listed[0][0]} | means
        order = [*sorted(means, key=lambda each: -means[each]), *(each.result for each in listed[0][0])]
        index = {result: number for number, result in enumerate(results)}
        return [(index[result], worths[result]) for result in dict.fromkeys(order)]

    def _plays(self, view: JsonObject, stakes: Stakes, made: Position) -> Sequence[Candidate]:
        high, low = view["game"]["dice"]
        return self.engine.plays(on_turn(view["game"]), (high, low), stakes, made, self.until)

    def _means(
        self, view: JsonObject, stakes: Sequence[Stakes], listed: Sequence[tuple[Sequence[Candidate], int]]
    ) -> dict[Position, float]:
        """Return the mean equity of the plays that are best for one of the owners; of one alone its own equity."""
        best = list(dict.fromkeys(found[0].result for found, _ in listed))
        if len(best) == 1:
            return {best[0]: listed[0][0][0].equity}
        total = sum(weight for _, weight in listed)
        means = dict.fromkeys(best, 0.0)
        for (found, weight), each in zip(listed, stakes, strict=False):
            for result in best:
                means[result] += weight / total * self._equity(view, each, found, result)
        return means

    def _equity(self, view: JsonObject, stakes: Stakes, found: Sequence[Candidate], result: Position) -> float:
        """Return the equity of a play, looked at as deeply as the best."""
        candidate = next(each for each in found if each.result == result)
        if candidate.level < found[0].level:
            again = self._plays(view, stakes, result)
            candidate = next(each for each in again if each.result == result)
        return candidate.equity

    def judgement(self, view: JsonObject, source: str) -> Judgement:
        """Return the judgement of a view's cubes, which asks the engine when it is asked."""
        found = self.net.judgement(view, source)
        if view["game"]["dice"]:
            return found
        return EngineJudgement(found.view, found.chances, found.outlook, found.in_race, self.engine, self.until)


@dataclass(frozen=True, slots=True)
class EngineJudgement(Judgement):
    """The game of a view before a roll, its cubes judged by the engine."""

    engine: HouseEngine
    until: float

    def offer(self, index: int) -> DoubleEquities:
        """Return the equities of a double by the side on turn with a cube, in points or match chances."""
        found = self.engine.cube(on_turn(self.game), stakes_of(self.view, self.cube(index)), self.until)
        return DoubleEquities(*(self._points(index, each) for each in (found.no_double, found.take, found.drop)))

    def taken(self) -> float:
        """Return the equity of the side on turn with a cube that the other side has taken, for each of its points."""
        return self.engine.cube(on_turn(self.game), Stakes(cube=2, owner=-1), self.until).no_double

    def value(self, index: int, side: str) -> float:
        """Return the worth of a cube as it stands to a side, in points or match chances."""
        stakes = stakes_of(self.view, self.cube(index))
        found = self.engine.cube(on_turn(self.game), stakes, self.until)
        best = max(found.no_double, found.best_double) if stakes.may_double else found.no_double
        return self.of(side, self._points(index, best))

    def _points(self, index: int, equity: float) -> float:
        """Return an equity for each point of a cube in points, in a match as the chance to win it."""
        value = int(self.cube(index)["value"])
        if not is_match(self.view):
            return equity * value
        score = self.score(self.game["turn"])
        return score.after(-value) + (equity + 1) / 2 * (score.after(value) - score.after(-value))


def groups(view: JsonObject) -> list[tuple[Stakes, int]]:
    """Return the stakes of each kind of cubes in play, by owner, with the sum of their values, the heaviest first."""
    found: dict[tuple[int, bool], tuple[Stakes, int]] = {}
    for cube in view["game"]["cubes"]:
        if cube["result"] is None:
            stakes = stakes_of(view, cube)
            before, weight = found.get((stakes.owner, stakes.jacoby), (stakes, 0))
            larger = max(before, stakes, key=lambda each: each.cube)
            found[stakes.owner, stakes.jacoby] = larger, weight + int(cube["value"])
    return sorted(found.values(), key=lambda each: -each[1])[:MOST_GROUPS]


def stakes_of(view: JsonObject, cube: JsonObject) -> Stakes:
    """Return what a cube is played for, in the view of the side on turn.

    Without beavers: else the equity of a take may be that of its beaver, which is judged apart.
    """
    game, length = view["game"], int(view["match_length"]) if is_match(view) else 0
    score = (0, 0)
    if length:
        mine, other = (game["box"], game["captain"]) if game["turn"] == "box" else (game["captain"], game["box"])
        score = int(view["score"][mine]), int(view["score"][other])
    return Stakes(
        cube=int(cube["value"]),
        owner=_OWNERS[owner_of(game, cube)],
        length=length,
        score=score,
        is_crawford=bool(view["crawford"]),
        jacoby=not length and is_capped(view, cube),
    )
