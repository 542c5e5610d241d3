"""Mails about dates of series: one row a mail, and the series whose mails a player has stopped."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Mail(models.Model):
    """A mail about a date to a person. It keeps no address and no text: both are looked up when it is sent.

    `number` counts the mails of one kind to the person about the date. It is sent from `due_at` on by the process that
    sets `claimed_at`, once; one that the mail server has put off is given back, `tries` counts. `sent_at` is empty for
    one that was not wanted any more, or that the server refused for good.
    """

    class Kind(models.TextChoices):
        """The occasion of a mail: the day before, a change of the date, a place that has come free."""

        REMINDER = "reminder"
        CHANGE = "change"
        PLACE = "place"

    date = models.ForeignKey("games.SeriesDate", on_delete=models.CASCADE, related_name="mails")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=8, choices=Kind)
    number = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["date", "player", "kind", "number"], name="one_mail_an_occasion")
        ]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(claimed_at=None), name="mails_to_send")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}: {self.player_id} @ {self.date_id}"


class MailStop(models.Model):
    """A series about which a person wants no mails."""

    series = models.ForeignKey("games.Series", on_delete=models.CASCADE, related_name="mail_stops")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="mail_stops")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["series", "player"], name="one_mail_stop_a_series")]

    def __str__(self) -> str:
        return f"{self.player_id} @ {self.series_id}"
