"""Results: what each finished game was worth to each seat."""

from __future__ import annotations

from django.db import models


class Result(models.Model):
    """One finished game; `seq` is the log entry that ended it, `number` counts per table.

    `unit` is what the points of its lines count: only those of one unit are added up.
    """

    table = models.ForeignKey("games.Table", on_delete=models.CASCADE, related_name="results")
    number = models.PositiveIntegerField()
    seq = models.PositiveIntegerField()
    game_id = models.CharField(max_length=32)
    preset = models.CharField(max_length=32)
    reason = models.CharField(max_length=32)
    unit = models.CharField(max_length=16)
    finished_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-finished_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_result_a_number"),
            models.UniqueConstraint(fields=["table", "seq"], name="one_result_an_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"


class ResultLine(models.Model):
    """One seat's share of a result: points in the game's unit, rank from 1, figures."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="lines")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        "games.Player", null=True, on_delete=models.SET_NULL, related_name="result_lines"
    )
    name = models.CharField(max_length=96)
    is_bot = models.BooleanField(default=False)
    points = models.IntegerField()
    rank = models.PositiveSmallIntegerField()
    stats = models.JSONField(default=dict)

    class Meta:
        ordering = ["result", "rank", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["result", "seat"], name="one_line_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.points}"
