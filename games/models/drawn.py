"""Rounds of drawn tables at a night."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class DrawnRound(models.Model):
    """A round of a night's tables for many: tables of one game that were drawn and opened together.

    `number` counts those of a game at a night. `preset`, `rules`, `want` and `way` are the wish it was drawn by; `want`
    is 0 where so many tables were wished for as the round has. A table ends after `games` games, or with the game that
    runs at `ends_at`; with neither when the host ends it.
    """

    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="drawn_rounds")
    number = models.PositiveIntegerField()
    game_id = models.CharField(max_length=32)
    preset = models.CharField(max_length=32)
    rules = models.ForeignKey("games.HouseRules", null=True, on_delete=models.SET_NULL, related_name="+")
    want = models.PositiveSmallIntegerField()
    way = models.CharField(max_length=16)
    games = models.PositiveSmallIntegerField(null=True)
    minutes = models.PositiveSmallIntegerField(null=True)
    ends_at = models.DateTimeField(null=True)
    is_over = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["night", "game_id", "number"]
        constraints = [models.UniqueConstraint(fields=["night", "game_id", "number"], name="one_drawn_round_a_number")]
        indexes = [models.Index(fields=["is_over"], name="drawn_round_by_end")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.number} @ {self.night}"


class DrawnTable(models.Model):
    """A table of a drawn round; `place` is its place among them from 1, the first is the one that people move up to."""

    round = models.ForeignKey(DrawnRound, on_delete=models.CASCADE, related_name="tables")
    table = models.OneToOneField("games.Table", on_delete=models.CASCADE, related_name="drawn")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["round", "place"]

    def __str__(self) -> str:
        return f"{self.table}: {self.place}"
