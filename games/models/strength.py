"""Strengths of people as a host keeps them, for draws."""

from __future__ import annotations

from django.db import models


class Strength(models.Model):
    """The strength of a player in the eyes of a host, 1 is the strongest; the host and their directors see it."""

    host = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="kept_strengths")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="strengths")
    value = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["host", "value", "pk"]
        constraints = [models.UniqueConstraint(fields=["host", "player"], name="one_strength_a_host_and_player")]

    def __str__(self) -> str:
        return f"{self.player}: {self.value}"
