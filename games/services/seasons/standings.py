"""A season's standing, computed from its results, and the changes between two standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games import plugin
from games.kernel.options import Values
from games.kernel.seasons import Standing, standing_of
from games.kernel.seasons.options import rules_of
from games.models import Season
from games.services.seasons.frozen import Column, SeasonStanding, StandingRow
from games.services.seasons.played import SeasonPlayed, values_of


def lower_is_better(season: Season) -> bool:
    """Tell whether fewer points are better; a game that is not installed any more counts as one where more are."""
    game = plugin.all_games().get(season.game_id)
    return game is not None and game.lower_is_better


def unit_of(season: Season) -> str:
    """Return the name of a season's unit."""
    game = plugin.all_games().get(season.game_id)
    return str(game.units.get(season.unit, season.unit)) if game else season.unit


def computed(
    season: Season,
    found: SeasonPlayed,
    *,
    values: Values | None = None,
    columns: Sequence[Column] | None = None,
) -> SeasonStanding:
    """Return the standing computed from what was played, by given rules, and of some of the nights alone."""
    columns = found.columns if columns is None else columns
    values = values_of(season) if values is None else values
    rules = rules_of(values, lower_is_better=lower_is_better(season))
    standing = standing_of(rules, found.nights(columns), found.carried_rows())
    beside = [
        (player, column.id, int(points))
        for column in columns
        for player, (points, games) in found.rows.get(column.id, {}).items()
        if points and not games
    ]
    carried = (Column.carried(season.first_day),) if found.carried else ()
    return SeasonStanding((*carried, *columns), _rows(standing, found, carried), tuple(beside))


def _rows(standing: Standing, found: SeasonPlayed, carried: Sequence[Column]) -> tuple[StandingRow, ...]:
    """Return the rows of a standing, whose people are keyed by name and id, with what is carried over."""
    beside = {player: {each.id: str(of[0]) for each in carried} for player, of in found.carried.items()}
    ranked = [
        StandingRow(
            _player(place.player),
            place.place,
            str(place.total),
            place.nights,
            beside.get(_player(place.player), {}) | {night: str(worth) for night, worth in place.worths.items()},
            place.struck,
        )
        for place in standing.places
    ]
    few = [StandingRow(_player(each.player), None, "", each.nights, {}, ()) for each in standing.unranked]
    return (*ranked, *few)


def _player(key: str) -> int:
    return int(key.rpartition("\0")[2])


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A player whose place changes; None is no place."""

    player: int
    before: int | None
    after: int | None


def moves(before: SeasonStanding, after: SeasonStanding) -> list[PlaceChange]:
    """Return the players whose places differ between two standings, in the order of the second."""
    places = {row.player: row.place for row in before.rows}
    found = [PlaceChange(row.player, places.get(row.player), row.place) for row in after.rows]
    return [move for move in found if move.before != move.after]


def differ(kept: SeasonStanding, now: SeasonStanding) -> bool:
    """Tell whether two standings have other people, places or totals."""
    people = {row.player for row in kept.rows} | {row.player for row in now.rows}
    if len(people) != len(kept.rows) or len(people) != len(now.rows):
        return True
    return _sums(kept) != _sums(now)


def _sums(standing: SeasonStanding) -> dict[int, tuple[int | None, str]]:
    return {row.player: (row.place, row.total) for row in standing.rows}


@dataclass(frozen=True, slots=True)
class Change:
    """A player whose place has changed since the night began; `passed` are those who were ahead and are behind now."""

    move: PlaceChange
    passed: tuple[int, ...]


def changes(before: SeasonStanding, now: SeasonStanding) -> list[Change]:
    """Return what the nights that go on have changed so far, best place first."""
    places = {row.player: row.place or len(before.rows) + 1 for row in before.rows}
    last = len(before.rows) + 1
    found_now = [(row.player, places.get(row.player, last), row.place) for row in now.ranked]
    found = []
    for player, was, now_at in found_now:
        passed = tuple(
            other for other, other_was, at in found_now if other_was < was and (at or last) > (now_at or last)
        )
        if passed or places.get(player) != now_at:
            found.append(Change(PlaceChange(player, places.get(player), now_at), passed))
    return found


def steps(count: int, most: int) -> list[int]:
    """Return after how many of `count` nights a season's course is shown: after each, or after `most` of them."""
    return sorted(range(1, count + 1) if count <= most else {round((i + 1) * count / most) for i in range(most)})
