"""Housekeeping: chores that the house does once a night, so that nothing grows for ever.

`CHORES` are done in order; each returns the number of things that it handled. They work in small
transactions, so that moves are possible between them, and may be repeated at any time. It is a background
task (tasks.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, time, timedelta
from functools import partial
from typing import Any, TypeAlias

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games.models import AuditEntry, ChatMessage, DeviceMove, Night, NightEvent, SentForm, Table
from games.ops import logs, schema_version
from games.services import form_ids, tasks
from games.services.calendar import all_series, answers
from games.services.grades import questions
from games.services.history import matches
from games.services.hosting import abandoned_nights
from games.services.logs import data_folders
from games.services.mails import outbox as mail_outbox
from games.services.mails import recipients
from games.services.nights import wifi
from games.services.payments import bank_details
from games.services.people import deletion
from games.services.rolls import dice_figures
from games.services.screens import screen_letters
from games.services.seasons import seasons
from games.services.sheets import sheets
from games.services.storage import log_files
from games.services.webhooks import outbox as webhook_outbox

logger = logging.getLogger(__name__)

Chore: TypeAlias = Callable[[datetime], int]

HOUR = time(4, 30)
"""The time of day of housekeeping, in the house's time zone, when the last guests have gone."""
UPGRADE = timedelta(days=2)
"""The longest time for which processes of the version before play on after the steps of an upgrade."""
AFTER_UPGRADE = ("matches", "wifi")
"""The chores that a server does when it starts, too: they complete what the version before has written meanwhile."""
BATCH = 500


def run(now: datetime | None = None, names: Iterable[str] | None = None) -> dict[str, int]:
    """Do the chores of these names, or all; return the number of things that each handled.

    A failed one is logged and skipped this night.
    """
    done: dict[str, int] = {}
    for name in CHORES if names is None else names:
        chore = CHORES[name]
        if tasks.is_ending():
            break
        try:
            done[name] = chore(now or timezone.now())
        except Exception as error:
            logs.log_event(logger, logging.ERROR, "housekeeping", "failed", text=name, error=error)
    return done


def run_as_task() -> str:
    """Do every chore; return the numbers, and raise TaskFailed with the names of those that failed."""
    done = run()
    tasks.check_going_on()
    figures = " ".join(f"{name}={count}" for name, count in done.items())
    if failed := CHORES.keys() - done.keys():
        raise tasks.TaskFailed(f"failed: {', '.join(sorted(failed))} {figures}")
    return figures


# The chores


def _delete(rows: QuerySet[Any]) -> int:
    """Delete rows in batches; return their number."""
    count = 0
    while not tasks.is_ending() and (ids := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])):
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


def _logs(now: datetime) -> int:
    """Move old logs to files, unless another data folder has those of this database."""
    if settings.COMPRESS_LOGS_DAYS and not data_folders.may_write():
        logs.log_event(logger, logging.ERROR, "log_files", "elsewhere", text="another data folder has the log files")
        return 0
    return log_files.compress_old(now)


def _audit(now: datetime) -> int:
    return _older(AuditEntry.objects.all(), settings.KEEP_AUDIT_DAYS, now, field="at")


def _device_moves(now: datetime) -> int:
    return _delete(DeviceMove.objects.filter(expires_at__lt=now - timedelta(days=1)))


def _forms(now: datetime) -> int:
    return _delete(SentForm.objects.filter(sent_at__lt=now - form_ids.KEPT))


def _matches(now: datetime) -> int:
    """Write the matches that ended in processes of the version before while this one's were prepared."""
    upgraded = schema_version.changed_at()
    return matches.write_left(upgraded) if upgraded > now - UPGRADE else 0


def _older(rows: QuerySet[Any], days: int, now: datetime, field: str = "created_at") -> int:
    return _delete(rows.filter(**{f"{field}__lt": now - timedelta(days=days)})) if days else 0


CHORES: Mapping[str, Chore] = {
    "nights_closed": abandoned_nights.close_all,
    "sessions": _sessions,
    "chat": _chat,
    "news": _news,
    "audit": _audit,
    "device_moves": _device_moves,
    "forms": _forms,
    "matches": _matches,
    "bank_details": bank_details.throw_away,
    "wifi": wifi.seal_left,
    "wifi_keys": wifi.throw_away,
    "seasons": seasons.close_due,
    "sheets": sheets.forget_old,
    "dates": all_series.plan_all,
    "answers": answers.forget_names,
    "questions": questions.forget_old,
    "series": all_series.delete_ended,
    "mails": mail_outbox.forget_old,
    "mail_recipients": recipients.forget_old,
    "webhooks": webhook_outbox.forget_old,
    "guests": partial(deletion.delete_unseen_guests, is_ended=tasks.is_ending),
    "screens": screen_letters.forget_old,
    "dice": partial(dice_figures.count_new, is_ended=tasks.is_ending),
    "logs": _logs,
    "log_files": log_files.delete_unused,
}
