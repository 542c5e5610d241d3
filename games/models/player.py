"""Players: the people, whether or not they have an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Player(models.Model):
    """A person. A guest is a player that a browser session points to; no sign-up."""

    nickname = models.CharField(max_length=96)
    language = models.CharField(max_length=8, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="players",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["nickname"])]

    def __str__(self) -> str:
        return self.nickname
