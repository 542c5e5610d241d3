"""Words of a date, for mails and messages."""

from __future__ import annotations

from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format, time_format

from games.models import SeriesDate


def when_text(date: SeriesDate) -> str:
    """Return day and time of a date in words."""
    return f"{WEEKDAYS[date.day.weekday()]}, {date_format(date.day)}, {time_format(date.start)}"
