"""Nights that the house opens by itself before a date begins, and closes at its end if nobody has come."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import Answer, Night, Player, SeriesDate
from games.models.house import zone
from games.ops import logs
from games.services import tasks
from games.services.calendar import dates, evening_hosts
from games.services.hosting import abandoned_nights

logger = logging.getLogger(__name__)

BEFORE = timedelta(minutes=30)
"""The time before a date's begin at which its night is opened."""
LONGEST = timedelta(days=2)
"""The time after its day in which a night that was opened is closed at its date's end."""


def opens_at(date: SeriesDate) -> datetime | None:
    """Return when the house opens the night of a date, None if it does not."""
    is_to_open = date.series.opens_itself and date.night_id is None and not (date.is_cancelled or date.not_tonight)
    return date.starts_at.astimezone(UTC) - BEFORE if is_to_open else None


def host_of(date: SeriesDate) -> Player | None:
    """Return the host of a date's night: the first of organiser, second and evening hosts who said yes.

    Where none has, it is the second organiser unless they said no; else None.
    """
    series = date.series
    said: dict[int | None, str] = dict(date.answers.filter(player__isnull=False).values_list("player", "says"))
    for each in (series.organiser, series.second, *evening_hosts.of(series)):
        if each is not None and said.get(each.pk) == Answer.Says.YES:
            return each
    return series.second if said.get(series.second_id) != Answer.Says.NO else None


def run_as_task() -> str:
    """Open and close what is due; return figures."""
    return run(timezone.now())


def run(now: datetime) -> str:
    """Do the task at a time; raises TaskEnded."""
    opened = sum(_open(date) for date in _to_open(now))
    closed = sum(_close(date) for date in _to_close(now))
    return f"opened={opened} closed={closed}"


def _to_open(now: datetime) -> list[SeriesDate]:
    """Return the dates that begin within BEFORE or have begun, and are not over."""
    here = now.astimezone(zone()).date()
    rows = SeriesDate.objects.filter(series__opens_itself=True, series__ended_at=None, is_cancelled=False, night=None)
    rows = rows.filter(not_tonight=False)
    rows = rows.filter(day__range=(here - timedelta(days=1), here + timedelta(days=1)))
    about = ("series__organiser__user", "series__second__user", "series__venue")
    return [
        date
        for date in rows.select_related(*about).order_by("day", "start", "pk")
        if date.starts_at.astimezone(UTC) - BEFORE <= now < date.ends_at
    ]


def _open(date: SeriesDate) -> bool:
    """Open the night of a date if there is a host for it; tell whether it was opened now."""
    tasks.check_going_on()
    host = host_of(date)
    if host is None:
        return False
    try:
        return dates.open_itself(date, host)
    except Illegal as refusal:
        # Such as a host who has too many nights open: the organisers can still open it by a tap.
        logs.log_event(logger, logging.WARNING, "opening", "refused", text=refusal.code)
        return False


def _to_close(now: datetime) -> list[SeriesDate]:
    """Return the dates that are over and whose night, which the house opened, is still open."""
    rows = SeriesDate.objects.filter(opened_itself=True, day__gte=(now - LONGEST).date(), night__isnull=False)
    rows = rows.exclude(night__status=Night.Status.CLOSED).select_related("night", "series")
    return [date for date in rows if date.ends_at <= now]


def _close(date: SeriesDate) -> bool:
    """Close the night of a date if nobody but the host has come; tell whether it was closed."""
    tasks.check_going_on()
    return date.night is not None and abandoned_nights.close_empty(date.night, max(1, round(date.minutes / 60)))
