"""Seasons: many nights with one standing, by rules of their own."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id


class NightTally(models.Model):
    """The sums of a player's results at a night, for one game, unit, variant and medium.

    A cache of the result lines: `services.history.night_tallies` keeps it up to date, and can rebuild it at any time.
    Deleted players keep theirs, so that the standings that it makes stay complete.
    """

    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="tallies")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="night_tallies")
    game_id = models.CharField(max_length=32)
    unit = models.CharField(max_length=16)
    preset = models.CharField(max_length=32)
    medium = models.CharField(max_length=16)
    points = models.BigIntegerField(default=0)
    played = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["night", "player", "game_id", "unit", "preset", "medium"], name="one_night_tally"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} @ {self.night}: {self.points} {self.unit}"


class Season(models.Model):
    """A season: its organisers, the nights from `first_day` to `last_day`, what counts, and its rules.

    `presets` and `media` are the variants and media that count, [] for all. `options` are values of
    `kernel.seasons.options`, starting from `preset`; `version` counts their changes, each of which has its row in
    `SeasonVersion`. `frozen` is the standing of a closed season (`services.seasons.standings`). `stays_open`: it does
    not close itself two weeks after its last day. Without an organiser it is the staff's. `former` is the season whose
    next one it is: the entrants of that one are asked whether they are counted in again.
    """

    class Status(models.TextChoices):
        """The status of a season; an archived one is in no list any more."""

        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")
        ARCHIVED = "archived", _("archived")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(_("name"), max_length=80)
    organiser = models.ForeignKey(
        "games.Player",
        verbose_name=_("organiser"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seasons",
    )
    second = models.ForeignKey(
        "games.Player",
        verbose_name=_("second organiser"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seasons_as_second",
    )
    venue = models.ForeignKey(
        "games.Venue",
        verbose_name=_("venue"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seasons",
    )
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    game_id = models.CharField(_("game"), max_length=32)
    unit = models.CharField(max_length=16)
    presets = models.JSONField(default=list, blank=True)
    media = models.JSONField(default=list, blank=True)
    preset = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.OPEN)
    stays_open = models.BooleanField(_("does not close itself"), default=False)
    entry_key = models.CharField(max_length=32, blank=True, db_default="")
    former = models.ForeignKey(
        "self", null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="followers"
    )
    frozen = models.JSONField(null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("season"), _("seasons")
        ordering = ["-last_day", "-pk"]
        indexes = [models.Index(fields=["status", "last_day"], name="season_by_end")]

    def __str__(self) -> str:
        return self.name


class SeasonVersion(models.Model):
    """The rules of a season in one of their versions. Rows are added, never changed."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    preset = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["season", "-version"]
        constraints = [models.UniqueConstraint(fields=["season", "version"], name="one_season_version")]

    def __str__(self) -> str:
        return f"{self.season} {self.version}"


class SeasonNight(models.Model):
    """The word of an organiser on a night: in a season or out of it, its weight, and its `part` of the day.

    A night without a row belongs to the season by itself, or not at all (`services.seasons.season_nights`). Nights of
    one day and part are one night of the season.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="nights")
    night = models.ForeignKey("games.Night", on_delete=models.CASCADE, related_name="season_nights")
    is_in = models.BooleanField(default=True)
    weight = models.PositiveSmallIntegerField(_("weight"), default=1)
    part = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "night"], name="one_row_a_season_night")]

    def __str__(self) -> str:
        return f"{self.night} @ {self.season}"


class Entrant(models.Model):
    """A player who is counted in: the other entrants of the season see their place."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="entries")
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="one_entrant_a_season")]

    def __str__(self) -> str:
        return f"{self.player} @ {self.season}"


class DeclinedEntry(models.Model):
    """The no of a player who was counted in at the season before and is not to be asked any more."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="declined")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="declined_entries")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="one_declined_entry_a_season")]

    def __str__(self) -> str:
        return f"{self.player} not @ {self.season}"


class JoinProposal(models.Model):
    """The proposal that two people of a season are one, by an organiser or a host of a night of it.

    It is decided as a claim is, for each of the two: by their own device (`source_agreed`, `target_agreed`), or by the
    hosts of all their nights (`agreed`, player ids). `source` is joined into `target` then. The row goes when it is
    decided.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="proposals")
    by = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="proposals_by")
    source = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="proposals_from")
    target = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="proposals_to")
    source_agreed = models.BooleanField(default=False)
    target_agreed = models.BooleanField(default=False)
    agreed = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "source", "target"], name="one_proposal_a_pair"),
            models.CheckConstraint(condition=~models.Q(source=models.F("target")), name="proposal_of_two_people"),
        ]

    def __str__(self) -> str:
        return f"{self.source} = {self.target} @ {self.season}"


class SeasonEvent(models.Model):
    """A line of a season's log: an act of an organiser. People are rows, never names in `data`."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    type = models.CharField(max_length=32)
    by = models.ForeignKey(
        "games.Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="season_events"
    )
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.type} @ {self.season}"
