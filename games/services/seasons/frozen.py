"""The frozen standing of a closed season, as JSON: people by their ids, nights by their days."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from games.kernel.contract import JsonObject
from games.models import Season

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


ROW_FIELDS = tuple(field.name for field in fields(StandingRow))
"""The names of the fields of a kept row."""


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
