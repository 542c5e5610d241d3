"""The columns of a season's standing beside place and name: each is declared here, and shown wherever it says.

Page, file, API, share link with its text and picture, screen and webhooks are made of them (docs/changing-things.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.models import Season
from games.services.history.exports import CSV, File, csv_parts
from games.services.seasons.frozen import Column, SeasonStanding, StandingRow

Value = int | str | None
"""A whole number, or an exact one as text ("25/2", "" for none)."""


class Shown(Flag):
    """The places where a column is shown."""

    LIST = auto()
    """The list of a season's page and of a share link, beside the name."""
    TABLE = auto()
    """The table of a season's page, before its nights."""
    PLACES = auto()
    """The short tables of a season's page: the season before, and both standings of a change of rules."""
    FILE = auto()
    API = auto()
    """The season's standing, and the share link's."""
    TEXT = auto()
    """The text of a share link for a messenger."""
    PICTURE = auto()
    TV = auto()
    MESSAGE = auto()
    """A webhook's message, and its text."""


@dataclass(frozen=True, slots=True)
class StandingColumn:
    """A column of a standing: the API's `key`, the heading, and how its value is read from a row.

    `words` says a value where no heading stands ("3 nights"); without it the number stands alone.
    """

    key: str
    label: str | Promise
    read: Callable[[StandingRow], Value]
    at: Shown
    words: Callable[[int], str] | None = None
    is_whole: bool = False

    def in_words(self, value: Value, number: Callable[[str], str] = str) -> str:
        """Return a value for readers; `number` writes an exact one."""
        if self.words is not None and isinstance(value, int):
            return self.words(value)
        return "" if value is None else number(str(value))


def nights_in_words(count: int) -> str:
    """Return a count of nights in words."""
    return ngettext("%(n)s night", "%(n)s nights", count) % {"n": count}


TOTAL = StandingColumn("total", _("Total"), lambda row: row.total, ~Shown.LIST)
NIGHTS = StandingColumn(
    "nights", _("Nights"), lambda row: row.nights, Shown.LIST | Shown.FILE | Shown.API, nights_in_words, is_whole=True
)
COLUMNS: list[StandingColumn] = [TOTAL, NIGHTS]
"""The columns in the order in which they are shown."""


def columns(at: Shown) -> list[StandingColumn]:
    """Return the columns that are shown at a place."""
    return [each for each in COLUMNS if at in each.at]


def further() -> list[StandingColumn]:
    """Return the columns that a ranking of a night has not: its rows have a total and how many times one played."""
    return [each for each in COLUMNS if each not in (TOTAL, NIGHTS)]


def values(row: StandingRow, at: Shown) -> dict[str, Value]:
    """Return the values of a row at a place, by the columns' keys."""
    return {each.key: each.read(row) for each in columns(at)}


def line(found: Mapping[str, Value], shown: Iterable[StandingColumn], number: Callable[[str], str] = str) -> str:
    """Return values, by the columns' keys, in words in one line."""
    return " · ".join(each.in_words(found[each.key], number) for each in shown if each.key in found)


def standing_csv(season: Season, standing: SeasonStanding, name_of: Callable[[int], str]) -> File:
    """Return the standing as CSV: a row a person, a column a night; struck nights stand in brackets."""
    head = [gettext("Place"), gettext("Name"), *(str(each.label) for each in columns(Shown.FILE))]
    head += map(_heading, standing.columns)
    name = slugify(season.name) or "season"
    return File(list(csv_parts(head, _lines(standing, name_of))), CSV, f"{name}-{season.last_day.isoformat()}.csv")


def _heading(column: Column) -> str:
    return gettext("carried over") if column.is_carried else column.day


def _lines(standing: SeasonStanding, name_of: Callable[[int], str]) -> Iterator[Sequence[Any]]:
    for row in standing.rows:
        worths = [_worth(row, column.id) for column in standing.columns]
        yield [row.place, name_of(row.player), *map(_cell, values(row, Shown.FILE).values()), *worths]


def _worth(row: StandingRow, night: str) -> int | float | str | None:
    worth = row.worths.get(night)
    if worth is None:
        return None
    return f"({_number(worth)})" if night in row.struck else _number(worth)


def _cell(value: Value) -> int | float | None:
    return _number(value) if isinstance(value, str) else value


def _number(exact: str) -> int | float | None:
    """Return an exact number as a cell: whole, or with six decimals."""
    if not exact:
        return None
    number = Fraction(exact)
    return int(number) if number.denominator == 1 else round(float(number), 6)
