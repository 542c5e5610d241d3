"""Players: persons with or without an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

# The stored name of a player whose data were deleted, in English.
DELETED_NAME = "Deleted player"
STRUCK = gettext_noop("[struck]")
"""Stands in place of a reason that a deleted player wrote, or that names one."""


class Player(models.Model):
    """A person. A guest is a player without an account, identified by a browser session.

    An account (`user`) has at most one player. A player that was merged into another one
    (`merged_into`) is kept so that old links still work, and a deleted player so that results stay
    complete: neither of the two is a person any more.

    `devices_since` counts how often all devices of a guest were signed out: a session is the guest's only if
    it began under the present value. `is_listed`: shown in leaderboards to everybody. `hides_grades`: the grades of
    their choices are shown to nobody else, whatever the house rules of a table say. `wants_mail`: mails about dates of
    series go to the confirmed address of the account.
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
    hides_grades = models.BooleanField(_("hides their grades"), default=False, db_default=False)
    wants_mail = models.BooleanField(_("wants mails about dates"), default=False, db_default=False)

    class Meta:
        verbose_name, verbose_name_plural = _("player"), _("players")
        indexes = [models.Index(fields=["nickname"])]

    def __str__(self) -> str:
        return self.displayed_name

    @property
    def displayed_name(self) -> str:
        """Return the nickname; for a deleted player a placeholder in the reader's language."""
        return gettext("Deleted player") if self.deleted_at else self.nickname

    @property
    def is_guest(self) -> bool:
        """Tell whether this is a person without an account."""
        return self.user_id is None and self.is_somebody

    @property
    def is_somebody(self) -> bool:
        """Tell whether this player is neither merged into another one nor deleted."""
        return self.merged_into_id is None and self.deleted_at is None


class HistoryClaim(models.Model):
    """The claim of an account that it belongs to a guest of a night. Hosts decide, or the guest's own device.

    `agreed` holds the hosts (player ids) that have confirmed it while other hosts have yet to answer.
    The row is deleted when it is decided; the night's events record the decision.
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
