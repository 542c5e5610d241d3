"""Sending of the mails that are due: each is claimed, so that of two processes one sends it."""

from __future__ import annotations

from datetime import datetime, timedelta
from smtplib import (
    SMTPException,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)
from typing import Any

from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Mail, SeriesDate
from games.ops import mail_settings
from games.services import deliveries, tasks
from games.services.calendar import answers, next_season
from games.services.mails import outbox, texts, wishes

PAUSES = (timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30), timedelta(hours=1))
"""The pauses after which a mail is tried again that the server has put off; then it is given up."""
BATCH = 200
_GOING = 421
"""The code with which a server ends the connection."""


def run_as_task() -> str:
    """Put the reminders that are due and send what waits; return figures. Raises TaskFailed without a mail server."""
    return run(timezone.now())


def run(now: datetime) -> str:
    """Do the task at a time; raises TaskFailed, TaskEnded."""
    new = outbox.put_due_reminders(now) + outbox.put_due_questions(now)
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
    return deliveries.due(Mail.objects.select_related("date__series__venue", "season", "player__user"), now)


def _send_one(row: Mail, connection: Any, now: datetime) -> bool:
    """Send a mail unless another process has claimed it or it is not wanted any more; tell whether it was sent.

    Raises TaskFailed where the server takes no further mail on this connection, TaskEnded.
    """
    if not deliveries.claim(row, now):
        return False
    address = wishes.address_of(row.player)
    if not address or not is_wanted(row, now):
        deliveries.end_unwanted(row)
        return False
    _give_key(row)
    try:
        texts.message(row, address, connection).send()
    except (OSError, SMTPException) as error:
        _note_failure(row, error, now)
        return False
    deliveries.end_sent(row, now)
    return True


def _give_key(row: Mail) -> None:
    """Give a mail the key of its Message-ID, before it is handed over for the first time."""
    if not row.key:
        row.key = mail_settings.new_key()
        row.save(update_fields=["key"])


def is_wanted(row: Mail, now: datetime) -> bool:
    """Tell whether a mail still says something that its reader wants to know, and that no later one tells."""
    if row.season is not None:
        return (
            next_season.is_asked(row.season) and outbox.organisers_to_ask(row.season).filter(pk=row.player_id).exists()
        )
    return row.date is not None and _is_date_wanted(row, row.date, now)


def _is_date_wanted(row: Mail, date: SeriesDate, now: datetime) -> bool:
    if not wishes.readers_of(date.series).filter(pk=row.player_id).exists():
        return False
    if Mail.objects.filter(date=date, player=row.player_id, kind=row.kind, number__gt=row.number).exists():
        return False
    if row.kind == Mail.Kind.CHANGE:
        own = answers.of_player(date, row.player)
        return now < date.ends_at and own is not None and own.says != answers.Says.NO
    if date.is_cancelled or date.series.ended_at is not None:
        return False
    if row.kind == Mail.Kind.PLACE:
        return now < date.ends_at and any(each.player_id == row.player_id for each in answers.coming(date).yes)
    return outbox.is_reminder_time(date, now) and outbox.people_to_remind(date).filter(pk=row.player_id).exists()


def _note_failure(row: Mail, error: Exception, now: datetime) -> None:
    """Give a mail back or up by what the server has said; raises TaskFailed where it takes no further one now."""
    fault, codes = type(error).__name__, _codes(error)
    if codes:
        fault = f"{fault} {codes[0]}"
    if isinstance(error, SMTPSenderRefused):
        # The house's own settings, or a limit of the server's: no reader is to miss anything by it.
        deliveries.give_back(row, now + PAUSES[0], fault)
        raise tasks.TaskFailed(f"the mail server does not let EMAIL_FROM send: {fault}") from None
    if isinstance(error, SMTPNotSupportedError) or (codes and max(codes) >= 500):
        deliveries.put_off(row, now, fault, ())
    elif codes:
        deliveries.put_off(row, now, fault, PAUSES)
    else:
        deliveries.note_break(row, fault)
    if not codes or _GOING in codes:
        raise tasks.TaskFailed(f"the mail server broke off: {fault}") from None


def _codes(error: Exception) -> list[int]:
    """Return the codes of the server's answer; none where there was no answer."""
    if isinstance(error, SMTPRecipientsRefused):
        return [code for code, _text in error.recipients.values()]
    return [error.smtp_code] if isinstance(error, SMTPResponseException) else []
