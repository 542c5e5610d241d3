"""Nights that were left open: one that nobody has used for UNUSED_NIGHT_HOURS closes itself."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from games.models import ChatMessage, LogEntry, Membership, Night, NightEvent, Table
from games.services.nights import demo, membership


def close_all(now: datetime) -> int:
    """Close every unused night; return how many. The demo night stays: it waits for people."""
    if not settings.UNUSED_NIGHT_HOURS:
        return 0
    since = now - timedelta(hours=settings.UNUSED_NIGHT_HOURS)
    old = Night.objects.exclude(status=Night.Status.CLOSED).filter(created_at__lt=since)
    ids = list(old.exclude(pk__in=demo.nights()).values_list("pk", flat=True))
    return sum(_close(night_id, since) for night_id in ids)


@transaction.atomic
def _close(night_id: int, since: datetime) -> bool:
    """Close a night that nobody has used since; tell whether."""
    night = Night.objects.select_for_update(of=("self",)).get(pk=night_id)
    if night.status == Night.Status.CLOSED or is_used(night, since):
        return False
    membership.close_unused(night)
    return True


def is_used(night: Night, since: datetime) -> bool:
    """Tell whether somebody has joined, played, talked or done anything at a night since a moment; bots are nobody."""
    used = (
        Membership.objects.filter(night=night, joined_at__gte=since),
        NightEvent.objects.filter(night=night, created_at__gte=since),
        Table.objects.filter(night=night, created_at__gte=since),
        ChatMessage.objects.filter(table__night=night, created_at__gte=since),
        LogEntry.objects.filter(table__night=night, actor__isnull=False, created_at__gte=since),
    )
    return any(rows.exists() for rows in used)
