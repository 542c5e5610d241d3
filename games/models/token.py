"""API tokens: the access of programs that act for an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiToken(models.Model):
    """A key to the API that acts as the player of an account.

    The token itself is shown once and not stored: `digest` is its SHA-256, `start` its first
    characters, by which its owner recognises it. `last_used_at` is precise to the hour.
    """

    class Scope(models.TextChoices):
        """The rights of a token."""

        READ = "read", _("read")
        PLAY = "play", _("read, play and host")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="api_tokens",
    )
    name = models.CharField(_("name"), max_length=60)
    scope = models.CharField(_("may"), max_length=4, choices=Scope, default=Scope.READ)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    start = models.CharField(_("begins with"), max_length=12, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    expires_at = models.DateTimeField(_("valid until"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name, verbose_name_plural = _("API token"), _("API tokens")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name
