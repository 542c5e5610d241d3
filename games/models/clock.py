"""Rows that servers write about themselves: the clock's row, and the data folders that they use."""

from __future__ import annotations

from django.db import models


class HouseClock(models.Model):
    """One row that every process with a clock writes; `until` is by the database's time.

    `house_ms` is the house's time (games/services/server_time.py) at the database's time `told_at`.
    """

    name = models.CharField(max_length=16, primary_key=True, default="clock")
    until = models.DateTimeField()
    house_ms = models.BigIntegerField(null=True)
    told_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"the clock, until {self.until}"


class DataFolder(models.Model):
    """A data folder whose servers share this database (`services.logs.data_folders` writes it).

    `writes_logs` is true for one folder at most: the log files of all tables are there.
    """

    id = models.CharField(max_length=32, primary_key=True)
    seen_at = models.DateTimeField()
    writes_logs = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["writes_logs"], condition=models.Q(writes_logs=True), name="one_folder_of_logs"
            )
        ]

    def __str__(self) -> str:
        return self.id
