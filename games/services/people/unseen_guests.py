"""Guests that gave a name and never played: their rows are deleted after KEEP_GUESTS_DAYS."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.models import (
    ChatMessage,
    Entrant,
    HouseRules,
    KeptLine,
    LogEntry,
    Membership,
    Night,
    Participant,
    Player,
    ResultLine,
    Seat,
)

BATCH = 200


def unseen(before: datetime) -> QuerySet[Player]:
    """Return the guests created before a time, at no night since, and without a trace at any table.

    Banned guests are kept, because the ban would be deleted with them.
    """
    player = OuterRef("pk")
    guests = Player.objects.filter(
        user=None, merged_into=None, deleted_at=None, banned_at=None, created_at__lt=before, merged=None
    )
    traces = (
        Seat.objects.filter(player=player),
        Participant.objects.filter(player=player),
        ResultLine.objects.filter(player=player),
        LogEntry.objects.filter(actor=player),
        ChatMessage.objects.filter(player=player),
        KeptLine.objects.filter(player=player),
        HouseRules.objects.filter(owner=player),
        Entrant.objects.filter(player=player),
        Night.objects.filter(host=player),
        Membership.objects.filter(player=player, joined_at__gte=before),
        Membership.objects.filter(player=player).exclude(night__status=Night.Status.CLOSED),
        # A guest removed from a night must still be recognised there.
        Membership.objects.filter(player=player, status=Membership.Status.KICKED, night__closed_at__gte=before),
    )
    for trace in traces:
        guests = guests.filter(~Exists(trace))
    return guests


def delete_all(now: datetime, is_ended: Callable[[], bool] = lambda: False) -> int:
    """Delete the unseen guests in batches, until `is_ended`; return their number."""
    if not settings.KEEP_GUESTS_DAYS:
        return 0
    found = unseen(now - timedelta(days=settings.KEEP_GUESTS_DAYS))
    count = 0
    while not is_ended():
        with transaction.atomic():
            ids = list(found.order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True)[:BATCH])
            # Asked again under the lock: a guest may have come in while this waited.
            found.filter(pk__in=ids).delete()
        if not ids:
            break
        count += len(ids)
    return count
