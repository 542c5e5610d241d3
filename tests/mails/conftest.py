"""A real mail server on loopback, and a series whose people want mails."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from django.conf import LazySettings

from games.models import Player, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series
from games.services.mails import sending, wishes
from tests.calendar.conftest import draft
from tests.seasons.world import account
from tests.server import free_port

HOUSE = "https://house.example"


@dataclass
class Server:
    """A mail server that keeps what it gets. `answers` are what it says to the next messages, then "250 OK"."""

    got: list[EmailMessage] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer.startswith("250"):
            found = email.message_from_bytes(envelope.content, policy=email.policy.default)
            assert isinstance(found, EmailMessage)
            self.got.append(found)
        return answer

    @property
    def addressees(self) -> list[str]:
        """The addresses of what came, in alphabetical order."""
        return sorted(str(each["To"]) for each in self.got)


@pytest.fixture
def server(settings: LazySettings) -> Iterator[Server]:
    """The house's mail server, of the test's own."""
    found, port = Server(), free_port()
    controller = Controller(found, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", port, False
    settings.PUBLIC_URL = HOUSE
    yield found
    controller.stop()


def reader(name: str) -> Player:
    """Return a player with an account whose address is confirmed, and who wants mails."""
    player = account(name)
    address = f"{name.lower()}@example.org"
    EmailAddress.objects.create(user=player.user, email=address, verified=True, primary=True)
    wishes.set_wanted(player, True)
    player.refresh_from_db()
    return player


@pytest.fixture
def olga(db: None) -> Player:
    """An organiser who gets mails."""
    return reader("Olga")


@pytest.fixture
def anna(db: None) -> Player:
    return reader("Anna")


@pytest.fixture
def club(olga: Player) -> Series:
    """Olga's series, first held in three days, so that no reminder is due while a test goes on."""
    first = today() + timedelta(days=3)
    return all_series.create(olga, draft(first_day=first, weekday=first.weekday()))


@pytest.fixture
def date(club: Series) -> SeriesDate:
    """The first date."""
    found = club.dates.first()
    assert found is not None
    found.series = club
    return found


def eve_of(date: SeriesDate, hour: int = 18, minute: int = 0) -> datetime:
    """Return a time of the day before a date, in the house's zone."""
    return (date.starts_at - timedelta(days=1)).replace(hour=hour, minute=minute)


def send(now: datetime) -> str:
    """Do the background task at a time."""
    return sending.run(now)


def links_of(message: EmailMessage) -> dict[str, str]:
    """Return the links of a mail by the word before them, without the house's name."""
    lines = [line.split(": ", 1) for line in message.get_content().splitlines() if f": {HOUSE}" in line]
    return {word: link.removeprefix(HOUSE) for word, link in lines}


def stop_link(message: EmailMessage) -> str:
    """Return the link of `List-Unsubscribe`, without the house's name."""
    return str(message["List-Unsubscribe"]).strip(" <>").removeprefix(HOUSE)
