"""Games and matches of a season, from which its standing is computed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from games import json_text
from games.kernel.options import Values
from games.kernel.seasons import NightMatch, NightOfSeason, NightPoints, Number
from games.kernel.seasons.options import BY_MATCHES, SEASON_RULES
from games.models import Match, NightTally, Player, Result, Season, SeasonNotice
from games.services.house_rules.compatibility import fit
from games.services.seasons import season_nights
from games.services.seasons.frozen import Column
from games.services.seasons.season_nights import Placed
from games.services.seasons.sheet_names import SheetPoints, Sums, points_of

DAY_LENGTH = 10
"""The length of an ISO day, with which the id of each night begins."""
FEWEST_PEOPLE = 2
"""A night with fewer people counts for nothing."""

Pairing: TypeAlias = tuple[int, int, str]
"""Winner, loser and stage of a match."""


@dataclass(frozen=True, slots=True)
class SeasonPlayed:
    """Everything that counts in a season: its nights, and for each of them the points and games, or the matches.

    `notices` are byes and absences by player; `carried` are points of spreadsheets that belong to no night. `digests`
    has a digest of each night of `columns`, of its weight and of all that this says about it. A name of a spreadsheet
    that is nobody's is the negative id of its row.
    """

    columns: tuple[Column, ...]
    rows: Mapping[str, Sums]
    matches: Mapping[str, Sequence[Pairing]]
    notices: Mapping[str, Mapping[int, str]]
    carried: Sums
    names: Mapping[int, str]
    digests: Mapping[str, str]

    def digest(self, columns: Sequence[Column]) -> str:
        """Return a digest of what was played at some of the nights: another one when any of it changes."""
        nights = [(column.day, column.weight, column.nights, self.digests[column.id]) for column in columns]
        return _digest([_told(self.carried, self.names), *nights])

    def nights(self, columns: Sequence[Column]) -> list[NightOfSeason]:
        """Return nights as the standing is computed from them; players are keyed by name and id."""
        keys = self._keys()
        return [self._night(column, keys) for column in columns]

    def carried_rows(self) -> list[NightPoints]:
        """Return what is carried over as the standing is computed from it, keyed as `nights`."""
        keys = self._keys()
        return [NightPoints(keys[player], points, games) for player, (points, games) in self.carried.items()]

    def _keys(self) -> dict[int, str]:
        return {player_id: f"{name}\0{player_id}" for player_id, name in self.names.items()}

    def _night(self, column: Column, keys: Mapping[int, str]) -> NightOfSeason:
        rows = self.rows.get(column.id, {}).items()
        noted = self.notices.get(column.id, {}).items()
        return NightOfSeason(
            column.id,
            column.weight,
            tuple(NightPoints(keys[player], points, games) for player, (points, games) in rows if games),
            tuple(NightMatch(keys[won], keys[lost], stage) for won, lost, stage in self.matches.get(column.id, ())),
            tuple(keys[player] for player, kind in noted if kind == SeasonNotice.Kind.BYE),
            tuple(keys[player] for player, kind in noted if kind == SeasonNotice.Kind.ABSENT),
        )


def values_of(season: Season, options: Mapping[str, object] | None = None) -> Values:
    """Return complete values of a season's rules, or of a version of them, under the present declaration."""
    return fit(SEASON_RULES, season.preset, season.options if options is None else options).values


def is_by_matches(values: Mapping[str, object]) -> bool:
    """Tell whether matches make the standing under rules, and no other games."""
    return values["worth"] in BY_MATCHES


def counts(season: Season, result: Result) -> bool:
    """Tell whether a result is one of the season's game and unit, of its variants and media."""
    is_of_game = (result.game_id, result.unit) == (season.game_id, season.unit)
    is_ticked = result.preset in (season.presets or [result.preset])
    return is_of_game and is_ticked and result.medium in (season.media or [result.medium])


def played(season: Season, placed: Sequence[Placed] | None = None, values: Values | None = None) -> SeasonPlayed:
    """Return what counts in a season by its rules, or by given ones."""
    placed = season_nights.nights_of(season) if placed is None else placed
    values = values_of(season) if values is None else values
    ids = {each.night.pk: column_id(each) for each in placed}
    entrants = set(season.entrants.values_list("player", flat=True)) if values["who"] == "entrants" else None
    by_matches = is_by_matches(values)
    sheets = points_of(season, entrants, with_nights=not by_matches)
    rows = {} if by_matches else _with_sheets(_sums(season, ids, entrants), sheets)
    matches = _matches(season, ids, entrants) if by_matches else {}
    notices = _notices(season, ids, entrants, matches) if by_matches else {}
    people = {player for of_night in rows.values() for player in of_night}
    people |= {player for noted in notices.values() for player in noted}
    people |= {player for of_night in matches.values() for match in of_night for player in match[:2]}
    people |= set(sheets.carried)
    names = {**dict(Player.objects.filter(pk__in=people).values_list("pk", "nickname")), **sheets.names}
    days = {day.isoformat() for day in sheets.nights}
    there = {night: _there(rows, matches, notices, night) for night in {*ids.values(), *days}}
    columns = _columns(placed, days, there)
    found = SeasonPlayed(columns, rows, matches, notices, sheets.carried, names, {})
    return replace(found, digests={each.id: _digest_of(found, each) for each in columns})


def _sums(
    season: Season, ids: Mapping[int, str], entrants: set[int] | None
) -> dict[str, dict[int, tuple[Number, int]]]:
    """Return points and games by night of the season and player, of entrants alone where these are given."""
    tallies = NightTally.objects.filter(night__in=ids, game_id=season.game_id, unit=season.unit)
    if season.presets:
        tallies = tallies.filter(preset__in=season.presets)
    if season.media:
        tallies = tallies.filter(medium__in=season.media)
    if entrants is not None:
        tallies = tallies.filter(player__in=entrants)
    sums: dict[str, dict[int, tuple[Number, int]]] = defaultdict(dict)
    for night_id, player_id, points, games in tallies.values_list("night", "player", "points", "played"):
        of_night = sums[ids[night_id]]
        before = of_night.get(player_id, (0, 0))
        of_night[player_id] = (before[0] + points, before[1] + games)
    return sums


def _with_sheets(
    sums: dict[str, dict[int, tuple[Number, int]]], sheets: SheetPoints
) -> dict[str, dict[int, tuple[Number, int]]]:
    """Add the nights of spreadsheets to those of the house; of one day they are one night."""
    for day, of_day in sheets.nights.items():
        of_night = sums.setdefault(day.isoformat(), {})
        for player, (points, games) in of_day.items():
            before = of_night.get(player, (0, 0))
            of_night[player] = (before[0] + points, before[1] + games)
    return sums


def _matches(season: Season, ids: Mapping[int, str], entrants: set[int] | None) -> dict[str, list[Pairing]]:
    """Return the matches by night of the season, of the ticked variants, between entrants alone where these count."""
    stages = dict(season.stages.values_list("match", "stage"))
    rows = Match.objects.filter(table__night__in=ids, table__game_id=season.game_id)
    if season.presets:
        rows = rows.filter(table__preset__in=season.presets)
    found: dict[str, list[Pairing]] = defaultdict(list)
    for pk, night_id, won, lost in rows.values_list("pk", "table__night", "winner", "loser"):
        if entrants is None or {won, lost} <= entrants:
            found[ids[night_id]].append((won, lost, stages.get(pk, "")))
    return found


def _notices(
    season: Season, ids: Mapping[int, str], entrants: set[int] | None, matches: Mapping[str, Sequence[Pairing]]
) -> dict[str, dict[int, str]]:
    """Return byes and absences by night and player; who played a match after all was not absent."""
    there = {night: {player for match in of_night for player in match[:2]} for night, of_night in matches.items()}
    found: dict[str, dict[int, str]] = defaultdict(dict)
    rows = season.notices.filter(night__in=ids).order_by("pk")
    for night_id, player, kind in rows.values_list("night", "player", "kind"):
        was_there = kind == SeasonNotice.Kind.ABSENT and player in there.get(ids[night_id], ())
        if not was_there and (entrants is None or player in entrants):
            found[ids[night_id]][player] = kind
    return found


def _there(
    rows: Mapping[str, Sums],
    matches: Mapping[str, Sequence[Pairing]],
    notices: Mapping[str, Mapping[int, str]],
    night: str,
) -> int:
    """Return how many people were at a night: by a game, a match or a bye."""
    there = {player for player, (_, games) in rows.get(night, {}).items() if games}
    there |= {player for match in matches.get(night, ()) for player in match[:2]}
    return len(there | {player for player, kind in notices.get(night, {}).items() if kind == SeasonNotice.Kind.BYE})


def _digest_of(found: SeasonPlayed, column: Column) -> str:
    names = found.names
    sums = _told(found.rows.get(column.id, {}), names)
    matches = [(names[won], won, names[lost], lost, stage) for won, lost, stage in found.matches.get(column.id, ())]
    notices = [(names[player], player, kind) for player, kind in sorted(found.notices.get(column.id, {}).items())]
    return _digest([column.weight, sums, matches, notices])


def _told(sums: Sums, names: Mapping[int, str]) -> list[tuple[str, int, str, int]]:
    """Return sums as JSON can say them."""
    return [(names[player], player, str(points), games) for player, (points, games) in sorted(sums.items())]


def _digest(value: object) -> str:
    return hashlib.sha256(json_text.to_text(value).encode()).hexdigest()


def column_id(placed: Placed) -> str:
    """Return the id of the night of the season that a night belongs to."""
    day = placed.night.day.isoformat()
    return f"{day}.{placed.part}" if placed.part else day


def _columns(placed: Sequence[Placed], days: Collection[str], people: Mapping[str, int]) -> tuple[Column, ...]:
    """Return the nights that count, those of one day and part as one with the highest weight.

    `days` are those of nights in spreadsheets.
    """
    joined: dict[str, list[Placed]] = {day: [] for day in days}
    for each in placed:
        joined.setdefault(column_id(each), []).append(each)
    return tuple(
        Column(
            night_id,
            night_id[:DAY_LENGTH],
            max((each.weight for each in parts), default=1),
            tuple(each.night.public_id for each in parts),
        )
        for night_id, parts in sorted(joined.items(), key=lambda night: _order(night[0]))
        if people[night_id] >= FEWEST_PEOPLE
    )


def _order(night_id: str) -> tuple[str, int]:
    """Return the place of a night in its season: by its day, then by the part of the day."""
    return night_id[:DAY_LENGTH], int(night_id[DAY_LENGTH + 1 :] or 0)


def without_tonight(found: SeasonPlayed, placed: Sequence[Placed]) -> tuple[Column, ...]:
    """Return the nights that count without those that go on."""
    open_ids = {column_id(each) for each in placed if each.night.closed_at is None and not each.night.is_past}
    return tuple(column for column in found.columns if column.id not in open_ids)
