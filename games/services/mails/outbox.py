"""Mails to be sent: a row for each, made with the change that it tells.

Reminders: at 18:00 of the day before a date, to the people of its series, except after a no. A week before a season's
end its organisers are asked for the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Answer, Mail, Membership, Night, Player, Season, SeriesDate
from games.models.house import zone
from games.services import tasks
from games.services.calendar import next_season
from games.services.mails import wishes

TASK = "mails"
APART = timedelta(minutes=10)
"""The least time between two mails of one kind about one date to a person; what changes meanwhile is told in one."""
KEPT = timedelta(days=30)
"""The time after its date for which a mail's row is kept."""


def put(date: SeriesDate, kind: Mail.Kind, player_ids: Iterable[int], now: datetime | None = None) -> int:
    """Put a mail about a date for each of these people, if they get mails about its series; return how many are new.

    A mail of the kind that has not been sent yet stands for this one, too: it tells the date as it is then.
    """
    if not wishes.are_sent():
        return 0
    now = now or timezone.now()
    wanted = set(wishes.readers_of(date.series).filter(pk__in=set(player_ids)).values_list("pk", flat=True))
    # The latest of each person.
    earlier = {row.player_id: row for row in Mail.objects.filter(date=date, kind=kind).order_by("number")}
    rows = [row for player_id in sorted(wanted) if (row := _next(date, kind, player_id, earlier, now)) is not None]
    Mail.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        transaction.on_commit(lambda: tasks.hurry(TASK))
    return len(rows)


def _next(date: SeriesDate, kind: Mail.Kind, player_id: int, earlier: Mapping[int, Mail], now: datetime) -> Mail | None:
    """Return a new mail to a person, None where the last one waits still, or is the one reminder that there is."""
    last = earlier.get(player_id)
    if last is None:
        return Mail(date=date, player_id=player_id, kind=kind, due_at=now)
    if kind == Mail.Kind.REMINDER or last.claimed_at is None:
        return None
    due_at = max(now, last.claimed_at + APART)
    return Mail(date=date, player_id=player_id, kind=kind, number=last.number + 1, due_at=due_at)


def tell_change(date: SeriesDate) -> int:
    """Put the mails that tell a change of a date to everybody who said yes or maybe; return their number."""
    says = (Answer.Says.YES, Answer.Says.MAYBE)
    told = date.answers.filter(says__in=says, player__isnull=False).values_list("player", flat=True)
    return put(date, Mail.Kind.CHANGE, told)


def tell_place(date: SeriesDate, player_ids: Iterable[int]) -> int:
    """Put the mails that tell players of a place that came free at a date; return their number."""
    return put(date, Mail.Kind.PLACE, player_ids)


def forget_old(now: datetime) -> int:
    """Delete the rows of mails about dates and ends of seasons of a month ago; return their number."""
    day = (now - KEPT).date()
    return Mail.objects.filter(Q(date__day__lt=day) | Q(season__last_day__lt=day)).delete()[0]


REMINDER_HOUR = time(18, 0)
"""The time of day at which the reminder of tomorrow's date goes out, in the house's zone."""
REMINDER_LATEST = timedelta(hours=2)
"""A reminder that was missed goes out until so long before the date begins, and then never."""


def is_reminder_time(date: SeriesDate, now: datetime) -> bool:
    """Tell whether the reminder of a date may go out now."""
    begin = datetime.combine(date.day - timedelta(days=1), REMINDER_HOUR, zone())
    return begin <= now < date.starts_at.astimezone(UTC) - REMINDER_LATEST


def people_to_remind(date: SeriesDate) -> QuerySet[Player]:
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


def put_due_reminders(now: datetime) -> int:
    """Put the reminders that are due, one a date and person ever; return how many are new."""
    return sum(_put(date, now) for date in due_dates(now)) if wishes.are_sent() else 0


def put_due_questions(now: datetime) -> int:
    """Put the mails that ask organisers whether the next season begins, one a season and person; return their number.

    A season whose first mail was missed asks until its last day.
    """
    if not wishes.are_sent():
        return 0
    here = now.astimezone(zone())
    until = here.date() + next_season.ASKS_BEFORE - timedelta(days=here.time() < REMINDER_HOUR)
    seasons = Season.objects.filter(status=Season.Status.OPEN, last_day__range=(here.date(), until))
    rows = [
        Mail(season=season, player_id=player_id, kind=Mail.Kind.SEASON, due_at=now)
        for season in seasons
        if next_season.is_asked(season)
        for player_id in organisers_to_ask(season).exclude(mails__season=season).values_list("pk", flat=True)
    ]
    return len(Mail.objects.bulk_create(rows, ignore_conflicts=True))


def organisers_to_ask(season: Season) -> QuerySet[Player]:
    """Return the organisers of a season who get mails, but for those who have stopped all of its series'."""
    rows = wishes.readers().filter(pk__in=[season.organiser_id or 0, season.second_id or 0])
    stopped = [set(each.mail_stops.values_list("player", flat=True)) for each in season.series.filter(ended_at=None)]
    return rows.exclude(pk__in=set.intersection(*stopped) if stopped else ())


def due_dates(now: datetime) -> list[SeriesDate]:
    """Return the dates whose reminder may go out now."""
    here = now.astimezone(zone()).date()
    rows = SeriesDate.objects.filter(day__range=(here, here + timedelta(days=1)), is_cancelled=False)
    rows = rows.filter(series__ended_at=None).select_related("series")
    return [date for date in rows if is_reminder_time(date, now)]


def _put(date: SeriesDate, now: datetime) -> int:
    return put(date, Mail.Kind.REMINDER, people_to_remind(date).values_list("pk", flat=True), now)
