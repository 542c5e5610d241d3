"""Sending of the mails that are due: each is claimed once, so that of two processes one sends it."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Mail
from games.ops import logs
from games.services import tasks
from games.services.calendar import answers
from games.services.mails import reminders, texts, wishes

logger = logging.getLogger(__name__)

PAUSES = (timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30), timedelta(hours=1))
"""The pauses after which a mail is tried again that the server has put off; then it is given up."""
BATCH = 200


def run_as_task() -> str:
    """Put the reminders that are due and send what waits; return figures. Raises TaskFailed without a mail server."""
    return run(timezone.now())


def run(now: datetime) -> str:
    """Do the task at a time; raises TaskFailed, TaskEnded."""
    new = reminders.put_due(now)
    if not _due(now).exists():
        return f"reminders={new} sent=0"
    connection: BaseEmailBackend = mail.get_connection()
    try:
        # Before any mail is claimed: without a server they all wait.
        connection.open()
    except (OSError, SMTPException) as error:
        raise tasks.TaskFailed(f"no mail server: {type(error).__name__}") from None
    try:
        sent = sum(_send_one(row, connection, now) for row in _due(now)[:BATCH])
    finally:
        connection.close()
    return f"reminders={new} sent={sent}"


def _due(now: datetime) -> QuerySet[Mail]:
    rows = Mail.objects.filter(claimed_at=None, due_at__lte=now)
    return rows.select_related("date__series__venue", "player__user").order_by("due_at", "pk")


def _send_one(row: Mail, connection: Any, now: datetime) -> bool:
    """Send a mail unless another process has claimed it or it is not wanted any more; tell whether it was sent."""
    tasks.check_going_on()
    if not Mail.objects.filter(pk=row.pk, claimed_at=None).update(claimed_at=now):
        return False
    address = wishes.address_of(row.player)
    if not address or not is_wanted(row, now):
        return False
    try:
        texts.message(row, address, connection).send()
    except (OSError, SMTPException) as error:
        _note_failure(row, error, now)
        return False
    Mail.objects.filter(pk=row.pk).update(sent_at=now)
    return True


def is_wanted(row: Mail, now: datetime) -> bool:
    """Tell whether a mail still says something that its reader wants to know."""
    date = row.date
    if not wishes.readers_of(date.series).filter(pk=row.player_id).exists():
        return False
    if row.kind == Mail.Kind.CHANGE:
        own = answers.of_player(date, row.player)
        return now < date.ends_at and own is not None and own.says != answers.Says.NO
    if date.is_cancelled or date.series.ended_at is not None:
        return False
    if row.kind == Mail.Kind.PLACE:
        return now < date.ends_at and any(each.player_id == row.player_id for each in answers.coming(date).yes)
    return reminders.is_time(date, now) and reminders.people_of(date).filter(pk=row.player_id).exists()


def _note_failure(row: Mail, error: Exception, now: datetime) -> None:
    """Give a mail back that the server has put off. Where nobody knows whether it has arrived it is not sent again."""
    is_put_off = _is_put_off(error) and row.tries < len(PAUSES)
    # No text of the server's: it repeats addresses.
    logs.log_event(logger, logging.WARNING, "mails", "put_off" if is_put_off else "given_up", text=type(error).__name__)
    if is_put_off:
        due_at = now + PAUSES[row.tries]
        Mail.objects.filter(pk=row.pk).update(claimed_at=None, due_at=due_at, tries=row.tries + 1)


def _is_put_off(error: Exception) -> bool:
    """Tell whether the server has said that it does not take the mail now (a code of 4xx)."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(400 <= code < 500 for code, _text in error.recipients.values())
    return isinstance(error, SMTPResponseException) and 400 <= error.smtp_code < 500
