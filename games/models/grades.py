"""Grades: what an engine said of each choice of a finished game."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.kernel.figures.skill import Depth


class GameGrades(models.Model):
    """The grades of one finished game, or the job of grading it.

    The job is claimed by making the row, or by taking over a claim that has grown old (`claimed_at`, `tries`); it is
    done once `graded_at` stands. `rows` are those of the game's grading module, with seats and no names: people are
    found by the lines of the result. `engine`, `level` and `formula` say what they were made with, and `depth` in which
    pass (`Depth`); `formula` and `depth` are 0 until there are any, and old ones stand while the game is graded again.
    After the first pass the row is the job of the deep one, claimed in the same way.
    """

    result = models.OneToOneField("games.Result", on_delete=models.CASCADE, related_name="grades")
    claimed_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    graded_at = models.DateTimeField(_("graded"), null=True, blank=True)
    engine = models.CharField(max_length=64, blank=True)
    level = models.CharField(max_length=32, blank=True)
    depth = models.PositiveSmallIntegerField(default=0, db_default=0)
    formula = models.PositiveSmallIntegerField(default=0)
    rows = models.JSONField(default=list)

    class Meta:
        verbose_name, verbose_name_plural = _("grades of a game"), _("grades of games")

    def __str__(self) -> str:
        return f"{self.result}: {self.engine}"

    @property
    def is_deep(self) -> bool:
        """Tell whether the figures are those of the deep pass."""
        return bool(self.depth >= Depth.DEEP)


class DeeperQuestion(models.Model):
    """A choice of a graded game that somebody wants to have looked at more deeply; it says nothing of who asked.

    `row` is its number among the game's rows, from 0. It goes when it is answered, and with the rows.
    """

    grades = models.ForeignKey(GameGrades, on_delete=models.CASCADE, related_name="questions")
    row = models.PositiveIntegerField()
    asked_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["grades", "row"], name="one_question_a_row")]

    def __str__(self) -> str:
        return f"{self.grades}: {self.row}"


class EngineQuestion(models.Model):
    """A position that somebody asked the engine about; it says nothing of who asked, and goes a day later.

    `position` is a value of the game's option for it (`plugin.Study`). `answer` is that of the game's grading module,
    None until the analyser has one, with what it was made with.
    """

    game_id = models.CharField(max_length=32)
    position = models.CharField(max_length=200)
    asked_at = models.DateTimeField()
    answer = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game_id", "position"], name="one_question_a_position")]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.position}"
