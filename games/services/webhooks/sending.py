"""Sending of messages to webhooks: a background task, so that nobody at a table waits for another server."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from games.kernel.contract import Illegal, JsonObject
from games.models import Webhook, WebhookMessage
from games.ops import logs
from games.services import tasks
from games.services.mails import reminders
from games.services.webhooks import by_apprise, messages, outbox, posting, shapes
from games.services.webhooks.posting import WaysOut

logger = logging.getLogger(__name__)

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360))
"""The pauses after which a message that failed is sent again; then it is given up."""
BATCH = 100


def run_as_task() -> str:
    """Put what is due and send what waits; return figures."""
    return run(timezone.now())


def run(now: datetime, network: WaysOut = posting.SYSTEM) -> str:
    """Do the task at a time; raises TaskEnded."""
    for date in reminders.due_dates(now):
        if date.night_id is None:
            outbox.tell_next(date, now)
    sent, slow = 0, set[int]()
    for row in _due(now)[:BATCH]:
        # An address that does not answer keeps the others waiting once a run.
        if row.webhook_id not in slow:
            is_sent = _send_one(row, now, network)
            sent += is_sent
            slow |= set() if is_sent else {row.webhook_id}
    return f"sent={sent}"


def _due(now: datetime) -> QuerySet[WebhookMessage]:
    rows = WebhookMessage.objects.filter(claimed_at=None, due_at__lte=now)
    about = ("webhook", "night", "date__series__venue", "date__series__season")
    return rows.select_related(*about).order_by("due_at", "pk")


def _send_one(row: WebhookMessage, now: datetime, network: WaysOut) -> bool:
    """Send a message unless another process has claimed it; tell whether it was taken."""
    tasks.check_going_on()
    if not WebhookMessage.objects.filter(pk=row.pk, claimed_at=None).update(claimed_at=now):
        return False
    webhook = row.webhook
    try:
        _deliver(webhook, messages.made(row), now, network)
    except Illegal as refusal:
        _note_failure(row, refusal.code, now)
        return False
    WebhookMessage.objects.filter(pk=row.pk).update(sent_at=now)
    Webhook.objects.filter(pk=webhook.pk).update(sent_at=now, fault="")
    return True


def _deliver(webhook: Webhook, message: JsonObject, now: datetime, network: WaysOut) -> None:
    """Send a message in the webhook's form; raises Illegal as `posting.post`, `by_apprise.send`."""
    if webhook.shape == Webhook.Shape.APPRISE:
        by_apprise.send(webhook.address, str(message["text"]))
    else:
        body = shapes.body(webhook.shape, message)
        posting.post(webhook.address, body, webhook.secret, int(now.timestamp()), network)


def _note_failure(row: WebhookMessage, code: str, now: datetime) -> None:
    """Note why a message failed, and give it back unless it is a test or has been tried often enough."""
    Webhook.objects.filter(pk=row.webhook_id).update(fault=code)
    logs.log_event(logger, logging.WARNING, "webhooks", "failed", text=code)
    if row.kind != WebhookMessage.Kind.TEST and row.tries < len(PAUSES):
        again = {"claimed_at": None, "due_at": now + PAUSES[row.tries], "tries": row.tries + 1}
        WebhookMessage.objects.filter(pk=row.pk).update(**again)
