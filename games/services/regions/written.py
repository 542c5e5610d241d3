"""Numbers, lists, days and times of day as the region writes them (`region`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Literal

from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from django.utils.translation import gettext as _

from games.services.regions.region import locale

Number = float | Decimal
DayForm = Literal["long", "medium", "full", "coming", "yearless"]
HourForm = Literal["short", "medium"]
_YEAR_AT_END = re.compile(r",? ?y+$")


def rounded(value: Number, places: int) -> str:
    """Return a number rounded to so many decimals, with the minus of printed numbers."""
    return _number(value, "#,##0" + ("." + "0" * places if places else ""), places)


def short(value: Number, places: int = 2) -> str:
    """Return a number with so many decimals at most: 2, 2.5."""
    return _number(value, "#,##0." + "#" * places, places)


def signed(value: Number, places: int = 1) -> str:
    """Return a number with its sign, rounded to so many decimals; 0 has none."""
    found = _round(value, places)
    return f"{'+' if found > 0 else '−' if found < 0 else ''}{rounded(-found if found < 0 else found, places)}"


def percent(share: Number, places: int = 0) -> str:
    """Return a share of 1 in hundredths, with the sign for them."""
    pattern = locale().percent_formats[None].pattern.replace("0", "0" + ("." + "0" * places if places else ""))
    return _printed(format_percent(share, pattern, locale=locale()))


def _number(value: Number, pattern: str, places: int) -> str:
    return _printed(format_decimal(_round(value, places), pattern, locale=locale()))


def _round(value: Number, places: int) -> Number:
    # Adding 0 makes of "-0" a 0.
    return round(value, places) + 0 if isinstance(value, Decimal) else round(float(value), places) + 0.0


def _printed(text: str) -> str:
    return _unbroken(text.replace("-", "−"))


def _unbroken(text: str) -> str:
    """Return a text with one kind of space that does not break."""
    return text.replace("\u202f", "\u00a0")


def day(found: date, form: DayForm = "long") -> str:
    """Return a day: 29 November 2026; "medium" is shorter, "full" has the weekday.

    "coming" is "full", and "yearless" is "long", without the year.
    """
    if form in ("coming", "yearless"):
        pattern = locale().date_formats["full" if form == "coming" else "long"].pattern
        return format_date(found, _YEAR_AT_END.sub("", pattern), locale())
    return format_date(found, form, locale())


def hour(found: time | datetime, form: HourForm = "short") -> str:
    """Return a time of day; "medium" has the seconds."""
    return _unbroken(format_time(found if isinstance(found, time) else found.time(), form, locale=locale()))


def moment(found: datetime) -> str:
    """Return a day in short with a time of day."""
    joined: str = locale().datetime_formats["medium"].replace("'", "")
    return joined.replace("{1}", day(found, "medium")).replace("{0}", hour(found))


def weekdays() -> tuple[str, ...]:
    """Return the names of the days of the week, from Monday on."""
    found = locale().days["stand-alone"]["wide"]
    return tuple(found[number] for number in range(7))


def names(found: Iterable[object]) -> str:
    """Return names as in a sentence: Ada, Bo and Cy."""
    return format_list([str(each) for each in found], locale=locale())


def labelled(label: object, value: object = "") -> str:
    """Return a label and what it says, with the language's colon; without a value the label alone."""
    return (_("%(label)s: %(value)s") % {"label": label, "value": value}).rstrip(" ")
