"""Dates for calendars: one date as a file, and the feed of a series. They have counts, and nobody's name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.utils.translation import ngettext

from games.kernel.contract import Illegal
from games.models import Series, SeriesDate
from games.models.house import zone
from games.models.night import today
from games.services.calendar import answers
from games.services.calendar.answers import Coming

if TYPE_CHECKING:
    from icalendar import Event, Timezone

PAST = timedelta(days=30)
"""The time for which a date that is over stays in a feed."""
MEDIA_TYPE = "text/calendar; charset=utf-8"


def find(feed_key: str) -> Series:
    """Return the series of a feed, an ended one too; raises `no_such_series`."""
    series = Series.objects.select_related("venue").filter(feed_key=feed_key).first()
    if series is None:
        raise Illegal("no_such_series")
    return series


def dates_of(series: Series) -> QuerySet[SeriesDate]:
    """Return the dates of a feed: those of the last month, and all to come, cancelled ones too."""
    return series.dates.filter(day__gte=today() - PAST).order_by("day", "start")


def mark(series: Series) -> str:
    """Return the ETag of a feed: another one after any change of day, time, place or cancelling, and of the zone."""
    rows = dates_of(series).values_list("planned", "changes", "changed_at")
    said = repr((list(rows), series.name, str(zone())))
    return f'W/"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def calendar(dates: Sequence[SeriesDate], address_of: Callable[[SeriesDate], str]) -> bytes:
    """Return dates of one series as iCalendar; `address_of` gives the full address of a date's page."""
    # Eighty modules: every process would load them for the few that make a calendar.
    from icalendar import Calendar, vText

    found = Calendar()
    found.add("prodid", "-//Stammtisch//series//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    if dates:
        # Of names that are newer than its standard the library does not know that they are text, which is escaped.
        found.add("name", vText(dates[0].series.name))
        found.add("x-wr-calname", vText(dates[0].series.name))
    for date, coming in zip(dates, answers.coming_to(dates), strict=True):
        found.add_component(_event(date, coming, address_of(date)))
    for name in sorted(found.get_missing_tzids()):
        found.subcomponents.insert(0, _time_zone(name))
    body: bytes = found.to_ical()
    return body


@lru_cache(maxsize=8)
def _time_zone(name: str) -> Timezone:
    """Return when the clocks of a zone change. It is made once, as that takes longer than the dates of a feed."""
    from icalendar import Timezone

    found = Timezone.from_tzid(name)
    for change in found.subcomponents:
        # RFC 5545, 3.6.5: the clock's time before the change; the library writes 03:00 where clocks go on from 02:00.
        skipped = max(timedelta(), change.TZOFFSETTO - change.TZOFFSETFROM)
        change.DTSTART -= skipped
        if "RDATE" in change:
            change.add("RDATE", [each.dt - skipped for each in change.pop("RDATE").dts])
    return found


def _event(date: SeriesDate, coming: Coming, address: str) -> Event:
    from icalendar import Event

    event = Event()
    event.add("uid", f"{date.series.public_id}-{date.planned.isoformat()}@stammtisch")
    event.add("dtstamp", date.changed_at.astimezone(UTC).replace(microsecond=0))
    event.add("last-modified", date.changed_at.astimezone(UTC).replace(microsecond=0))
    event.add("sequence", date.changes)
    event.add("dtstart", date.starts_at)
    event.add("dtend", date.ends_at)
    event.add("summary", date.series.name)
    event.add("status", "CANCELLED" if date.is_cancelled else "CONFIRMED")
    event.add("url", address)
    event.add("description", f"{_counts(coming)}\n{address}")
    if date.place:
        event.add("location", date.place)
    return event


def counts(date: SeriesDate) -> str:
    """Return how many come, in words, without a name."""
    return _counts(answers.coming(date))


def _counts(found: Coming) -> str:
    text = ngettext("%(n)s comes", "%(n)s come", found.people) % {"n": found.people}
    if found.missing:
        text += " · " + ngettext("%(n)s more for a table", "%(n)s more for a table", found.missing) % {
            "n": found.missing
        }
    return text
