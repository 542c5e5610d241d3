"""Guests that gave a name and never played: their rows are deleted after KEEP_GUESTS_DAYS."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.models import Player
from games.services import personal_registry

BATCH = 200


def unseen(before: datetime) -> QuerySet[Player]:
    """Return the guests created before a time, at no night since, and without a trace in any room (`Kept.traces`).

    Banned guests are kept, because the ban would be deleted with them.
    """
    guests = Player.objects.filter(
        user=None, merged_into=None, deleted_at=None, banned_at=None, created_at__lt=before, merged=None
    )
    for room in personal_registry.rooms():
        for trace in room.traces(OuterRef("pk"), before):
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
