"""A player's own play over time: rates of the choices that count, by night and by part, with luck apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.db.models import QuerySet

from games import plugin
from games.kernel.contract import JsonObject
from games.kernel.figures.skill import OtherRate
from games.kernel.figures.skill_rates import Counts, Mean, Rate, Sum, is_counted, mean_of, rate, sum_of
from games.models import Player, ResultLine
from games.services.grades import jobs, visibility
from games.services.grades.numbers import level_text
from games.services.grades.visibility import Viewer

MOST_GAMES = 300
"""So many of the newest games are looked at: their rows are read one by one."""
_TWO = 2


@dataclass(frozen=True, slots=True)
class NightPlay:
    """The play of one night, and of everything up to its end."""

    public_id: str
    name: str
    at: datetime
    rate: Rate
    so_far: Rate


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of a player's own rolls, in the points of the cubes in play, and their number."""

    points: float
    rolls: int


@dataclass(frozen=True, slots=True)
class Area:
    """An area with the cost of a player's choices: its id, their share of all errors (0 to 1), their rate."""

    name: str
    share: float
    rate: Rate


@dataclass(frozen=True, slots=True)
class OwnPlay:
    """A player's play at one game: `nights` oldest first, `parts` by heading and id, `made_with` what graded it:
    engine, level and formula.

    `without_luck` are the points of a game less the luck of all rolls, of games of two and of more, over the games that
    tell it and of which the player may see all grades: what it says of all errors together would tell of the others'.
    `areas` are the areas with choices that count, the one first whose errors cost most.
    `others` are the rates by each other way to count, whole and by part. `cost` are the points that all errors
    cost together, None where errors cost no points.
    `is_cut` tells that there are older games than MOST_GAMES.
    """

    game_id: str
    whole: Rate
    nights: Sequence[NightPlay]
    parts: Mapping[str, Mapping[str, Rate]]
    areas: Sequence[Area]
    others: Sequence[tuple[OtherRate, Rate, Mapping[str, Rate]]]
    cost: float | None
    luck: Luck
    without_luck: tuple[Mean | None, Mean | None]
    made_with: Sequence[tuple[str, str, int]]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Game:
    """A graded game of the player: their own rows, each with its parts."""

    line: ResultLine
    rows: Sequence[JsonObject]
    parts: Sequence[Sequence[str]]

    @property
    def sum(self) -> Sum:
        """The sum of all own rows."""
        return sum_of(self.rows)

    @property
    def is_of_two(self) -> bool:
        """Tell whether no more than two played."""
        return len(self.line.result.lines.all()) <= _TWO

    def part(self, name: str, counts: Counts = is_counted) -> Sum:
        """Return the sum of the rows of a part."""
        return sum_of((row for row, parts in zip(self.rows, self.parts, strict=True) if name in parts), counts)

    def area(self, name: str, grading: plugin.Grading) -> Sum:
        """Return the sum of the rows of an area."""
        return sum_of(row for row, parts in zip(self.rows, self.parts, strict=True) if grading.area(parts) == name)


def own_play(player: Player) -> list[OwnPlay]:
    """Return a player's play at each game that has grades of it, practice included."""
    graded = ((game_id, grading, _games(player, game_id, grading)) for game_id, grading in jobs.graded_games().items())
    return [_of(game_id, grading, games) for game_id, grading, games in graded if games]


def graded_lines(player: Player, game_id: str) -> QuerySet[ResultLine]:
    """Return the lines of the player's graded games with their grades, the newest first."""
    lines = ResultLine.objects.filter(player=player, result__game_id=game_id, result__grades__formula__gt=0)
    lines = lines.select_related("result__grades", "result__table__night").prefetch_related("result__lines__player")
    return lines.order_by("-result__finished_at", "-pk")


def _games(player: Player, game_id: str, grading: plugin.Grading) -> list[_Game]:
    """Return the player's newest graded games, oldest first, one more than are looked at."""
    newest = graded_lines(player, game_id)[: MOST_GAMES + 1]
    return [_game(line, grading) for line in newest.iterator(50)][::-1]


def _game(line: ResultLine, grading: plugin.Grading) -> _Game:
    rows = line.result.grades.rows
    both = [(row, parts) for row, parts in zip(rows, grading.parts(rows), strict=True) if row["seat"] == line.seat]
    return _Game(line, [row for row, _ in both], [tuple(parts) for _, parts in both])


def _of(game_id: str, grading: plugin.Grading, found: Sequence[_Game]) -> OwnPlay:
    games = found[-MOST_GAMES:]
    luck = [each for game in games for row in game.rows if (each := grading.luck(row)) is not None]
    costs = [each for game in games for row in game.rows if (each := grading.cost(row)) is not None]
    grades = [game.line.result.grades for game in games]
    return OwnPlay(
        game_id,
        rate([game.sum for game in games], grading.SCALE),
        _nights(games, grading.SCALE),
        {
            heading: {name: rate([game.part(name) for game in games], grading.SCALE) for name in names}
            for heading, names in grading.PARTS.items()
        },
        _areas(grading, games),
        [_by(other, grading, games) for other in grading.OTHER_RATES],
        sum(costs) if costs else None,
        Luck(sum(luck), len(luck)),
        (
            _mean([points for game in games if game.is_of_two for points in _without_luck(game, grading)]),
            _mean([points for game in games if not game.is_of_two for points in _without_luck(game, grading)]),
        ),
        sorted({(each.engine, level_text(each.level), each.formula) for each in grades}),
        is_cut=len(found) > MOST_GAMES,
    )


def _mean(points: Sequence[Fraction]) -> Mean | None:
    return mean_of(len(points), sum(points), sum(each * each for each in points)) if points else None


def _areas(grading: plugin.Grading, games: Sequence[_Game]) -> list[Area]:
    """Return the areas of some games, the one first whose errors cost most."""
    whole = sum(game.sum.error for game in games)
    sums = {name: [game.area(name, grading) for game in games] for name in grading.AREAS}
    found = [
        Area(name, sum(each.error for each in own) / whole if whole else 0.0, rate(own, grading.SCALE))
        for name, own in sums.items()
    ]
    return sorted((each for each in found if each.rate.choices), key=lambda each: -each.share)


def _by(
    other: OtherRate, grading: plugin.Grading, games: Sequence[_Game]
) -> tuple[OtherRate, Rate, Mapping[str, Rate]]:
    """Return the rate of some games by another way to count, with that of each part of its heading."""
    names = grading.PARTS[other.heading]
    parts = {name: rate([game.part(name, other.counts) for game in games], other.scale) for name in names}
    return other, rate([sum_of(game.rows, other.counts) for game in games], other.scale), parts


def _without_luck(game: _Game, grading: plugin.Grading) -> Iterator[Fraction]:
    """Yield the points of a game less its luck; nothing where that is not told, or a grade of it is not to be seen."""
    line, result = game.line, game.line.result
    luck = grading.luck_of_seat(result.grades.rows, line.seat)
    by = Viewer(line.player_id, is_at_table=True, is_inside=True)
    if luck is not None and all(visibility.may_see(result.table, each, by) for each in result.lines.all()):
        yield line.points - Fraction(luck)


def _nights(games: Sequence[_Game], scale: float) -> list[NightPlay]:
    """Return the nights of some games in the order of their last ones."""
    by_night: dict[int, list[_Game]] = {}
    for game in games:
        by_night.setdefault(game.line.result.table.night_id, []).append(game)
    found, sums = [], []
    for of_night in sorted(by_night.values(), key=lambda each: each[-1].line.result.finished_at):
        own = [game.sum for game in of_night]
        sums += own
        last = of_night[-1].line.result
        night = last.table.night
        at = last.finished_at
        found.append(NightPlay(night.public_id, night.name, at, rate(own, scale), rate(sums, scale)))
    return found
