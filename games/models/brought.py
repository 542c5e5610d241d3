"""Match files that players bring in, with what an engine says of them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id

LONGEST_NAME = 80


class BroughtMatch(models.Model):
    """A match file of a player, private to them, or the job of grading it.

    `content` is the file, `name` its name, `about` what it says of itself. The job is claimed by `claimed_at` and
    `tries`; it is done once `graded_at` stands, with the game's `report`, or `fault`, the code of why there is none.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    owner = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="brought_matches")
    game_id = models.CharField(max_length=32)
    name = models.CharField(max_length=LONGEST_NAME)
    content = models.BinaryField()
    digest = models.CharField(max_length=64)
    about = models.JSONField(default=dict)
    brought_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    graded_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=32, blank=True)
    report = models.JSONField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("match file of a player"), _("match files of players")
        constraints = [models.UniqueConstraint(fields=["owner", "digest"], name="one_file_once")]

    def __str__(self) -> str:
        return self.public_id

    @property
    def is_waiting(self) -> bool:
        """Tell whether the engine has still to grade it."""
        return self.graded_at is None and not self.fault
