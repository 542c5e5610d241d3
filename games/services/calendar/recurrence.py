"""Days of a series by its rule, as local days: clocks that change move no evening."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import takewhile

from dateutil.rrule import FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, rrule

from games.models import Series

WEEKDAYS = (MO, TU, WE, TH, FR, SA, SU)
OF_MONTH = {
    Series.Repeat.FIRST: 1,
    Series.Repeat.SECOND: 2,
    Series.Repeat.THIRD: 3,
    Series.Repeat.FOURTH: 4,
    Series.Repeat.LAST: -1,
}


def days(series: Series, since: date) -> Iterator[date]:
    """Yield the days of a series by its rule from a day on, without end if it has none."""
    first = datetime.combine(series.first_day, time())
    weekday = WEEKDAYS[series.weekday]
    if (nth := OF_MONTH.get(Series.Repeat(series.repeat))) is not None:
        rule = rrule(MONTHLY, dtstart=first, byweekday=weekday(nth))
    else:
        rule = rrule(
            WEEKLY, dtstart=first, byweekday=weekday, interval=1 + (series.repeat == Series.Repeat.FORTNIGHTLY)
        )
    found = (each.date() for each in rule.xafter(datetime.combine(since, time()), inc=True))
    last = series.last_day
    return found if last is None else takewhile(lambda day: day <= last, found)
