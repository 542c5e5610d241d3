"""Tournaments of matches at a night: their log, the people in them, and the tables of their matches."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id


class Tournament(models.Model):
    """A tournament of a night: its format, the rules of its tables, and what drives it.

    The log (`TournamentEntry`) is the truth, and the kernel replays it; `length` counts its entries, and `status` is
    the replay's. `format` is a format of `kernel.tournaments`. `medium` is that of the match tables, "" for matches at
    boards that the house knows nothing of. `preset` and `options` are the house rules of these tables; if they came
    from a named rule set, the set, its name and its version then are kept, as a table keeps them.

    `seed` is the secret number of the draws; its hash is published when the tournament is made, the number itself when
    it is over. `seed_opened_at` is the length of the log at that time: later draws are drawn with a known number.

    `modes`: kind of proposals → after how many seconds the house confirms them by itself, None: a director is asked;
    a kind that is left out has its usual mode (`services.tournaments.modes`). `countdowns`: kind → the time at which
    the house confirms the present ones; `is_held` stops it.

    `alone_minutes`: a result that one side alone has said counts after so many minutes, None: never. `late_minutes`:
    for each so many that a player comes late the other starts with a point, above half the length has won; 0: never.

    `fee` is what everybody pays, `prizes` are amounts by place, both in whole units of the house's choice;
    `waits_for_paid`: it does not start before all have paid.
    """

    class Status(models.TextChoices):
        """The status of a tournament."""

        ENTRY = "entry", _("open for entries")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    night = models.ForeignKey(
        "games.Night", verbose_name=_("night"), on_delete=models.CASCADE, related_name="tournaments"
    )
    name = models.CharField(_("name"), max_length=60)
    game_id = models.CharField(max_length=32)
    preset = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    house_rules = models.ForeignKey("games.HouseRules", null=True, on_delete=models.SET_NULL, related_name="+")
    house_rules_name = models.CharField(max_length=60, blank=True)
    house_rules_version = models.PositiveIntegerField(null=True)
    medium = models.CharField(max_length=16, blank=True)
    format = models.JSONField()
    seed = models.CharField(max_length=64)
    seed_opened_at = models.PositiveIntegerField(null=True)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.ENTRY)
    length = models.PositiveIntegerField(default=0)
    modes = models.JSONField(default=dict)
    countdowns = models.JSONField(default=dict)
    is_held = models.BooleanField(default=False)
    closes_at = models.DateTimeField(null=True)
    alone_minutes = models.PositiveSmallIntegerField(null=True, default=3)
    late_minutes = models.PositiveSmallIntegerField(default=5)
    fee = models.PositiveIntegerField(default=0)
    prizes = models.JSONField(default=list)
    waits_for_paid = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name, verbose_name_plural = _("tournament"), _("tournaments")
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["status"], name="tournament_by_status")]

    def __str__(self) -> str:
        return self.name

    @property
    def auto_at(self) -> datetime | None:
        """The next time at which the house confirms something by itself."""
        return min(map(datetime.fromisoformat, self.countdowns.values()), default=None)


class TournamentEntry(models.Model):
    """An entry of a tournament's log, as the kernel reads it. Rows are added, never changed.

    `drawn_at` is the length of the log, and `drawn_minute` the minute, for which the kernel proposed the entry; None
    for one that was made by hand. People stand in `data` by the keys of their `Participant` rows.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    data = models.JSONField()
    by = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="tournament_entries")
    drawn_at = models.PositiveIntegerField(null=True)
    drawn_minute = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_tournament_entry_a_number")]

    def __str__(self) -> str:
        return f"{self.tournament_id}#{self.number}"


class Participant(models.Model):
    """A person in a tournament, by the key under which the log names them.

    `accepted_at` is when the rules card was accepted for all tables of the tournament: by the person, or for one
    without a phone by `accepted_by`. `is_gone`: the house has withdrawn the person, who is not here. `is_paid`:
    a director has ticked that the entry fee is paid. `place`, `wins` and `losses` are those of the standing now.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="participants")
    key = models.CharField(max_length=8)
    player = models.ForeignKey("games.Player", on_delete=models.PROTECT, related_name="participations")
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL, related_name="+")
    is_gone = models.BooleanField(default=False)
    is_paid = models.BooleanField(default=False)
    place = models.PositiveSmallIntegerField(null=True)
    wins = models.PositiveSmallIntegerField(default=0, db_default=0)
    losses = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["tournament", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="one_participant_a_key")]

    def __str__(self) -> str:
        return f"{self.player} @ {self.tournament}"


class Director(models.Model):
    """A member named by the host as director of a tournament: with a right to all of its acts, none to the night's."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="directors")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="directed")

    class Meta:
        ordering = ["tournament", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "player"], name="one_director_a_player")]

    def __str__(self) -> str:
        return f"{self.player} @ {self.tournament}"


class NonPlayingDirector(models.Model):
    """A director, or the host, who has ticked that they direct only: nobody enters them with all who are here."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="non_playing")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["tournament", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="one_non_playing_director_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.player} @ {self.tournament}"


class Pairing(models.Model):
    """A match of a tournament, by its id in the log, with its table.

    `is_open` until the log has its result. `told` is the result that each of the two says, by their keys:
    {"p1": {"winner": "p2", "at": ISO time}}. `taken` is the result of the table that the log has, as text. `start` are
    the points with which people start, as penalties of the other: {"p1": 1}.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="pairings")
    match = models.CharField(max_length=12)
    table = models.OneToOneField("games.Table", null=True, on_delete=models.SET_NULL, related_name="pairing")
    is_open = models.BooleanField(default=True)
    told = models.JSONField(default=dict)
    taken = models.CharField(max_length=40, blank=True)
    start = models.JSONField(default=dict)

    class Meta:
        ordering = ["tournament", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "match"], name="one_pairing_a_match")]

    def __str__(self) -> str:
        return f"{self.match} @ {self.tournament}"
