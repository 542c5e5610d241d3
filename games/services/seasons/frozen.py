"""The frozen standing of a closed season, as JSON: people by their ids, nights by their days.

A season's standing as a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date
from fractions import Fraction
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.kernel.contract import JsonObject
from games.models import Season
from games.services.history.exports import CSV, File, csv_parts

CARRIED = ".carried"


@dataclass(frozen=True, slots=True)
class Column:
    """A night of a season: `id`, its day as ISO text, its weight, and its nights by public id."""

    id: str
    day: str
    weight: int
    nights: tuple[str, ...]

    @classmethod
    def carried(cls, first_day: date) -> Column:
        """Return the column of what spreadsheets carried over: no night, before the first day of the season."""
        return cls(f"{first_day.isoformat()}{CARRIED}", first_day.isoformat(), 1, ())

    @property
    def is_carried(self) -> bool:
        """Tell whether this is what was carried over."""
        return self.id.endswith(CARRIED)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player in a season's standing. `place` is None for who was there too seldom.

    `total` and the worth of each night are exact, as text ("25/2"); `struck` are the nights that do not count.
    """

    player: int
    place: int | None
    total: str
    nights: int
    worths: dict[str, str]
    struck: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A season's standing: its nights and rows; `beside` has points without a game, (player, night, points)."""

    columns: tuple[Column, ...]
    rows: tuple[StandingRow, ...]
    beside: tuple[tuple[int, str, int], ...]

    @property
    def ranked(self) -> list[StandingRow]:
        """The rows that have a place."""
        return [row for row in self.rows if row.place is not None]


def to_json(standing: SeasonStanding) -> JsonObject:
    """Return a standing as it is kept."""
    return {
        "columns": [_fields(column) for column in standing.columns],
        "rows": [_fields(row) for row in standing.rows],
        "beside": [list(each) for each in standing.beside],
    }


def _fields(part: Column | StandingRow) -> JsonObject:
    return {field.name: getattr(part, field.name) for field in fields(part)}


def from_json(kept: Any) -> SeasonStanding:
    """Return a kept standing."""
    columns = tuple(Column(**{**each, "nights": tuple(each["nights"])}) for each in kept["columns"])
    rows = tuple(StandingRow(**{**each, "struck": tuple(each["struck"])}) for each in kept["rows"])
    return SeasonStanding(columns, rows, tuple((each[0], each[1], each[2]) for each in kept["beside"]))


def rename(source: int, target: int) -> None:
    """Change a player's id in all frozen standings, when the player is merged into another one."""
    for season in Season.objects.filter(frozen__isnull=False):
        kept: Any = season.frozen
        rows = [each for each in kept["rows"] if each["player"] == source]
        beside = [each for each in kept["beside"] if each[0] == source]
        if not rows and not beside:
            continue
        for row in rows:
            row["player"] = target
        for each in beside:
            each[0] = target
        season.save(update_fields=["frozen"])


def standing_csv(season: Season, standing: SeasonStanding, name_of: Callable[[int], str]) -> File:
    """Return the standing as CSV: a row a person, a column a night; struck nights stand in brackets."""
    head = [_("Place"), _("Name"), _("Total"), _("Nights"), *map(_heading, standing.columns)]
    name = slugify(season.name) or "season"
    return File(list(csv_parts(head, _lines(standing, name_of))), CSV, f"{name}-{season.last_day.isoformat()}.csv")


def _heading(column: Column) -> str:
    return _("carried over") if column.is_carried else column.day


def _lines(standing: SeasonStanding, name_of: Callable[[int], str]) -> Iterator[Sequence[Any]]:
    for row in standing.rows:
        worths = [_worth(row, column.id) for column in standing.columns]
        yield [row.place, name_of(row.player), _number(row.total), row.nights, *worths]


def _worth(row: StandingRow, night: str) -> int | float | str | None:
    worth = row.worths.get(night)
    if worth is None:
        return None
    return f"({_number(worth)})" if night in row.struck else _number(worth)


def _number(exact: str) -> int | float | None:
    """Return an exact number as a cell: whole, or with six decimals."""
    if not exact:
        return None
    number = Fraction(exact)
    return int(number) if number.denominator == 1 else round(float(number), 6)
