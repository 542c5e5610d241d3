"""Deliveries to other servers: each is claimed by one process, and its end is noted.

A process may end between the claim and the note of the end, and nobody knows then whether the other side has taken it.
Such a claim is taken over after ten minutes, three times at most: it may arrive twice, with the same id, rather than
never.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from games.models import Mail, WebhookMessage
from games.models.delivery import Delivery
from games.ops import logs
from games.services import tasks

logger = logging.getLogger(__name__)

LOST = timedelta(minutes=10)
"""A claim of this age without an end is that of a process that has ended."""
MOST_LOST = 3
"""The number of times that such a claim is taken over; then it is given up."""
LOST_FAULT = "lost"
"""The fault of what was given up so."""
SHOWN = 50
Row = TypeVar("Row", bound=Delivery)
End = Delivery.End


def due(rows: QuerySet[Row], now: datetime) -> QuerySet[Row]:
    """Return those of these rows that are to be handed over now, in their order."""
    # A claim of the future was written before the clock was set back.
    is_lost = Q(claimed_at__lt=now - LOST) | Q(claimed_at__gt=now + LOST)
    waiting = rows.filter(Q(claimed_at=None) | is_lost, ended="", sent_at=None, due_at__lte=now)
    return waiting.order_by("due_at", "pk")


def claim(row: Delivery, now: datetime) -> bool:
    """Claim a row that is due for this process; tell whether. One that was lost too often is given up.

    Raises TaskEnded.
    """
    tasks.check_going_on()
    is_lost = row.claimed_at is not None
    mine = _open(row).filter(claimed_at=row.claimed_at)
    if is_lost and row.lost >= MOST_LOST:
        if mine.update(ended=End.GIVEN_UP, fault=row.fault or LOST_FAULT):
            _log(row, "given_up", row.fault or LOST_FAULT)
        return False
    if not mine.update(claimed_at=now, lost=row.lost + is_lost):
        return False
    row.claimed_at, row.lost = now, row.lost + is_lost
    return True


def _open(row: Row) -> QuerySet[Row]:
    """Return a row while it has no end."""
    return type(row)._default_manager.filter(pk=row.pk, ended="", sent_at=None)


def end_sent(row: Delivery, now: datetime) -> None:
    """Note that the other side has taken it."""
    _open(row).update(ended=End.SENT, sent_at=now, fault="")


def end_unwanted(row: Delivery) -> None:
    """Note that it is not wanted any more."""
    _open(row).update(ended=End.NOT_WANTED)


def put_off(row: Delivery, now: datetime, fault: str, pauses: Sequence[timedelta]) -> None:
    """Give back what the other side has not taken, until after the next of the pauses; give it up after the last."""
    if row.tries < len(pauses):
        give_back(row, now + pauses[row.tries], fault, tries=row.tries + 1)
    elif _open(row).update(ended=End.GIVEN_UP, fault=fault):
        _log(row, "given_up", fault)


def give_back(row: Delivery, due_at: datetime, fault: str, **counted: int) -> None:
    """Give a row back, to be claimed again from a time on."""
    if _open(row).update(claimed_at=None, due_at=due_at, fault=fault, **counted):
        _log(row, "put_off", fault)


def note_break(row: Delivery, fault: str) -> None:
    """Note why nobody knows whether it was taken: it keeps its claim, which is lost after a while."""
    _open(row).update(fault=fault)
    _log(row, "broken_off", fault)


def _log(row: Delivery, event: str, fault: str) -> None:
    # No text of the other side's: it repeats addresses.
    logs.log_event(logger, logging.WARNING, str(row._meta.model_name), event, text=fault)


def given_up() -> list[Delivery]:
    """Return the mails and messages that were given up, the latest first; tests are told where they were asked for."""
    mails: QuerySet[Any] = Mail.objects.select_related("date__series", "season", "player")
    messages = WebhookMessage.objects.exclude(kind=WebhookMessage.Kind.TEST).select_related("webhook__series", "night")
    found = (row for rows in (mails, messages) for row in rows.filter(ended=End.GIVEN_UP).order_by("-due_at")[:SHOWN])
    return sorted(found, key=lambda row: row.due_at, reverse=True)[:SHOWN]
