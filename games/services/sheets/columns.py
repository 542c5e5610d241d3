"""The meanings of a table's columns, as an organiser says, and the points that they give; sums are compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import regex

from games.kernel.contract import Illegal, JsonObject
from games.models.sheet import LONGEST_NAME
from games.services.people import players
from games.services.sheets import cells
from games.services.sheets.cells import Days
from games.services.sheets.grids import Grid

KINDS = ("name", "points", "night", "day", "games", "sum", "")
"""The meanings of a column; "" is left out. The points of a `night` column are those of one night, those of a `sum`
column are compared with them and left out.
"""
MOST_NAMES = 300
MOST_ENTRIES = 20_000
MOST_GAMES = 10_000
_UNSEEN = regex.compile(r"[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]")
"""Marks of direction, and others that are not seen, which come along when names are copied into a spreadsheet."""

SUMS = frozenset(
    ("sum", "sums", "total", "totals", "summe", "summen", "gesamt", "gesamtsumme", "quersumme", "kontrolle", "check")
) | frozenset(("sum", "totalt", "sammenlagt", "til sammen", "kontroll", "somme", "totale", "totaux", "\u03a3"))
"""Names of rows that no person has: the sums of all."""


def plain(text: str) -> str:
    """Return a heading, or the name of a row, without case and marks around it."""
    return text.casefold().strip(" .:=*")


@dataclass(frozen=True, slots=True)
class Columns:
    """The meaning of each column; `days` has the day of each night column by its index.

    `head` is the index of the row of headings, None for a table without; rows above it are titles. `comma`: the numbers
    have a decimal comma, as the organiser says; None: as they look.
    """

    kinds: tuple[str, ...]
    days: Mapping[int, date]
    head: int | None
    comma: bool | None = None

    def to_json(self) -> JsonObject:
        """Return the columns as they are kept."""
        days = {str(index): day.isoformat() for index, day in self.days.items()}
        return {"kinds": list(self.kinds), "days": days, "head": self.head, "comma": self.comma}

    @classmethod
    def from_json(cls, kept: Any) -> Columns:
        """Return kept columns."""
        days = {int(index): date.fromisoformat(day) for index, day in kept["days"].items()}
        return cls(tuple(kept["kinds"]), days, kept.get("head"), kept.get("comma"))

    def body(self, grid: Grid) -> Grid:
        """Return the rows of a table below its headings."""
        return grid if self.head is None else grid[self.head + 1 :]

    def of(self, kind: str) -> list[int]:
        """Return the indices of the columns of a kind."""
        return [index for index, each in enumerate(self.kinds) if each == kind]


@dataclass(frozen=True, slots=True)
class EnteredPoints:
    """The points of a name at a night; without a `day` they are carried over. `games` is None if the table has none."""

    name: str
    day: date | None
    points: Decimal
    games: int | None


def _numbers(grid: Grid, columns: Columns) -> list[str]:
    """Return the cells of points of a table."""
    places = [*columns.of("night"), *columns.of("points"), *columns.of("sum")]
    return [row[index] for row in columns.body(grid) for index in places]


def has_comma(grid: Grid, columns: Columns) -> bool:
    """Tell whether the points of a table have a decimal comma: as the organiser says, else as they look."""
    return cells.is_comma_decimal(_numbers(grid, columns)) if columns.comma is None else columns.comma


def unsure_number(grid: Grid, columns: Columns) -> str:
    """Return a number of a table of which it is to be asked whether its mark is a decimal one, "" for none."""
    numbers = _numbers(grid, columns)
    return next((each for each in numbers if cells.is_unsure([each])), "") if cells.is_unsure(numbers) else ""


def check(columns: Columns, width: int) -> None:
    """Raise Illegal `sheet_columns`, `sheet_days` unless columns of a table of this width give points.

    That is one name, and either nights, each with another day, or one column of points with a day and games at most.
    """
    kinds = columns.kinds
    counts = {kind: kinds.count(kind) for kind in KINDS}
    nights = counts["night"]
    single = all(counts[kind] <= 1 for kind in ("points", "day", "games"))
    beside = counts["points"] + counts["day"] + counts["games"]
    fits = single and (not beside if nights else counts["points"] == 1)
    if len(kinds) != width or not set(kinds) <= set(KINDS) or counts["name"] != 1 or not fits:
        raise Illegal("sheet_columns")
    days = [columns.days.get(index) for index in columns.of("night")]
    if None in days or len(set(days)) < len(days):
        raise Illegal("sheet_days")


def entries(grid: Grid, columns: Columns, within: Days) -> list[EnteredPoints]:
    """Return the points of a table in a season of these days; rows without a name are left out.

    Raises Illegal `sheet_number`, `sheet_day`, `sheet_name`, `sheet_name_twice`, `sheet_names`, `sheet_rows`,
    `sheet_nothing`, and as `check`.
    """
    check(columns, len(grid[0]))
    found: dict[tuple[str, date | None], EnteredPoints] = {}
    spelt: dict[str, str] = {}
    for entry in _entries(grid, columns, within):
        name = spelt.setdefault(entry.name.casefold(), entry.name)
        key = (name, entry.day)
        if entry.day is not None and not within[0] <= entry.day <= within[1]:
            raise Illegal("sheet_outside", day=entry.day.isoformat())
        if key in found:
            raise Illegal("sheet_name_twice", name=name)
        found[key] = EnteredPoints(name, entry.day, entry.points, entry.games)
        if len(spelt) > MOST_NAMES or len(found) > MOST_ENTRIES:
            raise Illegal("sheet_names", names=MOST_NAMES, cells=MOST_ENTRIES)
    if not found:
        raise Illegal("sheet_nothing")
    return list(found.values())


def _entries(grid: Grid, columns: Columns, within: Days) -> Iterator[EnteredPoints]:
    comma = has_comma(grid, columns)
    nights, points = columns.of("night"), columns.of("points")
    day_at, games_at = columns.of("day"), columns.of("games")
    rows = list(people_rows(grid, columns))
    month_first = cells.is_month_first((row[index] for row in rows for index in day_at), within)
    for row in rows:
        for index in (*nights, *points):
            if row[index] in cells.NOTHING:
                continue
            name = clean_name(row[columns.kinds.index("name")])
            value = cells.number(row[index], comma=comma)
            if value is None:
                raise Illegal("sheet_number", name=name, text=row[index][:40])
            day = columns.days.get(index) if index in nights else _day(row, day_at, name, within, month_first)
            yield EnteredPoints(name, day, value, _games(row, games_at, name, comma))


def people_rows(grid: Grid, columns: Columns) -> Iterator[list[str]]:
    """Yield the rows of people: without those of sums, and with what a merged cell says of the rows below it, too.

    Where a column has the days, an empty day is that of the row above, and an empty name beside a day, too.
    """
    (named,), dated = columns.of("name"), columns.of("day")
    above = dict.fromkeys((named, *dated), "")
    for row in columns.body(grid):
        if is_of_sums(row, named):
            continue
        own = {index: row[index] for index in above}
        is_dated = any(row[index] for index in dated)
        merged = (index for index in above if not row[index] and (is_dated or index != named))
        own |= {index: above[index] for index in merged}
        above = {index: text or above[index] for index, text in own.items()}
        if own[named]:
            yield [own.get(index, cell) for index, cell in enumerate(row)]


def is_of_sums(row: list[str], named: int) -> bool:
    """Tell whether a row has the sums of all instead of somebody's points."""
    return plain(row[named]) in SUMS


@dataclass(frozen=True, slots=True)
class SumDifference:
    """A sum in a table that is another one than that of the points beside it; `text` is the sum as it stands there."""

    name: str
    text: str
    points: Decimal


def differences(grid: Grid, columns: Columns) -> list[SumDifference]:
    """Return the people whose sum in a table is another one than the points of its nights give."""
    comma = has_comma(grid, columns)
    nights, sums = columns.of("night"), columns.of("sum")
    found = []
    for row in people_rows(grid, columns) if nights else ():
        points = sum((cells.number(row[at], comma=comma) or Decimal() for at in nights), Decimal())
        stated = ((row[at], cells.number(row[at], comma=comma)) for at in sums if row[at] not in cells.NOTHING)
        name = row[columns.kinds.index("name")]
        found += [SumDifference(name, text, points) for text, value in stated if value is not None and value != points]
    return found


def _day(row: list[str], at: list[int], name: str, within: Days, month_first: bool) -> date | None:
    if not at:
        return None
    day = cells.day(row[at[0]], within, month_first=month_first)
    if day is None:
        raise Illegal("sheet_day", name=name, text=row[at[0]][:40])
    return day


def _games(row: list[str], at: list[int], name: str, comma: bool) -> int | None:
    if not at:
        return None
    value = cells.number(row[at[0]], comma=comma)
    if value is None or value != value.to_integral_value() or not 1 <= value <= MOST_GAMES:
        raise Illegal("sheet_games", name=name, text=row[at[0]][:40])
    return int(value)


def clean_name(raw: str) -> str:
    """Return a name of a table in NFKC with single spaces, without what is not seen; raises Illegal `sheet_name`."""
    name = " ".join(_UNSEEN.sub("", unicodedata.normalize("NFKC", raw)).split())
    if not name or len(name) > LONGEST_NAME or not players.is_plain(name):
        raise Illegal("sheet_name", longest=LONGEST_NAME, name=name[:LONGEST_NAME])
    return name
