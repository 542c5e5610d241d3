"""History: venues, and sums of results by which lists can be sorted."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id


class Venue(models.Model):
    """A place where nights are held; staff keep the list in the admin, a host picks one.

    `hosts` are the accounts that may enter evenings held there without the house; without any, every account may.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(_("name"), max_length=80, unique=True)
    hosts = models.ManyToManyField(settings.AUTH_USER_MODEL, verbose_name=_("hosts"), blank=True, related_name="venues")
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("venue"), _("venues")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Tally(models.Model):
    """The sums of a player's results, for one game and unit, at one venue or everywhere.

    A cache of the result lines: `services.history.tallies` keeps it up to date, and can rebuild it at any time.
    `venue` null means everywhere. `stats` are sums of the game's figures. A leaderboard is a
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


class DiceTally(models.Model):
    """Sums of the dice of one game, thrown by a player or by everybody (`player` null).

    `counts` and `control` are kernel.figures.dice_counts.Counts: of the rolls that count, and of as many others
    thrown for comparison. `services.rolls.dice_figures` keeps both.
    """

    player = models.ForeignKey("games.Player", null=True, on_delete=models.CASCADE, related_name="dice_tallies")
    game_id = models.CharField(max_length=32)
    counts = models.JSONField(default=dict)
    control = models.JSONField(default=dict)

    class Meta:
        ordering = ["game_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game_id"], condition=Q(player__isnull=False), name="one_dice_tally_a_player"
            ),
            models.UniqueConstraint(
                fields=["game_id"], condition=Q(player__isnull=True), name="one_dice_tally_of_everybody"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player or 'everybody'}: {self.game_id}"


class CountedTable(models.Model):
    """A finished table whose rolls are in the dice tallies."""

    table = models.OneToOneField("games.Table", on_delete=models.CASCADE, related_name="counted")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.table_id}"
