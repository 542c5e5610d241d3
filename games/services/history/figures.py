"""Figures of people, computed from results and matches each time and kept nowhere: points per game, ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from games.kernel.figures.ratings import RatedMatch, Rating, ratings
from games.kernel.figures.skill_rates import LEAST_GAMES, Mean, mean_of
from games.models import Match, Player, ResultLine
from games.services.history.score_sheets import figure_of

Kind: TypeAlias = tuple[int, str, str]
"""A player by id, a game, and a unit of points."""


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """A player's figures in one game and unit; None for no game, and for no match."""

    player: int
    mean: Mean | None
    rating: Rating | None


# A game's points are those of its line and of its corrections. A correction of no game, and a game in which somebody
# had no part, is none.
_MEANS = """
SELECT who, game, unit, COUNT(*), SUM(points), SUM(points * points)
FROM (
    SELECT who, game, unit, played_game, SUM(points) AS points,
        MAX(CASE WHEN corrects OR COALESCE(has_part, 1) = 0 THEN 0 ELSE 1 END) AS real
    FROM ({lines}) AS lines GROUP BY who, game, unit, played_game
) AS games
WHERE real = 1 GROUP BY who, game, unit
"""


def means(lines: QuerySet[ResultLine]) -> dict[Kind, Mean]:
    """Return the points per game of each player of the lines that count, with their range."""
    counted = lines.filter(
        player__isnull=False, is_bot=False, consent=ResultLine.Consent.GIVEN, result__is_proposed=False
    )
    columns: dict[str, Any] = {
        "who": F("player"),
        "game": F("result__game_id"),
        "unit": F("result__unit"),
        "corrects": F("result__is_correction"),
        "played_game": Coalesce("result__corrects", "result"),
        "has_part": figure_of("played"),
    }
    rows: QuerySet[ResultLine, Any] = counted.order_by().annotate(**columns).values(*columns, "points")
    try:
        sql, params = rows.query.sql_with_params()
    except EmptyResultSet:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_MEANS.format(lines=sql), params)
        found = cursor.fetchall()
    return {(row[0], row[1], row[2]): _with_range(mean_of(*map(int, row[3:]))) for row in found}


def _with_range(mean: Mean) -> Mean:
    """Return a mean, of a few games without its range: that of two would be wider than what can be won."""
    return mean if mean.n >= LEAST_GAMES else replace(mean, low=None, high=None)


@dataclass(frozen=True, slots=True)
class KindMean:
    """Points per game in one game and unit."""

    game_id: str
    unit: str
    of: Mean


def means_by_kind(lines: QuerySet[ResultLine]) -> list[KindMean]:
    """Return the points per game of a player's lines, for each game and unit."""
    return [KindMean(game, unit, mean) for (_player, game, unit), mean in sorted(means(lines).items(), key=_kind)]


def _kind(item: tuple[Kind, Mean]) -> Kind:
    return item[0]


def ratings_of(matches: QuerySet[Match]) -> Mapping[int, Rating]:
    """Return the rating of each player after these matches, in the order in which they ended."""
    rows = matches.order_by("finished_at", "pk").values_list("winner", "loser", "length")
    return ratings(RatedMatch(*row) for row in rows)


def all_matches(game_id: str) -> QuerySet[Match]:
    """Return all matches of the house in a game."""
    return Match.objects.filter(table__game_id=game_id)


def of_people(lines: QuerySet[ResultLine], matches: QuerySet[Match]) -> list[PersonFigures]:
    """Return the figures of everybody in lines of one game and unit, or in matches: by rating, then by games."""
    by_player = {player: mean for (player, _game, _unit), mean in means(lines).items()}
    rated = ratings_of(matches)
    found = [PersonFigures(who, by_player.get(who), rated.get(who)) for who in by_player.keys() | rated.keys()]
    return sorted(found, key=_order)


def _order(person: PersonFigures) -> tuple[bool, float, int, int]:
    rating = 0.0 if person.rating is None else -person.rating.value
    return person.rating is None, rating, -(person.mean.n if person.mean is not None else 0), person.player


def of_listed(game_id: str, unit: str) -> list[PersonFigures]:
    """Return the figures of all time of people who chose to be shown to everybody, in a game and unit."""
    listed = set(Player.objects.filter(is_listed=True, deleted_at=None).values_list("pk", flat=True))
    lines = ResultLine.objects.filter(player__is_listed=True, result__game_id=game_id, result__unit=unit)
    found = of_people(lines.exclude(result__table__night__is_practice=True), all_matches(game_id))
    return [each for each in found if each.player in listed]


def ratings_by_game(player: Player) -> dict[str, Rating]:
    """Return a player's rating of all time by game, for the games in which they have played a match."""
    own = Match.objects.filter(Q(winner=player) | Q(loser=player)).order_by()
    games = own.values_list("table__game_id", flat=True).distinct()
    return {game_id: ratings_of(all_matches(game_id))[player.pk] for game_id in games}
