"""The meanings of a table's columns, guessed and as an organiser says, and the points that they give."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any

import regex

from games.kernel.contract import Illegal, JsonObject
from games.models.sheet import LONGEST_NAME
from games.services.people import players
from games.services.sheets import cells
from games.services.sheets.cells import Days
from games.services.sheets.grids import Grid

KINDS = ("name", "points", "night", "day", "games", "")
"""The meanings of a column; "" is left out. The points of a `night` column are those of one night."""
MOST_NAMES = 300
MOST_ENTRIES = 20_000
MOST_GAMES = 10_000
SAMPLE = 500
"""So many cells of a column tell what it means."""
_UNSEEN = regex.compile(r"[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]")
"""Marks of direction, and others that are not seen, which come along when names are copied into a spreadsheet."""

_WORDS: Mapping[str, frozenset[str]] = {
    "name": frozenset(("name", "names", "spieler", "spielerin", "player", "players", "navn", "spiller", "wer", "who")),
    "points": frozenset(
        ("points", "total", "sum", "score", "punkte", "summe", "gesamt", "stand", "poeng", "totalt", "sammenlagt")
    ),
    "games": frozenset(("games", "played", "spiele", "partien", "gespielt", "spill", "partier", "spilt")),
    "day": frozenset(("day", "date", "night", "tag", "datum", "abend", "dag", "dato", "kveld")),
    "": frozenset(("place", "rank", "no", "nr", "#", "nights", "platz", "rang", "abende", "plass", "plassering")),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """The meaning of each column; `days` has the day of each night column by its index, `has_head`: it has headings.

    `comma`: the numbers have a decimal comma, as the organiser says; None: as they look.
    """

    kinds: tuple[str, ...]
    days: Mapping[int, date]
    has_head: bool
    comma: bool | None = None

    def to_json(self) -> JsonObject:
        """Return the columns as they are kept."""
        days = {str(index): day.isoformat() for index, day in self.days.items()}
        return {"kinds": list(self.kinds), "days": days, "has_head": self.has_head, "comma": self.comma}

    @classmethod
    def from_json(cls, kept: Any) -> Columns:
        """Return kept columns."""
        days = {int(index): date.fromisoformat(day) for index, day in kept["days"].items()}
        return cls(tuple(kept["kinds"]), days, kept["has_head"], kept.get("comma"))

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


def guessed(grid: Grid, within: Days) -> Columns:
    """Return what the columns of a table seem to mean, in a season of these days."""
    comma = cells.is_comma_decimal(cell for row in grid for cell in row)
    head = [_word(cell) for cell in grid[0]]
    month_first = cells.is_month_first(grid[0], within)
    found = ((index, cells.day(cell, within, month_first=month_first)) for index, cell in enumerate(grid[0]))
    days = {index: day for index, day in found if day is not None}
    has_words = any(head[index] is not None for index in range(len(head)))
    has_head = has_words or len(days) > 1 or not any(_is_number(cell, comma) for cell in grid[0][1:])
    if not has_head or len(grid) == 1:
        head, days, has_head = [None] * len(head), {}, False
    body = grid[1:] if has_head else grid
    kinds = [
        word
        if word is not None
        else "night"
        if index in days or (has_head and cells.is_like_day(grid[0][index]))
        else _by_contents([row[index] for row in body], comma, within)
        for index, word in enumerate(head)
    ]
    return Columns(_once(kinds), {i: day for i, day in days.items() if kinds[i] == "night"}, has_head)


def _word(cell: str) -> str | None:
    """Return the kind that a heading names; None for any other text."""
    text = cell.casefold().strip(" .:")
    return next((kind for kind, words in _WORDS.items() if text in words), None)


def _is_number(cell: str, comma: bool) -> bool:
    return cells.number(cell, comma=comma) is not None


def _by_contents(column: list[str], comma: bool, within: Days) -> str:
    """Return the likely meaning of a column, by the kind of most of its first cells."""
    filled = list(islice((cell for cell in column if cell not in cells.NOTHING), SAMPLE))
    if filled and all(cells.is_serial_day(cell, within) for cell in filled):
        # Points are never all within one season.
        return "day"
    if 2 * sum(_is_number(cell, comma) for cell in filled) > len(filled):
        return "points"
    month_first = cells.is_month_first(filled, within)
    if 2 * sum(cells.day(cell, within, month_first=month_first) is not None for cell in filled) > len(filled):
        return "day"
    return "name" if filled else ""


def _once(kinds: list[str]) -> tuple[str, ...]:
    """Return kinds with what there is once at most: the first name, day and games; points by the last such column."""
    has_nights = "night" in kinds
    for kind, keeps in (("name", 0), ("day", 0), ("games", 0), ("points", -1)):
        found = [index for index, each in enumerate(kinds) if each == kind]
        kept = [] if not found or (has_nights and kind != "name") else [found[keeps]]
        for index in found:
            kinds[index] = kind if index in kept else ""
    return tuple(kinds)


def _numbers(grid: Grid, columns: Columns) -> list[str]:
    """Return the cells of points of a table."""
    places = [*columns.of("night"), *columns.of("points")]
    return [row[index] for row in (grid[1:] if columns.has_head else grid) for index in places]


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
    body = grid[1:] if columns.has_head else grid
    comma = has_comma(grid, columns)
    (named,) = columns.of("name")
    nights, points = columns.of("night"), columns.of("points")
    day_at, games_at = columns.of("day"), columns.of("games")
    month_first = cells.is_month_first((row[index] for row in body for index in day_at), within)
    for row in body:
        if not row[named]:
            continue
        name = clean_name(row[named])
        for index in (*nights, *points):
            if row[index] in cells.NOTHING:
                continue
            value = cells.number(row[index], comma=comma)
            if value is None:
                raise Illegal("sheet_number", name=name, text=row[index][:40])
            day = columns.days.get(index) if index in nights else _day(row, day_at, name, within, month_first)
            yield EnteredPoints(name, day, value, _games(row, games_at, name, comma))


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
