"""Which process runs the clock."""

from __future__ import annotations

from django.db import models


class ClockLease(models.Model):
    """One row: who acts for bots and sleepers, and until when, by the database's time.

    `house_ms` is the house's time (services/house_time.py) at the database's time `told_at`.
    """

    name = models.CharField(max_length=16, primary_key=True, default="clock")
    holder = models.CharField(max_length=64, blank=True)
    until = models.DateTimeField()
    house_ms = models.BigIntegerField(null=True)
    told_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.holder or 'nobody'} until {self.until}"
