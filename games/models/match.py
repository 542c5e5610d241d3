"""Matches: their ends, and what a season is told about their evenings."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Match(models.Model):
    """The end of a match between two people at a table: winner, loser, length and score.

    `seq` is the log entry that states it, 0 for a match whose end the tournament states to which it belongs; then its
    scores may be unknown.
    """

    class How(models.TextChoices):
        """The way in which a match ended."""

        PLAYED = "played", _("played")
        GIVEN_UP = "given_up", _("given up")

    table = models.OneToOneField("games.Table", on_delete=models.CASCADE, related_name="match")
    seq = models.PositiveIntegerField()
    winner = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="matches_won")
    loser = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="matches_lost")
    length = models.PositiveSmallIntegerField(_("length"))
    winner_score = models.PositiveSmallIntegerField(null=True)
    loser_score = models.PositiveSmallIntegerField(null=True)
    how = models.CharField(max_length=8, choices=How, default=How.PLAYED)
    finished_at = models.DateTimeField(_("finished"), db_index=True)

    class Meta:
        verbose_name, verbose_name_plural = _("match"), _("matches")
        ordering = ["finished_at", "pk"]

    def __str__(self) -> str:
        score = "" if self.winner_score is None else f" {self.winner_score}:{self.loser_score}"
        return f"{self.winner} – {self.loser}{score}"


class SeasonStage(models.Model):
    """The stage of a match in a season, "final", "semi-final" or another word; the season's rules may give more for it.

    Each season has its own: an organiser's word reaches no other season.
    """

    season = models.ForeignKey("games.Season", on_delete=models.CASCADE, related_name="stages")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="stages")
    stage = models.CharField(_("stage"), max_length=16)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "match"], name="one_stage_a_match")]

    def __str__(self) -> str:
        return f"{self.match} @ {self.season}: {self.stage}"


class SeasonNotice(models.Model):
    """A bye of a player at a night of a season, or an absence with notice; given by an organiser."""

    class Kind(models.TextChoices):
        """The kind of a notice."""

        BYE = "bye", _("bye")
        ABSENT = "absent", _("absent with notice")

    season = models.ForeignKey("games.Season", on_delete=models.CASCADE, related_name="notices")
    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="season_notices")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="season_notices")
    kind = models.CharField(max_length=8, choices=Kind)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "night", "player"], name="one_notice_a_night")]

    def __str__(self) -> str:
        return f"{self.player} @ {self.night}: {self.kind}"


class SeasonRequest(models.Model):
    """An organiser's request that a night of somebody else's be in a season; its host agrees or refuses.

    The row of an agreed one goes, a refused one stays: it is not asked a second time.
    """

    season = models.ForeignKey("games.Season", on_delete=models.CASCADE, related_name="requests")
    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="season_requests")
    is_refused = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["season", "night"], name="one_request_a_night")]

    def __str__(self) -> str:
        return f"{self.night} → {self.season}"
