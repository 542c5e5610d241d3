"""Cells of a spreadsheet: numbers and days as people and programs write them in our languages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import TypeAlias

from games.models.night import DAY_BEGINS

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
_SURE = re.compile(
    r"[+-]?(?:(?:[0-9]+|[0-9]{1,3}(?:[.,][0-9]{3})+)(?P<mark>[.,])(?:[0-9]{1,2}|[0-9]{4,})"
    r"|(?:0|[0-9]{4,})(?P<mark_of_three>[.,])[0-9]{3})"
)
_UNSURE = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:(?P<mark>[.,])[0-9]{3})+")
_TIME = re.compile(
    r"(?:[ ,T]+|\b)(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-9]{2})(?:[:.](?P<second>[0-9]{2})(?:[.,][0-9]+)?)?"
    r"(?: ?(?P<half>[AaPp]\.?[Mm]\.?|vorm\.|nachm\.))?(?: ?(?:Uhr|[A-Z]{1,5}))?(?: ?[+-][0-9]{1,2}(?::?[0-9]{2})?)?"
)
_YEAR_FIRST = re.compile(r"(?P<y>[12][0-9]{3})(?P<by>[-/.])(?P<m>[0-9]{1,2})(?P=by)(?P<d>[0-9]{1,2})\.?")
_NUMBERS = re.compile(r"(?P<a>[0-9]{1,2})(?P<by>[./-]) ?(?P<b>[0-9]{1,2})(?:(?P=by) ?(?P<y>[12][0-9]{3}|[0-9]{2})?)?")
_WEEKDAY = re.compile(r"[^\W\d_]+(?:\.?,?\s+|[.,]+)(?=[0-9])")
_DAY_AND_MONTH = re.compile(
    r"(?P<d>[0-9]{1,2})(?:st|nd|rd|th|er)?\.?[ /-]{0,2}(?P<m>[^\W\d_]{3,})\.?"
    r"(?:,? ?[ /-]?(?P<y>[12][0-9]{3}|[0-9]{2}))?"
)
_MONTH_AND_DAY = re.compile(
    r"(?:[^\W\d_]+\.?,? )?(?P<m>[^\W\d_]{3,})\.? (?P<d>[0-9]{1,2})(?:st|nd|rd|th)?(?:,? (?P<y>[12][0-9]{3}))?"
)
SERIALS = range(36526, 73051)
"""Serial numbers of the days of this century, as far as headings go."""
_SERIAL = re.compile(r"[0-9]{5}(?:[.,][0-9]+)?")
_FIRST_SERIAL = date(1899, 12, 30)
"""Day 0 of a spreadsheet program, which counts the 29th of February 1900."""
_MONTHS = (
    ("january", "januar", "janner", "janvier", "gennaio"),
    ("february", "februar", "feber", "fevrier", "febbraio"),
    ("march", "marz", "mars", "mrz", "marzo"),
    ("april", "avril", "aprile"),
    ("may", "mai", "maj", "maggio"),
    ("june", "juni", "juin", "giugno"),
    ("july", "juli", "juillet", "luglio"),
    ("august", "aout", "agosto"),
    ("september", "sept", "septembre", "settembre"),
    ("october", "oktober", "octobre", "ottobre"),
    ("november", "novembre"),
    ("december", "dezember", "desember", "decembre", "dicembre"),
)
"""Names of the months without accents; three letters are enough."""
_TWELVE = 12


def is_comma_decimal(cells: Iterable[str]) -> bool:
    """Tell whether the numbers of a table have a decimal comma, and points between thousands.

    Where all marks stand before three digits (`is_unsure`) they are between thousands.
    """
    sure, unsure = _marks(cells)
    return sure[","] > sure["."] if sure[","] != sure["."] else unsure["."] > unsure[","]


def is_unsure(cells: Iterable[str]) -> bool:
    """Tell whether the marks of a table's numbers may be decimal ones or between thousands: "1.200", "950"."""
    sure, unsure = _marks(cells)
    return sure[","] == sure["."] and unsure["."] != unsure[","]


def _marks(cells: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each mark is surely a decimal one, and how often it stands before three digits alone."""
    sure: Counter[str] = Counter()
    unsure: Counter[str] = Counter()
    for cell in cells:
        text = cell.translate(_SPACES)
        if found := _SURE.fullmatch(text):
            sure[found["mark"] or found["mark_of_three"]] += 1
        elif found := _UNSURE.fullmatch(text):
            unsure[found["mark"]] += 1
    return sure, unsure


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


def is_month_first(cells: Iterable[str], within: Days) -> bool:
    """Tell whether the month stands before the day in the days of a table.

    That order it is in which more of them are days, and days of the season; else in which more are of one weekday, as
    weekly nights are; else in which they are nearer to one another; else the day is first.
    """
    texts = [text for cell in cells if _NUMBERS.fullmatch(text := _without_time(cell)[0])]

    def fit(month_first: bool) -> tuple[int, int, int, int, bool]:
        found = [each for text in texts if (each := day(text, within, month_first=month_first)) is not None]
        inside = sum(within[0] <= each <= within[1] for each in found)
        same = max(Counter(each.weekday() for each in found).values(), default=0)
        span = (max(found) - min(found)).days if found else 0
        return len(found), inside, same, -span, not month_first

    return max((False, True), key=fit)


def day(cell: str, within: Days, *, month_first: bool | None = None) -> date | None:
    """Return the day in a cell ("2026-10-01", "Do 1.10.", "10/1/2026 19:30", "1. Okt", 46296); None for another text.

    `month_first`: as `is_month_first` says of the table; None for a cell alone. Of several readings that is taken
    which lies `within` the season, else the first one. A serial number is a day in the season alone. The hours before
    05:00 belong to the day before.
    """
    text, is_night = _without_time(cell)
    first, last = within
    readings = list(_readings(text, within, month_first))
    found = next((each for each in readings if first <= each <= last), readings[0] if readings else None)
    return found - timedelta(days=1) if found is not None and is_night else found


def is_like_day(cell: str) -> bool:
    """Tell whether a cell is written as a day, such as "31.2." or "31. Feb", whether or not there is such a one."""
    text, _ = _without_time(cell)
    named = (found for form in (_DAY_AND_MONTH, _MONTH_AND_DAY) if (found := form.fullmatch(text)))
    return any(form.fullmatch(text) for form in (_YEAR_FIRST, _NUMBERS)) or any(_month(found["m"]) for found in named)


def _without_time(cell: str) -> tuple[str, bool]:
    """Return a cell without a time behind its day and a weekday before it, and whether the time is one of the night."""
    text, is_night = " ".join(cell.split()), False
    for found in _TIME.finditer(text):
        if found.end() == len(text) and found.start() > 0 and _has_day(text[: found.start()]):
            hour, half = int(found["hour"]), (found["half"] or "").casefold()
            hour = hour % _TWELVE + _TWELVE * half.startswith(("p", "n")) if half else hour
            is_midnight = not (hour or int(found["minute"]) or int(found["second"] or 0))
            is_night = timedelta(hours=hour) < DAY_BEGINS and not is_midnight
            text = text[: found.start()].rstrip(", ")
            break
    weekday = _WEEKDAY.match(text)
    return (text[weekday.end() :] if weekday and not _month(weekday[0]) else text), is_night


def _has_day(text: str) -> bool:
    text = text.rstrip(", ")
    weekday = _WEEKDAY.match(text)
    forms = (_YEAR_FIRST, _NUMBERS, _DAY_AND_MONTH, _MONTH_AND_DAY)
    return any(form.fullmatch(each) for each in (text, text[weekday.end() :] if weekday else text) for form in forms)


def _readings(text: str, within: Days, month_first: bool | None) -> Iterator[date]:
    if found := _YEAR_FIRST.fullmatch(text):
        yield from _date(int(found["y"]), int(found["m"]), int(found["d"]))
    elif found := _NUMBERS.fullmatch(text):
        a, b, by, year = int(found["a"]), int(found["b"]), found["by"], found["y"]
        if year is None and by == "-":
            return
        # A point stands behind ordinals, in languages that have the day first.
        orders = (False,) if by == "." else (False, True) if month_first is None else (month_first,)
        for order in orders:
            for each in _years(year, within):
                yield from _date(each, a, b) if order else _date(each, b, a)
    elif found := _DAY_AND_MONTH.fullmatch(text) or _MONTH_AND_DAY.fullmatch(text):
        for each in _years(found["y"], within):
            yield from _date(each, _month(found["m"]), int(found["d"]))
    elif is_serial_day(text, within):
        yield _FIRST_SERIAL + timedelta(days=int(text[:5]))


def is_serial_day(cell: str, within: Days) -> bool:
    """Tell whether a cell is the serial number of a day of the season, as spreadsheet programs keep days."""
    is_number = _SERIAL.fullmatch(cell) is not None
    return is_number and within[0] <= _FIRST_SERIAL + timedelta(days=int(cell[:5])) <= within[1]


def serial_day(cell: str) -> date | None:
    """Return the day of a serial number of this century, None for another text."""
    is_one = _SERIAL.fullmatch(cell) is not None and int(cell[:5]) in SERIALS
    return _FIRST_SERIAL + timedelta(days=int(cell[:5])) if is_one else None


def _years(year: str | None, within: Days) -> Iterable[int]:
    """Return the year that a text names, else those of the season."""
    if year is None:
        return range(within[0].year, within[1].year + 1)
    return [int(year) + (2000 if len(year) == len("26") else 0)]


def _month(word: str) -> int:
    """Return the number of the month that a word names, 0 for another word."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if c.isalpha())
    is_name = len(plain) >= len("jan")
    return next((n for n, names in enumerate(_MONTHS, 1) if is_name and any(x.startswith(plain) for x in names)), 0)


def _date(year: int, month: int, day_of_month: int) -> Iterator[date]:
    try:
        yield date(year, month, day_of_month)
    except ValueError:
        return
