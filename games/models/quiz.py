"""The quiz: when a player's mistakes and kept positions come up again; kept positions; votes on a night's position."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.brought import LONGEST_NAME
from games.models.night import new_public_id


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


class KeptPosition(models.Model):
    """A position that a player keeps under a name to study it again, private to them.

    `position` is a value of the game's option for it (`plugin.Study`). `answer` is that of the game's grading module,
    None until the analyser has one.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    owner = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="kept_positions")
    game_id = models.CharField(max_length=32)
    name = models.CharField(max_length=LONGEST_NAME)
    position = models.CharField(max_length=200)
    kept_at = models.DateTimeField()
    answer = models.JSONField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("kept position"), _("kept positions")
        constraints = [models.UniqueConstraint(fields=["owner", "game_id", "position"], name="one_position_once")]

    def __str__(self) -> str:
        return self.public_id


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
