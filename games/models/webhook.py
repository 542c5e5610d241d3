"""Webhooks: addresses that are told of a series or a night, and what they are still to be told."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.delivery import Delivery
from games.models.night import new_public_id


def new_secret() -> str:
    """Return a random key to sign with: 43 characters, 256 bits."""
    return secrets.token_urlsafe(32)


class Webhook(models.Model):
    """An address that is told of a series, or of one night. `secret` signs what is sent, and so is kept as it is.

    Where the form is APPRISE, the address is one of Apprise's, such as "mailtos://…" (services.webhooks.by_apprise).

    `sent_at` is when it last took something, `fault` the code of the last refusal or failure since then.
    """

    class Shape(models.TextChoices):
        """The form of what is sent."""

        JSON = "json", _("JSON, signed")
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        MATRIX = "matrix", "Matrix"
        APPRISE = "apprise", "Apprise"

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    series = models.ForeignKey("games.Series", null=True, on_delete=models.CASCADE, related_name="webhooks")
    night = models.ForeignKey("games.Night", null=True, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(_("address"), max_length=500)
    shape = models.CharField(_("form"), max_length=8, choices=Shape, default=Shape.JSON)
    secret = models.CharField(max_length=64, default=new_secret)
    added_by = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="webhooks")
    sent_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=32, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(series=None) ^ Q(night=None), name="webhook_of_a_series_or_a_night")
        ]

    def __str__(self) -> str:
        return f"{self.shape} {self.public_id}"


class WebhookMessage(Delivery):
    """Something that a webhook is to be told. Its text is made when it is sent, so that the row has nobody's name.

    `occasion` identifies it, so that it is told once.
    """

    class Kind(models.TextChoices):
        """The subject of a message."""

        OPENED = "opened"
        DATE = "date"
        CHANGED = "changed"
        RESULTS = "results"
        STANDING = "standing"
        TEST = "test"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="messages")
    kind = models.CharField(max_length=8, choices=Kind)
    occasion = models.CharField(max_length=48)
    date = models.ForeignKey("games.SeriesDate", null=True, on_delete=models.CASCADE, related_name="webhook_messages")
    night = models.ForeignKey("games.Night", null=True, on_delete=models.CASCADE, related_name="webhook_messages")
    season = models.ForeignKey("games.Season", null=True, on_delete=models.CASCADE, related_name="webhook_messages")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["webhook", "occasion"], name="one_message_an_occasion")]
        indexes = [models.Index(fields=["due_at"], condition=Q(ended="", sent_at=None), name="messages_without_end")]

    @property
    def message_id(self) -> str:
        """The id of the message for those who get it, the same however often it is sent."""
        return f"{self.webhook.public_id}-{self.occasion}"

    def __str__(self) -> str:
        return f"{self.kind} {self.occasion}"
