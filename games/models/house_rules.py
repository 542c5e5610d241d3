"""Rule sets: named values of a game's options under which tables are opened.

`options` holds values that were valid when they were written. A game's declaration may have changed
since: read a stored set only through `services.house_rules.compatibility.fitted`.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id


class HouseRules(models.Model):
    """A named rule set of one game: the house's own (`owner` null) or a host's.

    `version` counts the changes; each has its row in `HouseRulesVersion`. `preset` is the
    variant that the set starts from. `hosts_may` applies to sets of the house.
    """

    class Status(models.TextChoices):
        """The status of a set; an archived one opens no table any more."""

        ACTIVE = "active", _("in use")
        ARCHIVED = "archived", _("archived")

    class HostsMay(models.TextChoices):
        """The rights of hosts over a set of the house at their tables."""

        NOTHING = "nothing", _("not on offer: hosts don't see it")
        CHOOSE = "choose", _("hosts may choose it, but change nothing")
        CHANGE = "change", _("hosts may choose it and change it for a table")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(_("name"), max_length=60)
    game_id = models.CharField(_("game"), max_length=32)
    owner = models.ForeignKey(
        "games.Player",
        verbose_name=_("owner"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="house_rules",
    )
    preset = models.CharField(_("variant"), max_length=32)
    options = models.JSONField(default=dict)
    version = models.PositiveIntegerField(_("version"), default=1)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.ACTIVE)
    hosts_may = models.CharField(_("hosts may"), max_length=8, choices=HostsMay, default=HostsMay.CHANGE)
    is_default = models.BooleanField(_("default"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(_("last changed"), auto_now=True)
    created_by = models.CharField(max_length=150, blank=True)
    updated_by = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = _("house rules")
        ordering = ["game_id", "name", "pk"]
        indexes = [models.Index(fields=["game_id", "owner", "status"], name="rules_by_owner")]
        constraints = [
            models.UniqueConstraint(fields=["game_id"], condition=Q(is_default=True), name="one_default_a_game"),
            models.CheckConstraint(
                condition=Q(is_default=False) | Q(owner__isnull=True, status="active"),
                name="default_is_of_the_house",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_of_the_house(self) -> bool:
        """Tell whether the set belongs to the house rather than to a host."""
        return self.owner_id is None


class HouseRulesVersion(models.Model):
    """A rule set in one of its versions. Rows are added, never changed."""

    rules = models.ForeignKey(HouseRules, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=60)
    preset = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    by_name = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = _("version of house rules")
        verbose_name_plural = _("versions of house rules")
        ordering = ["rules", "-version"]
        constraints = [models.UniqueConstraint(fields=["rules", "version"], name="one_row_a_version")]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class GamePolicy(models.Model):
    """The house's limits for its hosts, by game. Without a row any rules may be played.

    `seats` is the number of people whom a table wants, 0 for the game's own.
    """

    class HostsMay(models.TextChoices):
        """The right of hosts to play by rules outside the house's sets."""

        ANYTHING = "anything", _("any rules, their own too")
        SETS_ONLY = "sets_only", _("the house's sets only")

    game_id = models.CharField(_("game"), max_length=32, unique=True)
    hosts_may = models.CharField(_("hosts may play by"), max_length=10, choices=HostsMay, default=HostsMay.ANYTHING)
    seats = models.PositiveSmallIntegerField(_("people whom a table wants"), default=0, db_default=0)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = _("what hosts may play")
        ordering = ["game_id"]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.hosts_may}"
