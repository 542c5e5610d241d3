"""A season's standing: computed from the nights' tallies while it is open, frozen when it is closed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games import plugin
from games.kernel.options import Values
from games.kernel.seasons import Row, SeasonNight, Standing, standing_of
from games.kernel.seasons.options import SEASON_RULES, rules_of
from games.models import NightTally, Player, Season
from games.services.house_rules.compatibility import fit
from games.services.seasons import frozen, season_nights
from games.services.seasons.frozen import Column, SeasonStanding, StandingRow
from games.services.seasons.season_nights import Placed

FEWEST_PEOPLE = 2
"""A night with fewer people counts for nothing."""


def values_of(season: Season, options: Mapping[str, Any] | None = None) -> Values:
    """Return complete values of a season's rules, or of a version of them, under the present declaration."""
    return fit(SEASON_RULES, season.preset, season.options if options is None else options).values


def lower_is_better(season: Season) -> bool:
    """Tell whether fewer points are better; a game that is not installed any more counts as one where more are."""
    game = plugin.all_games().get(season.game_id)
    return game is not None and game.lower_is_better


@dataclass(frozen=True, slots=True)
class Played:
    """The games played in a season: its nights, and each one's points and games by player."""

    columns: tuple[Column, ...]
    rows: Mapping[str, Mapping[int, tuple[int, int]]]
    names: Mapping[int, str]


def season_standing(season: Season) -> SeasonStanding:
    """Return the standing of a season: the frozen one of a closed season."""
    return frozen.from_json(season.frozen) if season.frozen is not None else computed(season, played(season))


def played(season: Season, placed: Sequence[Placed] | None = None) -> Played:
    """Return what was played in a season."""
    placed = season_nights.nights_of(season) if placed is None else placed
    by_night = {each.night.pk: each for each in placed}
    tallies = NightTally.objects.filter(night__in=by_night, game_id=season.game_id, unit=season.unit)
    if season.presets:
        tallies = tallies.filter(preset__in=season.presets)
    if season.media:
        tallies = tallies.filter(medium__in=season.media)
    if values_of(season)["who"] == "entrants":
        tallies = tallies.filter(player__in=season.entrants.values("player"))
    sums: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    for night_id, player_id, points, games in tallies.values_list("night", "player", "points", "played"):
        of_night = sums[_id(by_night[night_id])]
        before = of_night.get(player_id, (0, 0))
        of_night[player_id] = (before[0] + points, before[1] + games)
    people = {player_id for of_night in sums.values() for player_id in of_night}
    names = dict(Player.objects.filter(pk__in=people).values_list("pk", "nickname"))
    return Played(_columns(placed, sums), sums, names)


def _id(placed: Placed) -> str:
    """Return the id of the night of the season that a night belongs to."""
    day = placed.night.day.isoformat()
    return f"{day}.{placed.part}" if placed.part else day


def _columns(placed: Sequence[Placed], sums: Mapping[str, Mapping[int, tuple[int, int]]]) -> tuple[Column, ...]:
    """Return the nights that count, those of one day and part as one with the highest weight."""
    joined: dict[str, list[Placed]] = defaultdict(list)
    for each in placed:
        joined[_id(each)].append(each)
    return tuple(
        Column(
            night_id,
            parts[0].night.day.isoformat(),
            max(each.weight for each in parts),
            tuple(each.night.public_id for each in parts),
        )
        for night_id, parts in joined.items()
        if sum(games > 0 for _, games in sums.get(night_id, {}).values()) >= FEWEST_PEOPLE
    )


def computed(
    season: Season,
    found: Played,
    *,
    values: Values | None = None,
    columns: Sequence[Column] | None = None,
) -> SeasonStanding:
    """Return the standing computed from what was played, by given rules, and of some of the nights alone."""
    columns = found.columns if columns is None else columns
    keys = {player_id: f"{name}\0{player_id}" for player_id, name in found.names.items()}
    nights = [
        SeasonNight(
            column.id,
            column.weight,
            tuple(
                Row(keys[player], points, games) for player, (points, games) in found.rows[column.id].items() if games
            ),
        )
        for column in columns
    ]
    values = values_of(season) if values is None else values
    standing = standing_of(rules_of(values, lower_is_better=lower_is_better(season)), nights)
    beside = [
        (player, column.id, points)
        for column in columns
        for player, (points, games) in found.rows[column.id].items()
        if points and not games
    ]
    return SeasonStanding(tuple(columns), _rows(standing), tuple(beside))


def _rows(standing: Standing) -> tuple[StandingRow, ...]:
    """Return the rows of a standing; its people are keyed by name and id."""
    ranked = [
        StandingRow(
            _player(place.player),
            place.place,
            str(place.total),
            place.nights,
            {night: str(worth) for night, worth in place.worths.items()},
            place.struck,
        )
        for place in standing.places
    ]
    few = [StandingRow(_player(each.player), None, "", each.nights, {}, ()) for each in standing.unranked]
    return (*ranked, *few)


def _player(key: str) -> int:
    return int(key.rpartition("\0")[2])


@dataclass(frozen=True, slots=True)
class Move:
    """A player whose place changes; None is no place."""

    player: int
    before: int | None
    after: int | None


def moves(before: SeasonStanding, after: SeasonStanding) -> list[Move]:
    """Return the players whose places differ between two standings, in the order of the second."""
    places = {row.player: row.place for row in before.rows}
    found = [Move(row.player, places.get(row.player), row.place) for row in after.rows]
    return [move for move in found if move.before != move.after]


def is_outdated(season: Season) -> bool:
    """Tell whether a closed season's standing would be another one if it were computed now."""
    if season.frozen is None:
        return False
    kept, now = season_standing(season), computed(season, played(season))
    people = {row.player for row in kept.rows} | {row.player for row in now.rows}
    if len(people) != len(kept.rows) or len(people) != len(now.rows):
        return True
    return _sums(kept) != _sums(now)


def _sums(standing: SeasonStanding) -> dict[int, tuple[int | None, str]]:
    return {row.player: (row.place, row.total) for row in standing.rows}


@dataclass(frozen=True, slots=True)
class Change:
    """A player whose place has changed since the night began; `passed` are those who were ahead and are behind now."""

    move: Move
    passed: tuple[int, ...]


def tonight(season: Season, found: Played, placed: Sequence[Placed], now: SeasonStanding) -> list[Change]:
    """Return what the nights that go on have changed so far, best place first; [] while none goes on."""
    open_ids = {_id(each) for each in placed if each.night.closed_at is None and not each.night.is_past}
    before_columns = [column for column in found.columns if column.id not in open_ids]
    if len(before_columns) == len(found.columns):
        return []
    before = computed(season, found, columns=before_columns)
    places = {row.player: row.place or len(before.rows) + 1 for row in before.rows}
    last = len(before.rows) + 1
    found_now = [(row.player, places.get(row.player, last), row.place) for row in now.ranked]
    changes = []
    for player, was, now_at in found_now:
        passed = tuple(
            other for other, other_was, at in found_now if other_was < was and (at or last) > (now_at or last)
        )
        if passed or places.get(player) != now_at:
            changes.append(Change(Move(player, places.get(player), now_at), passed))
    return changes


def course(season: Season, found: Played, most: int) -> list[SeasonStanding]:
    """Return the standings after each night, after at most so many of them with many nights."""
    count = len(found.columns)
    ends = range(1, count + 1) if count <= most else {round((i + 1) * count / most) for i in range(most)}
    return [computed(season, found, columns=found.columns[:end]) for end in sorted(ends)]
