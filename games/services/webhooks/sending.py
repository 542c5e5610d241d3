"""Sending of messages to webhooks: a background task, so that nobody at a table waits for another server.

The forms of a message: the house's own JSON, and those of Discord, Slack and Matrix.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from games.kernel.contract import Illegal, JsonObject
from games.models import Night, Webhook, WebhookMessage
from games.services import deliveries
from games.services.mails import outbox as mail_outbox
from games.services.webhooks import by_apprise, messages, outbox, posting
from games.services.webhooks.posting import WaysOut

DISCORD_MOST, SLACK_MOST, MATRIX_MOST = 2000, 3000, 8000
_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()-])")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def discord(text: str) -> JsonObject:
    """Return a message for an incoming webhook of Discord; no name in it formats or calls anybody."""
    return {"content": _cut(_MARKDOWN.sub(r"\\\1", text), DISCORD_MOST), "allowed_mentions": {"parse": []}}


def slack(text: str) -> JsonObject:
    """Return a message for an incoming webhook of Slack, whose own signs are escaped."""
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": _cut(plain, SLACK_MOST), "mrkdwn": False}


def matrix(text: str) -> JsonObject:
    """Return a message for a generic webhook of Matrix (hookshot); an @ in it calls nobody."""
    return {"text": _cut(text.replace("@", "@\u200b"), MATRIX_MOST)}


SHAPES: Mapping[str, Callable[[str], JsonObject]] = {
    Webhook.Shape.DISCORD: discord,
    Webhook.Shape.SLACK: slack,
    Webhook.Shape.MATRIX: matrix,
}


def shaped_body(shape: str, message: JsonObject) -> bytes:
    """Return the bytes of a message, which has all its facts and a `text`, in a form."""
    made = SHAPES[shape](str(message["text"])) if shape in SHAPES else message
    return json.dumps(made, ensure_ascii=False).encode()


PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360))
"""The pauses after which a message that failed is sent again; then it is given up."""
BATCH = 100
Kind = WebhookMessage.Kind


def run_as_task() -> str:
    """Queue reminders that are due, send waiting messages, and return the numbers as a text."""
    return run(timezone.now())


def run(now: datetime, network: WaysOut = posting.SYSTEM) -> str:
    """Do the task at a time; raises TaskEnded."""
    for date in mail_outbox.due_dates(now):
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
    about = ("webhook", "night", "season", "date__series__venue")
    return deliveries.due(WebhookMessage.objects.select_related(*about), now)


def _send_one(row: WebhookMessage, now: datetime, network: WaysOut) -> bool:
    """Send a message unless another process has claimed it; tell whether it was taken. Raises TaskEnded."""
    if not deliveries.claim(row, now):
        return False
    if (row.tries or row.lost) and not is_wanted(row, now):
        deliveries.end_unwanted(row)
        return False
    try:
        _deliver(row, now, network)
    except Illegal as refusal:
        _note_failure(row, refusal.code, now)
        return False
    deliveries.end_sent(row, now)
    Webhook.objects.filter(pk=row.webhook_id).update(sent_at=now, fault="")
    return True


def is_wanted(row: WebhookMessage, now: datetime) -> bool:
    """Tell whether a message that is sent again is still true, and told by no later one."""
    date, night = row.date, row.night
    if row.kind == Kind.OPENED:
        return night is not None and night.status != Night.Status.CLOSED
    if date is None or row.kind not in {Kind.DATE, Kind.CHANGED}:
        return True
    if row.kind == Kind.DATE:
        return now < date.starts_at and not date.is_cancelled
    later = WebhookMessage.objects.filter(webhook=row.webhook_id, date=date, kind=Kind.CHANGED, pk__gt=row.pk)
    return now < date.ends_at and not later.exists()


def _deliver(row: WebhookMessage, now: datetime, network: WaysOut) -> None:
    """Send a message in the webhook's form; raises Illegal as `posting.post`, `by_apprise.send`."""
    webhook, message = row.webhook, messages.made(row)
    if webhook.shape == Webhook.Shape.APPRISE:
        by_apprise.send(webhook.address, str(message["text"]))
    else:
        body = shaped_body(webhook.shape, message)
        at = int(now.timestamp())
        posting.post(webhook.address, body, webhook.secret, at, network, message_id=row.message_id)


def _note_failure(row: WebhookMessage, code: str, now: datetime) -> None:
    """Note why a message failed, and give it back unless it is a test or has been tried often enough."""
    Webhook.objects.filter(pk=row.webhook_id).update(fault=code)
    deliveries.put_off(row, now, code, () if row.kind == Kind.TEST else PAUSES)
