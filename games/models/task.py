"""Background tasks: when each is due, when it ran last, and what came of it."""

from __future__ import annotations

from django.db import models


class BackgroundTask(models.Model):
    """The row of one background task (`services.tasks` declares and runs them), by the computer's clock.

    `due_at` is when a process does it next, `started_at` and `ended_at` are of the last run, `succeeded_at` of the last
    one that succeeded. `result` is what came of the last run: figures, or the sentence of its fault. `done_by` is the
    program that does the work of a process of its own, such as an engine with its version and level; `given_up` is how
    that process ended too often to be started again, "" while it is.
    """

    name = models.CharField(max_length=32, primary_key=True)
    due_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    succeeded_at = models.DateTimeField(null=True)
    result = models.TextField(blank=True)
    done_by = models.CharField(max_length=120, blank=True)
    given_up = models.TextField(blank=True, default="", db_default="")

    def __str__(self) -> str:
        return self.name

    @property
    def is_running(self) -> bool:
        """Tell whether a process has begun the task and not ended it."""
        return self.started_at is not None and (self.ended_at is None or self.ended_at < self.started_at)

    @property
    def has_failed(self) -> bool:
        """Tell whether the last run that ended has failed."""
        return self.ended_at is not None and self.ended_at != self.succeeded_at


class StoredBackup(models.Model):
    """A backup in the house's folder of backups, as it was written, and what was seen of its file since.

    `size` is in bytes, `sha256` hexadecimal. `fault` is what the last look at the file found, in a sentence, "" for
    nothing. `proved_at` is when it was last restored into an empty house, and `proof_fault` what that found.
    """

    name = models.CharField(max_length=120, primary_key=True)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    fault = models.TextField(blank=True)
    proved_at = models.DateTimeField(null=True)
    proof_fault = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name
