"""Results: the points of each seat in each finished game."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Result(models.Model):
    """One finished game, or a correction of points booked wrongly.

    `seq` is the log entry that states it, null for a correction from outside the table;
    `number` counts per table. `medium` is `screen`, or the real equipment on the table. `unit` is the unit of
    the points; only points of the same unit are added up. A correction is not a game: it has a reason (`note`), a
    maker (`by_name`) and perhaps the result that it `corrects`.

    A past game (`is_entered`) has no log entry. Its author is `author`, for staff without a player `author_account`;
    `by_name` is the author's name, `entered_at` the time of entry (null for those entered before consent was asked).
    While it `is_proposed`, a player has entered it and no second person has agreed: it stands in no sheet. Where it
    `is_totals`, its points are those of a whole evening.

    `transfers` are [payer's seat, payee's seat, points], [] where the game knows none; null for results that are older
    than the field (services.payments.games reads those from the log). `is_without_house`: the game, or a part of it,
    was played while the house was out of reach.
    """

    ENTERED = "entered"
    """The `reason` of a past game, which was played without the server."""

    table = models.ForeignKey("games.Table", on_delete=models.CASCADE, related_name="results")
    number = models.PositiveIntegerField(
        _("number"),
    )
    seq = models.PositiveIntegerField(null=True, blank=True)
    game_id = models.CharField(max_length=32)
    preset = models.CharField(max_length=32)
    reason = models.CharField(max_length=32)
    unit = models.CharField(max_length=16)
    medium = models.CharField(max_length=16, default="screen")
    is_correction = models.BooleanField(_("correction"), default=False)
    corrects = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="corrections")
    note = models.CharField(_("reason of the correction"), max_length=200, blank=True)
    by_name = models.CharField(_("corrected by"), max_length=150, blank=True)
    finished_at = models.DateTimeField(_("finished"), db_index=True)
    author = models.ForeignKey(
        "games.Player",
        verbose_name=_("author"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="entered_results",
    )
    author_account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    entered_at = models.DateTimeField(null=True, blank=True)
    is_proposed = models.BooleanField(_("waits for a second person"), default=False)
    is_totals = models.BooleanField(_("totals of an evening"), default=False, db_default=False)
    transfers = models.JSONField(null=True)
    is_without_house = models.BooleanField(_("played without the house"), default=False, db_default=False)

    class Meta:
        verbose_name, verbose_name_plural = _("result"), _("results")
        ordering = ["-finished_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_result_a_number"),
            models.UniqueConstraint(fields=["table", "seq"], name="one_result_an_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"

    @property
    def is_entered(self) -> bool:
        """Tell whether this is a past game."""
        return self.reason == self.ENTERED


class ResultLine(models.Model):
    """One seat's share of a result: points in the result's unit, rank from 1, figures.

    A line of a past game counts in its player's history from the player's `consent` on; until then it stands in
    the sheet without a name. `point_value` is the player's own value of a point in that game, null for the table's.

    `agreed_at` is when somebody agreed for a player without a phone, `agreed_by` who it was, null for staff without a
    player; where the consent is asked again, that was objected to.
    """

    class Consent(models.TextChoices):
        """The consent of a line's player; games that the house has seen need none."""

        GIVEN = "given", _("agreed")
        ASKED = "asked", _("asked")
        REFUSED = "refused", _("not agreed")

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="lines")
    seat = models.PositiveSmallIntegerField(
        _("seat"),
    )
    player = models.ForeignKey(
        "games.Player",
        verbose_name=_("player"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="result_lines",
    )
    name = models.CharField(_("name"), max_length=96)
    is_bot = models.BooleanField(default=False)
    points = models.IntegerField(
        _("points"),
    )
    rank = models.PositiveSmallIntegerField(
        _("rank"),
    )
    stats = models.JSONField(default=dict)
    consent = models.CharField(_("consent"), max_length=8, choices=Consent, default=Consent.GIVEN)
    point_value = models.PositiveIntegerField(null=True, blank=True)
    agreed_by = models.ForeignKey(
        "games.Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="lines_agreed_for"
    )
    agreed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("line of a result"), _("who got what")
        ordering = ["result", "rank", "seat"]
        indexes = [models.Index(fields=["player"], name="lines_asked", condition=models.Q(consent="asked"))]
        constraints = [
            models.UniqueConstraint(fields=["result", "seat"], name="one_line_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.name.removesuffix(' 🤖')}: {self.points}"
