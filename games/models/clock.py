"""The clock's row: the house's time, and the time until which a process certainly runs the clock."""

from __future__ import annotations

from django.db import models


class HouseClock(models.Model):
    """One row that every process with a clock writes; `until` is by the database's time.

    `house_ms` is the house's time (games/services/clock/server_time.py) at the database's time `told_at`.
    """

    name = models.CharField(max_length=16, primary_key=True, default="clock")
    until = models.DateTimeField()
    house_ms = models.BigIntegerField(null=True)
    told_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"the clock, until {self.until}"
