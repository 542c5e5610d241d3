"""Payments of a night: own values of a point, payments, leavers who settle, and bank details for one night.

Amounts are hundredths of a `currency` (ISO 4217), or whole "rounds".
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone


class PointValue(models.Model):
    """A player's own value of a point at a table, for the games that begin after `since`; the last one counts."""

    table = models.ForeignKey("games.Table", on_delete=models.CASCADE, related_name="point_values")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="point_values")
    value = models.PositiveIntegerField()
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["table", "since", "pk"]

    def __str__(self) -> str:
        return f"{self.player} @ {self.table}: {self.value}"


class Settling(models.Model):
    """The settling of a leaver in mid-night: their balance of one currency, closed against others.

    `amount` is that balance: above zero the leaver gets it, below zero the leaver pays it. The `taker` takes it over;
    without one it is shared by all in equal parts. Its `payments` each wait for the agreement of the other person, and
    it counts from `agreed_at` on, when all have agreed.
    """

    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="settlings")
    leaver = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="settlings")
    taker = models.ForeignKey("games.Player", null=True, on_delete=models.CASCADE, related_name="settlings_taken")
    currency = models.CharField(max_length=8)
    amount = models.IntegerField()
    proposed_at = models.DateTimeField(auto_now_add=True)
    agreed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["proposed_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["night", "leaver", "currency"],
                condition=Q(agreed_at=None),
                name="one_proposal_a_leaver",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.leaver} @ {self.night}: {self.amount} {self.currency}"


class Payment(models.Model):
    """A payment at a night, from `payer` to `payee`; null stands for the table.

    A row stands while one of the two has ticked it, and for good when both have: it is booked. A payment of a
    `settling` stands without a tick; it `agreed_at` when the other person has agreed to it.
    """

    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="payments")
    payer = models.ForeignKey("games.Player", null=True, on_delete=models.CASCADE, related_name="payments_out")
    payee = models.ForeignKey("games.Player", null=True, on_delete=models.CASCADE, related_name="payments_in")
    currency = models.CharField(max_length=8)
    amount = models.PositiveIntegerField()
    settling = models.ForeignKey(Settling, null=True, on_delete=models.CASCADE, related_name="payments")
    agreed_at = models.DateTimeField(null=True)
    payer_ticked_at = models.DateTimeField(null=True)
    payee_ticked_at = models.DateTimeField(null=True)
    booked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["booked_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["night", "payer", "payee", "currency"],
                condition=Q(booked_at=None, settling=None),
                name="one_open_payment_a_pair",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer} → {self.payee}: {self.amount} {self.currency}"


class BankDetails(models.Model):
    """A payee's name and IBAN for one night, encrypted with the night's key (services.payments.bank_details)."""

    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="bank_details")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="bank_details")
    sealed = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["night", "player"], name="one_bank_details_a_night")]

    def __str__(self) -> str:
        return f"{self.player} @ {self.night}"
