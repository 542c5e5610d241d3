"""Housekeeping: chores that the clock does once a night, so that nothing grows for ever.

`CHORES` are done in order; each returns the number of things that it handled. They work in small
transactions, so that moves are possible between them, and may be repeated at any time. The row
HouseClock `housekeeping` holds the next due time: of several processes one does the chores, and a
house that was off at that hour catches up when it starts.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any, TypeAlias

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connections
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games.models import AuditEntry, ChatMessage, DeviceMove, HouseClock, Night, NightEvent, SentForm, Table
from games.models.house import zone
from games.ops import logs
from games.ops.requests import move_priority
from games.services import form_ids
from games.services.calendar import all_series, answers
from games.services.dice import dice_figures
from games.services.logs import log_files
from games.services.nights import unused
from games.services.people import unseen_guests
from games.services.seasons import seasons

logger = logging.getLogger(__name__)

Chore: TypeAlias = Callable[[datetime], int]

HOUR = time(4, 30)
"""The time of day of housekeeping, in the house's time zone, when the last guests have gone."""
BATCH = 500
_ROW = "housekeeping"
_thread: threading.Thread | None = None
_stop = threading.Event()


def start_if_due(now: datetime | None = None) -> bool:
    """Start the chores in a thread of their own if they are due and no process has begun them; tell whether."""
    global _thread  # noqa: PLW0603
    if (_thread is not None and _thread.is_alive()) or not _claim(now or timezone.now()):
        return False
    _thread = threading.Thread(target=_run_and_close, name="housekeeping", daemon=True)
    _thread.start()
    return True


def stop() -> None:
    """End the thread after its current step, and wait for it."""
    _stop.set()
    if _thread is not None:
        _thread.join()
    _stop.clear()


def run(now: datetime | None = None) -> dict[str, int]:
    """Do every chore; return the number of things that each handled. A failed one is logged and skipped this night."""
    done: dict[str, int] = {}
    for name, chore in CHORES.items():
        if _stop.is_set():
            break
        try:
            done[name] = chore(now or timezone.now())
        except Exception as error:
            logs.log_event(logger, logging.ERROR, "housekeeping", "failed", text=name, error=error)
    text = " ".join(f"{name}={count}" for name, count in done.items())
    logs.log_event(logger, logging.INFO, "housekeeping", "done", text=text)
    return done


def _run_and_close() -> None:
    try:
        with move_priority.short_turns():
            run()
    finally:
        connections.close_all()


def _claim(now: datetime) -> bool:
    """Claim the due chores for this process; tell whether. In a new house the first chores are due at the next HOUR."""
    following = _next(now)
    row = HouseClock.objects.filter(pk=_ROW)
    due = row.filter(until__lte=now) | row.filter(until__gt=following)  # written before the clock was set back
    if due.update(until=following, told_at=now):
        return True
    if not row.exists():
        HouseClock.objects.bulk_create([HouseClock(_ROW, following)], ignore_conflicts=True)
    return False


def _next(now: datetime) -> datetime:
    """Return the next time of day HOUR after `now`."""
    there = zone()
    today = datetime.combine(now.astimezone(there).date(), HOUR, there)
    return (today if today > now else today + timedelta(days=1)).astimezone(UTC)


# The chores


def _delete(rows: QuerySet[Any]) -> int:
    """Delete rows in batches; return their number."""
    count = 0
    while not _stop.is_set() and (ids := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])):
        rows.model._default_manager.filter(pk__in=ids).delete()
        count += len(ids)
    return count


def _sessions(now: datetime) -> int:
    """Delete expired sessions, and allauth's records of their devices; return the number of sessions."""
    count = _delete(Session.objects.filter(expire_date__lt=now))
    _delete(UserSession.objects.filter(~Exists(Session.objects.filter(session_key=OuterRef("session_key")))))
    return count


def _chat(now: datetime) -> int:
    running = (Table.Status.PLAYING, Table.Status.PAUSED)
    return _older(ChatMessage.objects.exclude(table__status__in=running), settings.KEEP_CHAT_DAYS, now)


def _news(now: datetime) -> int:
    """Delete old news of closed nights: new members, renamed players, opened tables."""
    return _older(NightEvent.objects.filter(night__status=Night.Status.CLOSED), settings.KEEP_CHAT_DAYS, now)


def _audit(now: datetime) -> int:
    return _older(AuditEntry.objects.all(), settings.KEEP_AUDIT_DAYS, now, field="at")


def _device_moves(now: datetime) -> int:
    return _delete(DeviceMove.objects.filter(expires_at__lt=now - timedelta(days=1)))


def _forms(now: datetime) -> int:
    return _delete(SentForm.objects.filter(sent_at__lt=now - form_ids.KEPT))


def _older(rows: QuerySet[Any], days: int, now: datetime, field: str = "created_at") -> int:
    return _delete(rows.filter(**{f"{field}__lt": now - timedelta(days=days)})) if days else 0


CHORES: Mapping[str, Chore] = {
    "nights_closed": unused.close_all,
    "sessions": _sessions,
    "chat": _chat,
    "news": _news,
    "audit": _audit,
    "device_moves": _device_moves,
    "forms": _forms,
    "seasons": seasons.close_due,
    "dates": all_series.plan_all,
    "answers": answers.forget_names,
    "series": all_series.delete_ended,
    "guests": partial(unseen_guests.delete_all, is_ended=_stop.is_set),
    "dice": partial(dice_figures.count_new, is_ended=_stop.is_set),
    "logs": log_files.compress_old,
    "log_files": log_files.delete_unused,
}
