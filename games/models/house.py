"""The house: its name, place, language, logo, and what a point costs; one row, and what is read of it.

A variable of the environment (`settings.HOUSE_FIXED`) wins over the row.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import DatabaseError, connection, models, transaction
from django.utils.translation import gettext_lazy as _

ONLY = 1
"""The key of the row."""
KEPT_SECONDS = 1.0
"""Seconds for which a process goes by what it has read: so much later it knows what another one has changed."""
FACTS = ("name", "country", "time_zone", "language", "price", "contact", "imprint", "notice_addition")
LIMITS = ("points_worth", "most_a_point", "most_a_night")


class House(models.Model):
    """The house as its staff describe it (`services.house` writes it); "" is not said.

    `country` is a code of ISO 3166, `time_zone` a name such as Europe/Oslo, `language` is that of guests whose browser
    names none of the house's languages, `price` says in words what a point or a round costs. `contact` is whom
    people ask about their data, `imprint` who runs the house, `notice_addition` what stands below the privacy notice
    that the house makes itself. The logo is a picture of
    the media type `logo_type`, at an address with its digest. `points_worth` says what hosts may let points be worth;
    `most_a_point` and `most_a_night`, in hundredths of any currency, are the highest value of a point and the most that
    somebody may owe at a night; 0 is no limit. `printed_password` is the hash of a password that was
    printed at the first start: an account that still has it is asked for one of its own.
    """

    class Worth(models.TextChoices):
        """The things that points may be worth at this house."""

        ANYTHING = "anything", _("money or rounds")
        ROUNDS = "rounds", _("rounds only")
        NOTHING = "nothing", _("nothing: they are only counted")

    name = models.CharField(max_length=60, blank=True)
    country = models.CharField(max_length=2, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=8, blank=True)
    price = models.CharField(max_length=120, blank=True)
    contact = models.TextField(blank=True, default="", db_default="")
    imprint = models.TextField(blank=True, default="", db_default="")
    notice_addition = models.TextField(blank=True, default="", db_default="")
    logo = models.BinaryField(null=True)
    logo_type = models.CharField(max_length=16, blank=True)
    logo_digest = models.CharField(max_length=32, blank=True)
    answered_at = models.DateTimeField(null=True)
    points_worth = models.CharField(max_length=8, choices=Worth, default=Worth.ANYTHING, db_default=Worth.ANYTHING)
    most_a_point = models.PositiveIntegerField(default=0, db_default=0)
    most_a_night = models.PositiveIntegerField(default=0, db_default=0)
    printed_password = models.CharField(max_length=128, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=ONLY), name="one_house")]

    def __str__(self) -> str:
        return self.name or "Stammtisch"


@dataclass(frozen=True, slots=True)
class Facts:
    """The house as it is now: the environment's values, else the row's. `logo` is the picture's digest, "" for none."""

    name: str
    country: str
    time_zone: str
    language: str
    price: str
    contact: str
    imprint: str
    notice_addition: str
    logo: str
    is_answered: bool

    @property
    def zone(self) -> ZoneInfo:
        """The house's time zone."""
        return ZoneInfo(self.time_zone or settings.TIME_ZONE)


@dataclass(slots=True)
class _Reading:
    """The row as this process has read it last; `at` is None if it no longer counts."""

    row: Mapping[str, Any]
    at: float | None = None


_reading = _Reading({})


def facts() -> Facts:
    """Return what is known of the house, at most KEPT_SECONDS old."""
    row = _row()
    known: dict[str, str] = {name: row.get(name, "") for name in FACTS} | dict(settings.HOUSE_FIXED)
    return Facts(**known, logo=row.get("logo_digest", ""), is_answered=row.get("answered_at") is not None)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of what points may be worth at this house; amounts in hundredths of any currency, 0 is no limit."""

    points_worth: str = House.Worth.ANYTHING
    most_a_point: int = 0
    most_a_night: int = 0


def limits() -> Limits:
    """Return the house's limits of what points are worth, at most KEPT_SECONDS old."""
    row = _row()
    return Limits(**{name: row[name] for name in LIMITS if name in row})


def zone() -> ZoneInfo:
    """Return the house's time zone: it decides the time on pages and the day of a night."""
    return facts().zone


def forget() -> None:
    """Let the next reader ask the database."""
    _reading.at = None


def _row() -> Mapping[str, Any]:
    """Return the row's values, {} without a row; while the database does not answer, what was read last."""
    now = time.monotonic()
    if _reading.at is None or now - _reading.at > KEPT_SECONDS:
        try:
            # A query that fails would spoil a transaction around it, such as that of a migration.
            with transaction.atomic() if connection.in_atomic_block else nullcontext():
                found = House.objects.filter(pk=ONLY).values(*FACTS, *LIMITS, "logo_digest", "answered_at").first()
        except DatabaseError:
            return _reading.row
        _reading.row, _reading.at = found or {}, now
    return _reading.row
