"""Screens of the house: televisions that were told once, by letters, what to show."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id


class Screen(models.Model):
    """A browser that shows what the house lets it: a television at `/tv`.

    It is known by a secret in its cookie, of which `secret_hash` is the SHA-256. `letters` are those that it shows to
    be taken in, given at `lettered_at`. `origin` is a keyed digest of the network from which it was opened. It is a
    screen of the house from `taken_at` on: by `taken_by`, a host, or by the staff (`is_staffs`). `seen_at` is when its
    page last asked for letters. `tables` says which tables of a night it shows, `table` the one for "one".
    """

    class Tables(models.TextChoices):
        """The tables of a night that a screen shows."""

        LATEST = "latest", _("the table that plays")
        TURNS = "turns", _("all tables by turns")
        ONE = "one", _("one table")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    secret_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=60, blank=True)
    letters = models.CharField(max_length=8, unique=True, null=True)  # noqa: DJ001 (unique: no letters are null)
    lettered_at = models.DateTimeField(null=True)
    origin = models.CharField(max_length=32, blank=True, db_index=True)
    opened_at = models.DateTimeField(_("opened"), default=timezone.now)
    seen_at = models.DateTimeField(_("last seen"), default=timezone.now)
    taken_at = models.DateTimeField(_("taken in"), null=True)
    taken_by = models.ForeignKey(
        "games.Player", verbose_name=_("taken in by"), null=True, on_delete=models.SET_NULL, related_name="screens"
    )
    is_staffs = models.BooleanField(_("of the staff"), default=False)
    tables = models.CharField(_("shows"), max_length=8, choices=Tables, default=Tables.LATEST)
    table = models.ForeignKey("games.Table", null=True, on_delete=models.SET_NULL, related_name="screens")

    class Meta:
        verbose_name, verbose_name_plural = _("big screen"), _("big screens")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class ScreenShow(models.Model):
    """A night, or all nights of a series, that somebody has let a screen show since `at`.

    A night with `is_off` is not shown on it, though its series is.
    """

    screen = models.ForeignKey(Screen, on_delete=models.CASCADE, related_name="shows")
    night = models.ForeignKey("games.Night", null=True, on_delete=models.CASCADE, related_name="screen_shows")
    series = models.ForeignKey("games.Series", null=True, on_delete=models.CASCADE, related_name="screen_shows")
    by = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="screen_shows")
    at = models.DateTimeField(default=timezone.now)
    is_off = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["screen", "night"], name="one_show_a_night"),
            models.UniqueConstraint(fields=["screen", "series"], name="one_show_a_series"),
            models.CheckConstraint(
                condition=models.Q(night=None) ^ models.Q(series=None), name="show_of_a_night_or_a_series"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.screen}: {self.night or self.series}"
