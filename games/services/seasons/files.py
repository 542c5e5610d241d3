"""A season's standing as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.models import Season
from games.services.history.exports import CSV, File, csv_parts
from games.services.seasons.frozen import Column, SeasonStanding, StandingRow


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
