"""Processes that send mails and messages to webhooks, and end themselves with SIGKILL on the way. For world.py.

Each is a child of the world's process: it sends what is due, and ends at its n-th delivery, before it is handed over or
before it is noted as sent.
"""

from __future__ import annotations

import os
import signal
import socket
from datetime import datetime, timedelta
from typing import Any

HOOK = "http://hooks.example/"


def make(readers: int) -> str:
    """Make a series with so many people who get mails, and a webhook; return the time of its first reminder."""
    from allauth.account.models import EmailAddress

    from games.models import Mail, WebhookMessage
    from games.models.night import today
    from games.services.calendar import all_series, answers
    from games.services.calendar.answers import Said
    from games.services.mails import wishes
    from games.services.webhooks import webhooks
    from tests.calendar.conftest import draft
    from tests.seasons.world import account

    Mail.objects.all().delete()
    WebhookMessage.objects.all().delete()
    organiser, first = account(f"Olga{os.urandom(4).hex()}"), today() + timedelta(days=3)
    series = all_series.create(organiser, draft(first_day=first, weekday=first.weekday()))
    date = series.dates.get(day=first)
    webhooks.add(series, organiser, HOOK, "json")
    for number in range(readers):
        player = account(f"Reader{number}{os.urandom(4).hex()}")
        EmailAddress.objects.create(user=player.user, email=f"r{number}@example.org", verified=True, primary=True)
        wishes.set_wanted(player, True)
        answers.answer(date, player, Said("yes"))
    return (date.starts_at - timedelta(days=1)).replace(hour=18, minute=0).isoformat()


def send(kind: str, at: str, port: int, end: str, number: int) -> bool:
    """Send what is due at a time; tell whether the process has ended itself, `end` ("before", "after") its n-th one."""
    from django.db import connection

    connection.close()
    child = os.fork()
    if child == 0:
        try:
            _send(kind, datetime.fromisoformat(at), port, end, number)
        finally:
            os._exit(0)
    _pid, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _send(kind: str, now: datetime, port: int, end: str, number: int) -> None:
    from django.core.mail import EmailMessage

    from games.services import deliveries
    from games.services.webhooks import posting

    left = [number]

    def ending(act: Any) -> Any:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            return act(*args, **kwargs)

        return wrapped

    if end == "before":
        EmailMessage.send = ending(EmailMessage.send)  # type: ignore[method-assign]
        posting.post = ending(posting.post)
    elif end == "after":
        deliveries.end_sent = ending(deliveries.end_sent)
    (_send_mails if kind == "mails" else _send_messages)(now, port)


def _send_mails(now: datetime, port: int) -> None:
    from games.services.mails import sending

    sending.run(now)


def _send_messages(now: datetime, port: int) -> None:
    from games.services.webhooks import posting, sending

    loopback = posting.WaysOut(
        lambda host, _port: ["93.184.215.14"],
        lambda ip, _port, seconds: socket.create_connection(("127.0.0.1", port), timeout=seconds),
    )
    sending.run(now, loopback)


def rows() -> dict[str, list[list[Any]]]:
    """Return of each mail and message how it ended, and how often it was lost."""
    from games.models import Mail, WebhookMessage

    def told(model: Any) -> list[list[Any]]:
        return [[row.ended, row.lost] for row in model.objects.order_by("pk")]

    return {"mails": told(Mail), "webhooks": told(WebhookMessage)}
