"""The audit: acts of hosts and staff, kept for later review."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """One act of a host or of staff. `services.audit` writes it; it is never changed.

    `act` is a code such as "player_banned", `subject` is the name at that time of the player or thing
    concerned, `data` holds the rest. The actor's name stays when the actor is deleted.
    """

    at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)
    act = models.CharField(_("what"), max_length=40, db_index=True)
    actor_name = models.CharField(_("who"), max_length=150)
    player = models.ForeignKey("games.Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    night = models.ForeignKey(
        "games.Night",
        verbose_name=_("night"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    subject = models.CharField(_("about"), max_length=200, blank=True)
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name, verbose_name_plural = _("act"), _("acts of hosts and staff")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name}: {self.act} {self.subject}"
