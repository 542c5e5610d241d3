"""Forms that were carried out, so that the same one is not carried out twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SentForm(models.Model):
    """A form (or request of the API) that was carried out, by the id made with it; of a player or of the staff.

    `digest` is the SHA-256 of what it said, `made` the id of the row that it made, null if it made none. `unused_key`
    is the stored digest of the session's key that its answer brought, until that key is used; else empty.
    """

    player = models.ForeignKey("games.Player", null=True, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    form_id = models.CharField(max_length=48)
    digest = models.CharField(max_length=64)
    made = models.PositiveBigIntegerField(null=True)
    unused_key = models.CharField(max_length=40, default="")
    sent_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "form_id"], name="one_form_of_a_player"),
            models.UniqueConstraint(fields=["user", "form_id"], name="one_form_of_the_staff"),
        ]

    def __str__(self) -> str:
        return self.form_id
