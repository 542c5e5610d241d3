"""Deliveries to other servers: mails about dates and messages to webhooks, and their ends."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Delivery(models.Model):
    """Something to be handed over to another server, from `due_at` on, by the process that sets `claimed_at`.

    `ended` is its end, "" until then; `sent_at` is the time at which it was taken. What the other side has put
    off is given back, `tries` counts; a claim without an end is that of a process that has ended, and is taken over,
    `lost` counts these (games/services/deliveries.py). `fault` is the code of the last failure.
    """

    class End(models.TextChoices):
        """The end: taken by the other side, given up, or not wanted any more when it was to be sent."""

        SENT = "sent"
        GIVEN_UP = "given_up"
        NOT_WANTED = "not_wanted"

    due_at = models.DateTimeField(default=timezone.now)
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    lost = models.PositiveSmallIntegerField(default=0, db_default=0)
    ended = models.CharField(max_length=10, choices=End, blank=True, default="", db_default="")
    fault = models.CharField(max_length=48, blank=True, default="", db_default="")

    class Meta:
        abstract = True
