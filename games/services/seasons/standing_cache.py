"""Standings kept as long as nothing that they are computed from changes.

Each season has a place for each of them in the cache, with the digest of the nights and rules that it was computed
from: a result, a correction, a night put in or another name makes another digest, so that nothing old is ever shown.
While a night goes on its results leave what was computed from the nights before as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.cache import cache

from games import json_text
from games.kernel.options import Values
from games.models import Season
from games.services.seasons import frozen, standings
from games.services.seasons.frozen import Column, SeasonStanding
from games.services.seasons.played import SeasonPlayed, is_by_matches, played, values_of, without_tonight
from games.services.seasons.season_nights import Placed
from games.services.seasons.standings import Change

SECONDS = 24 * 3600

Places = Mapping[str, "int | None"]
"""A player's id as text → place; None is no place."""


def season_standing(season: Season, found: SeasonPlayed | None = None) -> SeasonStanding:
    """Return the standing of a season, the frozen one of a closed season; `found` is what was played in it."""
    if season.frozen is not None:
        return frozen.from_json(season.frozen)
    return present(season, played(season) if found is None else found)


def present(season: Season, found: SeasonPlayed) -> SeasonStanding:
    """Return the standing as it is computed now, of a closed season too."""
    return _standing("now", season, found, found.columns, values_of(season))


def is_outdated(season: Season) -> bool:
    """Tell whether a closed season's standing would be another one if it were computed now."""
    if season.frozen is None:
        return False
    return standings.differ(frozen.from_json(season.frozen), present(season, played(season)))


def by_rules(season: Season, found: SeasonPlayed, options: Mapping[str, Any]) -> SeasonStanding:
    """Return the standing by a former version of the rules."""
    now, values = values_of(season), values_of(season, options)
    if values["who"] != now["who"] or is_by_matches(values) != is_by_matches(now):
        found = played(season, values=values)
    return _standing("by-rules", season, found, found.columns, values)


def tonight(season: Season, found: SeasonPlayed, placed: Sequence[Placed], now: SeasonStanding) -> list[Change]:
    """Return what the nights that go on have changed so far, best place first; [] while none goes on."""
    columns = without_tonight(found, placed)
    if len(columns) == len(found.columns):
        return []
    return standings.changes(_standing("before", season, found, columns, values_of(season)), now)


def course(season: Season, found: SeasonPlayed, now: SeasonStanding, most: int) -> list[Places]:
    """Return the places after each night, after at most so many of them; `now` is the standing after the last one."""
    ends, values = standings.steps(len(found.columns), most), values_of(season)

    def made() -> list[Places]:
        return [_places(standings.computed(season, found, columns=found.columns[:end])) for end in ends[:-1]]

    before: list[Places] = _kept("course", season, [ends, found.digest(found.columns[:-1])], values, made)
    return [*before, _places(now)]


def _places(standing: SeasonStanding) -> Places:
    return {str(row.player): row.place for row in standing.rows}


def _standing(
    what: str, season: Season, found: SeasonPlayed, columns: Sequence[Column], values: Values
) -> SeasonStanding:
    def made() -> Any:
        return frozen.to_json(standings.computed(season, found, values=values, columns=columns))

    return frozen.from_json(_kept(what, season, found.digest(columns), values, made))


def _kept(what: str, season: Season, content: object, values: Values, made: Callable[[], Any]) -> Any:
    """Return what is kept for a season, made anew if its content or rules have changed."""
    said = json_text.to_text([content, values, standings.lower_is_better(season), frozen.ROW_FIELDS])
    mark = hashlib.sha256(said.encode()).hexdigest()
    key = f"season-{what}-{season.pk}"
    kept = cache.get(key)
    if kept is not None and kept[0] == mark:
        return kept[1]
    found = made()
    cache.set(key, [mark, found], SECONDS)
    return found
