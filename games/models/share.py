"""Share links, for outsiders."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.series import new_key


class ShareLink(models.Model):
    """A link by which outsiders read the results of a night, or the standing of a season.

    It is open until `closed_at`. A closed one, and one whose night or season was deleted, keeps its row, so that its
    address says that it is over.
    """

    key = models.CharField(max_length=32, unique=True, default=new_key)
    night = models.ForeignKey("games.Night", null=True, on_delete=models.SET_NULL, related_name="share_links")
    season = models.ForeignKey("games.Season", null=True, on_delete=models.SET_NULL, related_name="share_links")
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed"), null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("share link"), _("share links")
        ordering = ["-opened_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["night"], condition=Q(closed_at=None, night__isnull=False), name="one_open_link_a_night"
            ),
            models.UniqueConstraint(
                fields=["season"], condition=Q(closed_at=None, season__isnull=False), name="one_open_link_a_season"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.night or self.season}"
