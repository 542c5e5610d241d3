"""Reminders: at 18:00 of the day before a date, to the people of its series, except after a no."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.db.models import Q, QuerySet

from games.models import Answer, Mail, Membership, Night, Player, SeriesDate
from games.models.house import zone
from games.services.mails import outbox, wishes

HOUR = time(18, 0)
"""The time of day at which the reminder of tomorrow's date goes out, in the house's zone."""
LATEST = timedelta(hours=2)
"""A reminder that was missed goes out until so long before the date begins, and then never."""


def is_time(date: SeriesDate, now: datetime) -> bool:
    """Tell whether the reminder of a date may go out now."""
    begin = datetime.combine(date.day - timedelta(days=1), HOUR, zone())
    return begin <= now < date.starts_at.astimezone(UTC) - LATEST


def people_of(date: SeriesDate) -> QuerySet[Player]:
    """Return the people of a series: its organisers, those with an answer for a date of it, guests of its nights.

    Who has said no to this date is left out.
    """
    series = date.series
    nights = Night.objects.filter(series_date__series=series)
    guests = Membership.objects.filter(night__in=nights, status=Membership.Status.IN).values("player")
    answered = Answer.objects.filter(date__series=series, player__isnull=False).values("player")
    concerned = Q(pk__in=guests) | Q(pk__in=answered) | Q(pk__in=[series.organiser_id or 0, series.second_id or 0])
    no = Answer.objects.filter(date=date, says=Answer.Says.NO, player__isnull=False).values("player")
    return Player.objects.filter(concerned).exclude(pk__in=no)


def put_due(now: datetime) -> int:
    """Put the reminders that are due, one a date and person ever; return how many are new."""
    return sum(_put(date, now) for date in due_dates(now)) if wishes.are_sent() else 0


def due_dates(now: datetime) -> list[SeriesDate]:
    """Return the dates whose reminder may go out now."""
    here = now.astimezone(zone()).date()
    rows = SeriesDate.objects.filter(day__range=(here, here + timedelta(days=1)), is_cancelled=False)
    rows = rows.filter(series__ended_at=None).select_related("series")
    return [date for date in rows if is_time(date, now)]


def _put(date: SeriesDate, now: datetime) -> int:
    return outbox.put(date, Mail.Kind.REMINDER, people_of(date).values_list("pk", flat=True), now)
