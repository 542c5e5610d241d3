"""Cells of a spreadsheet: numbers and days as people and programs write them in our languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import TypeAlias

Days: TypeAlias = tuple[date, date]
"""The first and the last day of a season."""

LARGEST = 1_000_000
LONGEST_NUMBER = 24
PLACES = Decimal("0.0001")
"""Points are kept with four decimals."""
NOTHING = {"", "-", "\u2013", "\u2014", "\u2212"}
"""Cells of a night that somebody was not at."""

_SPACES = str.maketrans({"\u2212": "-", " ": None, "\u00a0": None, "\u202f": None, "'": None, "\u2019": None})
_WITH_COMMA = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+)(?:,[0-9]+)?")
_WITH_POINT = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?")
_SURE = re.compile(r"[+-]?[0-9.,]*(?P<mark>[.,])(?:[0-9]{1,2}|[0-9]{4,})")
_COMMA_AND_THREE = re.compile(r"[+-]?[0-9]+,[0-9]{3}")
_ISO = re.compile(r"(?P<y>[0-9]{4})-(?P<m>[0-9]{1,2})-(?P<d>[0-9]{1,2})(?:[T ][0-9:.]*)?")
_NUMBERS = re.compile(r"(?P<a>[0-9]{1,2})(?P<by>[./-]) ?(?P<b>[0-9]{1,2})(?:(?P=by) ?(?P<y>[0-9]{4}|[0-9]{2})?)?")
_WEEKDAY = re.compile(r"[^\W\d_]+\.?,?\s+")


def is_comma_decimal(cells: Iterable[str]) -> bool:
    """Tell whether the numbers of a table have a decimal comma, and points between thousands."""
    marks = {".": 0, ",": 0}
    has_three = False
    for cell in cells:
        text = cell.translate(_SPACES)
        if found := _SURE.fullmatch(text):
            marks[found["mark"]] += 1
        has_three = has_three or _COMMA_AND_THREE.fullmatch(text) is not None
    return marks[","] > marks["."] or (has_three and marks["."] == 0)


def number(cell: str, *, comma: bool) -> Decimal | None:
    """Return the number in a cell, with four decimals at most; None for any other text, and beyond a million.

    `comma`: as `is_comma_decimal` says of the table.
    """
    text = cell.translate(_SPACES)
    if len(text) > LONGEST_NUMBER:
        return None
    first, second = (_WITH_COMMA, _WITH_POINT) if comma else (_WITH_POINT, _WITH_COMMA)
    if first.fullmatch(text):
        is_comma = comma
    elif second.fullmatch(text):
        is_comma = not comma
    else:
        return None
    thousands, point = (".", ",") if is_comma else (",", ".")
    found = Decimal(text.replace(thousands, "").replace(point, ".")).quantize(PLACES)
    return found if abs(found) <= LARGEST else None


def day(cell: str, within: Days) -> date | None:
    """Return the day in a cell ("2026-10-01", "1.10.26", "Do 1.10.", "10/1/2026"); None for any other text.

    Of several readings that is taken which lies `within` the season, else the first one: day before month.
    """
    text = cell.strip()
    text = text.removeprefix(found[0]) if (found := _WEEKDAY.match(text)) else text
    first, last = within
    readings = list(_readings(text, within))
    return next((each for each in readings if first <= each <= last), readings[0] if readings else None)


def _readings(text: str, within: Days) -> Iterator[date]:
    if found := _ISO.fullmatch(text):
        yield from _date(int(found["y"]), int(found["m"]), int(found["d"]))
        return
    if not (found := _NUMBERS.fullmatch(text)):
        return
    a, b, by, year = int(found["a"]), int(found["b"]), found["by"], found["y"]
    if year is None and by == "-":
        return
    of_season = range(within[0].year, within[1].year + 1)
    years = of_season if year is None else [int(year) + (2000 if len(year) == 2 else 0)]
    for each in years:
        yield from _date(each, b, a)
    if by == "/":
        for each in years:
            yield from _date(each, a, b)


def _date(year: int, month: int, day_of_month: int) -> Iterator[date]:
    try:
        yield date(year, month, day_of_month)
    except ValueError:
        return
