"""Abandoned nights: one that was not used for UNUSED_NIGHT_HOURS is closed automatically."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from games.models import ChatMessage, LogEntry, Membership, Night, NightEvent, Table
from games.services import row_locks
from games.services.hosting import demo
from games.services.nights import membership


def close_all(now: datetime) -> int:
    """Close every unused night; return their number. The demo night stays open."""
    if not settings.UNUSED_NIGHT_HOURS:
        return 0
    since = now - timedelta(hours=settings.UNUSED_NIGHT_HOURS)
    old = Night.objects.exclude(status=Night.Status.CLOSED).filter(created_at__lt=since)
    ids = list(old.exclude(pk__in=demo.nights()).values_list("pk", flat=True))
    return sum(_close(night_id, since) for night_id in ids)


@transaction.atomic
def _close(night_id: int, since: datetime) -> bool:
    """Close a night unless it was used since a time; tell whether it was closed."""
    night = row_locks.night_and_tables(Night.objects.get(pk=night_id))
    if night.status == Night.Status.CLOSED or is_used(night, since):
        return False
    membership.close_unused(night, settings.UNUSED_NIGHT_HOURS)
    return True


@transaction.atomic
def close_empty(night: Night, hours: int) -> bool:
    """Close a night where nobody but its host has been, and no table but those that the house had set up.

    Tell whether it was closed.
    """
    night = row_locks.night_and_tables(night)
    others = night.memberships.exclude(player_id=night.host_id)
    used = night.tables.exclude(opened_itself=True, status=Table.Status.LOBBY)
    if night.status == Night.Status.CLOSED or others.exists() or used.exists():
        return False
    membership.close_unused(night, hours)
    return True


def is_used(night: Night, since: datetime) -> bool:
    """Tell whether a person has joined, played, chatted or acted in a night since a time; bots do not count."""
    used = (
        Membership.objects.filter(night=night, joined_at__gte=since),
        NightEvent.objects.filter(night=night, created_at__gte=since),
        Table.objects.filter(night=night, created_at__gte=since),
        ChatMessage.objects.filter(table__night=night, created_at__gte=since),
        LogEntry.objects.filter(table__night=night, actor__isnull=False, created_at__gte=since),
    )
    return any(rows.exists() for rows in used)
