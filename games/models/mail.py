"""Mails: about dates of series and ends of seasons, a row each; stopped series; what addresses got."""

from __future__ import annotations

import datetime

from django.db import models

from games.models.delivery import Delivery
from games.models.season import Season


class Mail(Delivery):
    """A mail about a date or a season to a person, with no address and no text: both are looked up when it is sent.

    `number` counts the mails of one kind to the person about the date. `key` is made when it is first claimed: its
    Message-ID, the same however often it is sent.
    """

    class Kind(models.TextChoices):
        """The occasion of a mail: the day before, a change of the date, a place that has come free, a season's end."""

        REMINDER = "reminder"
        CHANGE = "change"
        PLACE = "place"
        SEASON = "season"

    date = models.ForeignKey("games.SeriesDate", null=True, on_delete=models.CASCADE, related_name="mails")
    season = models.ForeignKey("games.Season", null=True, on_delete=models.CASCADE, related_name="mails")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=8, choices=Kind)
    number = models.PositiveSmallIntegerField(default=0)
    key = models.CharField(max_length=22, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["date", "player", "kind", "number"], name="one_mail_an_occasion"),
            models.UniqueConstraint(fields=["season", "player"], name="one_mail_a_season"),
            models.CheckConstraint(
                condition=models.Q(date=None) ^ models.Q(season=None), name="mail_about_a_date_or_a_season"
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(ended="", sent_at=None), name="mails_without_end")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}: {self.player_id} @ {self.date_id or self.season_id}"

    @property
    def name(self) -> str:
        """The name of the series or the season."""
        return str(self.season if self.date is None else self.date.series)

    @property
    def day(self) -> datetime.date:
        """The day of the date, or the season's last one."""
        about = self.season if self.date is None else self.date
        assert about is not None  # noqa: S101 (a constraint of the database)
        return about.last_day if isinstance(about, Season) else about.day


class MailStop(models.Model):
    """A series about which a person wants no mails."""

    series = models.ForeignKey("games.Series", on_delete=models.CASCADE, related_name="mail_stops")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="mail_stops")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["series", "player"], name="one_mail_stop_a_series")]

    def __str__(self) -> str:
        return f"{self.player_id} @ {self.series_id}"


class MailRecipient(models.Model):
    """An address to which strangers have caused mails: by signing up with it, or asking for a new password.

    `digest` stands for the address, which is not kept: whoever reads the database learns none. `sent_at` has the times
    of the mails of the last day, in seconds since 1970, `confirmations` counts those that ask to confirm the address,
    the last one at `asked_at`; `last_at` is the time of the last mail.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    sent_at = models.JSONField(default=list)
    confirmations = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest[:8]
