"""Messages to webhooks: a row for each, made with the change that it tells."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.models import Night, SeriesDate, Webhook, WebhookMessage
from games.services import tasks
from games.services.calendar import season_days
from games.services.seasons import season_nights

TASK = "webhooks"
KEPT = timedelta(days=30)
"""The time for which a message's row is kept."""
Kind = WebhookMessage.Kind


def _put(webhooks: Iterable[Webhook], kind: Kind, occasion: str, **about: Any) -> int:
    """Put a message for each of these webhooks; `about` are further fields of its row."""
    rows = [WebhookMessage(webhook=each, kind=kind, occasion=occasion, **about) for each in webhooks]
    WebhookMessage.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        transaction.on_commit(lambda: tasks.hurry(TASK))
    return len(rows)


def tell_opened(date: SeriesDate, night: Night) -> int:
    """Tell the series' webhooks that the night of a date is open."""
    return _put(
        Webhook.objects.filter(series=date.series_id), Kind.OPENED, f"opened-{night.pk}", date=date, night=night
    )


def tell_change(date: SeriesDate) -> int:
    """Tell the series' webhooks that a date was cancelled, moved or changed; one that waits tells this, too."""
    waiting = WebhookMessage.objects.filter(date=date, kind=Kind.CHANGED, claimed_at=None).values("webhook")
    rows = Webhook.objects.filter(series=date.series_id).exclude(pk__in=waiting)
    return _put(rows, Kind.CHANGED, f"changed-{date.pk}-{date.changes}", date=date)


def tell_next(date: SeriesDate, now: datetime) -> int:
    """Tell the series' webhooks of its next date, once."""
    had = WebhookMessage.objects.filter(occasion=f"date-{date.pk}").values("webhook")
    rows = Webhook.objects.filter(series=date.series_id).exclude(pk__in=had)
    return _put(rows, Kind.DATE, f"date-{date.pk}", date=date, due_at=now)


def tell_closed(night: Night) -> int:
    """Tell a night's results, and the standings of its series' seasons, to its webhooks and those of its series."""
    if not night.tables.filter(results__is_proposed=False).exists():
        return 0
    date = SeriesDate.objects.filter(night=night).select_related("series").first()
    rows = Webhook.objects.filter(Q(night=night) | Q(series=date.series_id if date is not None else 0))
    count = _put(rows, Kind.RESULTS, f"results-{night.pk}", date=date, night=night)
    for season in season_days.holding(date.series, night.day) if date is not None else ():
        if season_nights.is_in(season, night):
            about = {"date": date, "night": night, "season": season}
            count += _put(rows, Kind.STANDING, f"standing-{night.pk}-{season.pk}", **about)
    return count


def put_test(webhook: Webhook) -> None:
    """Put a message that only shows that messages arrive."""
    _put([webhook], Kind.TEST, f"test-{timezone.now().timestamp():.6f}")


def forget_old(now: datetime) -> int:
    """Delete messages of a month ago, and the webhooks of nights that were closed then; return their number."""
    count = WebhookMessage.objects.filter(created_at__lt=now - KEPT).delete()[0]
    return count + Webhook.objects.filter(night__closed_at__lt=now - KEPT).delete()[0]
