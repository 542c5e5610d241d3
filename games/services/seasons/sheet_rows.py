"""Rows of a season's spreadsheets as its standing counts them, and what they ask of its rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from games.kernel.contract import Illegal
from games.kernel.seasons import Number
from games.models import Season, SheetRow

Sums = Mapping[int, tuple[Number, int]]
"""Points and games by player; a name that is nobody's is the negative id of its row."""


@dataclass(frozen=True, slots=True)
class SheetPoints:
    """The points of a season's spreadsheets by night and carried over, with the texts of names that are nobody's."""

    nights: Mapping[date, Sums]
    carried: Sums
    names: Mapping[int, str]


def points_of(season: Season, entrants: set[int] | None, *, with_nights: bool) -> SheetPoints:
    """Return the points of a season's spreadsheets, of entrants alone where these are given.

    A row of a night without games counts as one game. Where matches count no nights are taken (`with_nights`).
    """
    nights: dict[date, dict[int, tuple[Number, int]]] = defaultdict(dict)
    carried: dict[int, tuple[Number, int]] = {}
    names: dict[int, str] = {}
    rows = SheetRow.objects.filter(sheet__season=season, sheet__is_in=True).order_by("day", "pk")
    about = rows.values_list("day", "points", "games", "name", "name__name", "name__player")
    for day, points, games, name_id, text, player_id in about:
        key = -name_id if player_id is None else player_id
        if (day is not None and not with_nights) or (entrants is not None and key not in entrants):
            continue
        sums = carried if day is None else nights[day]
        before = sums.get(key, (0, 0))
        sums[key] = (_plain(before[0] + Fraction(points)), before[1] + (games or (0 if day is None else 1)))
        if player_id is None:
            names[key] = text
    return SheetPoints(nights, carried, names)


def _plain(number: Fraction) -> Number:
    return number.numerator if number.denominator == 1 else number


def check_rules(season: Season, worth: object, *, lacks_games: bool | None = None) -> None:
    """Raise `sheet_no_games` where points per game count and the spreadsheets, or a new one, have no games."""
    if lacks_games is None:
        lacks_games = SheetRow.objects.filter(sheet__season=season, sheet__is_in=True, games=None).exists()
    if worth == "per_game" and lacks_games:
        raise Illegal("sheet_no_games")
