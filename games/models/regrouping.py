"""Tables for many that are split or joined."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Regrouping(models.Model):
    """A table for many that is split, or whose people join another one, after the game that runs.

    `target` is the table that they go to: of a join from the beginning, of a split when it is done. `seats` are the
    places at `source` whose people go. `is_announced`: they are told; who then says that they stay does so.
    """

    source = models.ForeignKey("games.Table", on_delete=models.CASCADE, related_name="regroupings")
    target = models.ForeignKey("games.Table", null=True, on_delete=models.CASCADE, related_name="regroupings_here")
    seats = models.JSONField()
    is_announced = models.BooleanField(default=False)
    is_over = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["is_over"], name="regrouping_by_end")]
        constraints = [
            models.UniqueConstraint(
                fields=["source"], condition=models.Q(is_over=False), name="one_open_regrouping_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} → {self.target or '…'}"
