"""History: where people play, and sums over their results that lists can be sorted by."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id


class Venue(models.Model):
    """A place where nights are held; the admin keeps the list, a host picks one."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(_("name"), max_length=80, unique=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("venue"), _("venues")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Tally(models.Model):
    """What a player's results add up to, for one game and unit, at one venue or everywhere.

    A cache of the result lines: `services.tallies` keeps it, and can always build it anew.
    `venue` null is everywhere. `stats` are sums of the game's figures. A leaderboard is a
    range of these rows, so its cost does not grow with the number of results.
    """

    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="tallies")
    game_id = models.CharField(max_length=32)
    unit = models.CharField(max_length=16)
    venue = models.ForeignKey(Venue, null=True, blank=True, on_delete=models.CASCADE)
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    points = models.BigIntegerField(default=0)
    stats = models.JSONField(default=dict)
    last_at = models.DateTimeField()

    class Meta:
        ordering = ["game_id", "unit", "-points"]
        indexes = [
            models.Index(fields=["game_id", "unit", "venue", "points"], name="tally_by_points"),
            models.Index(fields=["game_id", "unit", "venue", "played"], name="tally_by_played"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game_id", "unit", "venue"],
                condition=Q(venue__isnull=False),
                name="one_tally_a_venue",
            ),
            models.UniqueConstraint(
                fields=["player", "game_id", "unit"],
                condition=Q(venue__isnull=True),
                name="one_tally_everywhere",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.points} {self.unit}"
