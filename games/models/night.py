"""Nights: an evening of games with a host, a room code and its members."""

from __future__ import annotations

import secrets
from datetime import date, datetime, timedelta

from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.models.house import zone

# No vowels (so codes form no words), no look-alikes: 0/O, 1/I/L, 2/Z, 5/S, 8/B, U/V.
CODE_ALPHABET = "34679CDFGHJKMNPQRTWXY"
CODE_LENGTH = 5
PUBLIC_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_code() -> str:
    """Return a random room code."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def new_public_id() -> str:
    """Return a random id for URLs: 12 characters, about 59 bits; it identifies a row and grants no right."""
    return "".join(secrets.choice(PUBLIC_ALPHABET) for _ in range(12))


DAY_BEGINS = timedelta(hours=5)
"""The time of day in the house's zone before which an evening still belongs to the day before."""


def day_of(at: datetime) -> date:
    """Return the day of an evening that goes on at a time: the local day in the house's zone, from 05:00 on."""
    return (at.astimezone(zone()) - DAY_BEGINS).date()


def today() -> date:
    """Return the day of an evening that goes on now."""
    return day_of(timezone.now())


class Night(models.Model):
    """An evening. The room code and the tokens are valid while it is not closed.

    `day` is the day on which it is held, by default that of its opening (`day_of`). A past night (`is_past`) was held
    without the house: it is closed from the start and has past games alone (`services.history.past_nights`).
    The Wi-Fi is the one that guests' phones should use; its password is sealed (services.nights.wifi), and it is
    deleted at the end of the night.
    `host_away_since` is the time at which the host was noted as away, `host_seen_at` the last time at which some
    process had a connection of the host; both by the house's time. `former_hosts`: from whom the night was taken over
    (services.nights.former_hosts). `opened_by` stays who opened it, whoever hosts it later.
    `kitty_holder` holds the kitty of the night's tables; null is the host. `one_table`: the host wants newcomers at one
    table, not spread over two (services.draws.waiting_tables). `calls_aloud`: its big screens say the headlines.
    A practice night (`services.hosting.practice`) is for one player against bots: it has no room code, takes
    in no members and counts in no history.
    """

    class Status(models.TextChoices):
        """The status of a night: open takes guests, locked takes none, closed is over."""

        OPEN = "open", _("open")
        LOCKED = "locked", _("locked")
        CLOSED = "closed", _("closed")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(_("name"), max_length=80)
    host = models.ForeignKey("games.Player", verbose_name=_("host"), on_delete=models.PROTECT, related_name="hosted")
    venue = models.ForeignKey(
        "games.Venue",
        verbose_name=_("venue"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="nights",
    )
    code = models.CharField(_("room code"), max_length=8, unique=True, null=True, default=new_code)  # noqa: DJ001
    code_version = models.PositiveIntegerField(default=1)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.OPEN)
    admit_by_hand = models.BooleanField(_("host lets people in"), default=False)
    one_table = models.BooleanField(default=False, db_default=False)
    calls_aloud = models.BooleanField(default=False, db_default=False)
    is_practice = models.BooleanField(_("practice against bots"), default=False)
    cap = models.PositiveSmallIntegerField(_("most people"), default=60)
    wifi_name = models.CharField(_("Wi-Fi for guests"), max_length=32, blank=True)
    wifi_sealed = models.BinaryField(default=b"", db_default=b"")
    # Written by 1.0.0 alone, which may play on beside this version (docs/releasing.md says when it goes).
    wifi_password = models.CharField(max_length=63, blank=True, default="", db_default="", editable=False)
    phone_address = models.CharField(_("address for phones"), max_length=100, blank=True)
    host_away_since = models.DateTimeField(null=True, blank=True)
    day = models.DateField(_("day"), default=today, db_index=True)
    is_past = models.BooleanField(_("held without the house"), default=False)
    host_seen_at = models.DateTimeField(null=True, blank=True)
    former_hosts = models.JSONField(default=list, blank=True)
    opened_by = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="opened")
    kitty_holder = models.ForeignKey(
        "games.Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="kitties"
    )
    created_at = models.DateTimeField(_("opened"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("night"), _("nights")
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["host_away_since"]),
            models.Index(fields=["created_at"], name="night_by_date"),
            models.Index(fields=["closed_at"], name="practice_by_end", condition=models.Q(is_practice=True)),
        ]

    def __str__(self) -> str:
        return self.name

    def token(self, purpose: str) -> str:
        """Return the 128-bit token for `purpose`: "join" (the QR code), "code" (who typed the room code) or "tv".

        It is derived, not stored: a copy of the database alone gives access to no night. A new room code
        (`code_version`) makes a new token.
        """
        value = f"{self.public_id}:{self.code_version}"
        return salted_hmac(f"games.night.{purpose}", value, algorithm="sha256").hexdigest()[:32]


class Membership(models.Model):
    """A player at a night.

    `keeper` is set for a person without a phone: the member acting for their seats, unless a table has a scorekeeper.
    `is_muted`: the host keeps the player from chatting.
    `is_invited`: came by the QR code (or its link), was let in by the host or brought by the host; who typed the room
    code, or was brought by another guest, is not.
    `joined_at` is of the house's time, as is the time at which a host is noted as away.
    `gone_at`: has gone home at that time, as somebody said (`services.tables.here`); null is here.
    """

    class Status(models.TextChoices):
        """The status of a membership: waiting for the host, in, or removed by the host."""

        WAITING = "waiting", _("waits at the door")
        IN = "in", _("in")
        KICKED = "kicked", _("shown the door")

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(
        "games.Player",
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="memberships",
    )
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.IN)
    keeper = models.ForeignKey(
        "games.Player",
        verbose_name=_("acts for them"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="kept_memberships",
    )
    is_muted = models.BooleanField(_("muted"), default=False)
    is_invited = models.BooleanField(_("by invitation"), default=True)
    joined_at = models.DateTimeField(_("came"), default=timezone.now, editable=False)
    gone_at = models.DateTimeField(_("went home"), null=True, editable=False)

    class Meta:
        verbose_name, verbose_name_plural = _("person at a night"), _("people of the night")
        ordering = ["joined_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["night", "player"], name="one_membership_a_night")]

    def __str__(self) -> str:
        return f"{self.player} @ {self.night}"


class NightEvent(models.Model):
    """An event of a night that all members may see: joined, locked, kicked, closed…"""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="events")
    type = models.CharField(max_length=32)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("event of a night"), _("events of the night")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.type} @ {self.night}"


class DeviceMove(models.Model):
    """A guest's request to continue on another phone, with its one-time number.

    `agreed` holds the hosts (player ids) that approved it, `is_own` says that the guest's own
    device did; `wrong` counts the wrong numbers typed for the guest meanwhile.
    """

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="device_moves")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE)
    number = models.CharField(max_length=6)
    secret_hash = models.CharField(max_length=64, unique=True)
    agreed = models.JSONField(default=list)
    is_own = models.BooleanField(default=False)
    wrong = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.player} @ {self.night}: {self.number}"
