"""The quiz: when a player's own mistakes come up again; and votes on the position of a night."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class QuizCard(models.Model):
    """A mistake of a player that was asked again, with when it is due next.

    `key` is a hash of its choice, which stays the same when the game is graded once more. `schedule` is what the
    library of the schedule keeps, `reviews` the number of answers.
    """

    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="quiz_cards")
    key = models.CharField(max_length=32)
    schedule = models.JSONField()
    due = models.DateTimeField()
    reviews = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name, verbose_name_plural = _("mistake in the quiz"), _("mistakes in the quiz")
        constraints = [models.UniqueConstraint(fields=["player", "key"], name="one_card_a_mistake")]

    def __str__(self) -> str:
        return f"{self.player}: {self.key}"


class PositionVote(models.Model):
    """A player's word on the position of a night: what they would choose there."""

    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="position_votes")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="position_votes")
    key = models.CharField(max_length=32)
    choice = models.CharField(max_length=100)
    voted_at = models.DateTimeField()

    class Meta:
        verbose_name, verbose_name_plural = _("vote on a position"), _("votes on positions")
        constraints = [models.UniqueConstraint(fields=["night", "player", "key"], name="one_vote_a_position")]

    def __str__(self) -> str:
        return f"{self.night}: {self.player}"
