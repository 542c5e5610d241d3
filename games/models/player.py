"""Players: the people, whether or not they have an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

# What is left of the name of a player whose data were deleted. It is stored, in English.
DELETED_NAME = "Deleted player"


class Player(models.Model):
    """A person. A guest is a player that a browser session points to; no sign-up.

    An account (`user`) has at most one player. A player that was joined to another one
    (`merged_into`) is kept so that old links lead somewhere, one whose data were deleted so
    that results stay whole: neither is anybody any more.

    `devices_since` counts how often a guest's devices were taken off: only sessions that began
    under its present value are the guest's. `is_listed`: shown in leaderboards to everybody.
    """

    nickname = models.CharField(_("nickname"), max_length=96)
    language = models.CharField(_("language"), max_length=8, blank=True)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="player",
    )
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged")
    banned_at = models.DateTimeField(_("banned"), null=True, blank=True)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)
    created_at = models.DateTimeField(_("first came"), auto_now_add=True)
    devices_since = models.PositiveIntegerField(default=0, editable=False)
    is_listed = models.BooleanField(_("shown in leaderboards"), default=False)

    class Meta:
        verbose_name, verbose_name_plural = _("player"), _("players")
        indexes = [models.Index(fields=["nickname"])]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """Return the nickname; of who was deleted that, in the language of who reads it."""
        return gettext("Deleted player") if self.deleted_at else self.nickname

    @property
    def is_guest(self) -> bool:
        """Tell whether this is a person without an account."""
        return self.user_id is None and self.is_somebody

    @property
    def is_somebody(self) -> bool:
        """Tell whether this player is neither joined to another one nor deleted."""
        return self.merged_into_id is None and self.deleted_at is None


class HistoryClaim(models.Model):
    """An account says of a guest of a night: that was me. Hosts decide, or the guest's own device.

    `agreed` holds the hosts (player ids) who have confirmed it while others are still asked.
    The row goes when it is decided; the night's events tell what became of it.
    """

    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="claims")
    guest = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims_on")
    account = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims_of")
    agreed = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["night", "guest", "account"], name="one_claim_a_guest"),
            models.CheckConstraint(condition=~Q(guest=models.F("account")), name="claim_is_on_another"),
        ]

    def __str__(self) -> str:
        return f"{self.account} = {self.guest} @ {self.night}"
