"""Tables: one game with its seats, its log and the cache of its state."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.night import new_public_id


class Table(models.Model):
    """A table of a night.

    The log (`LogEntry`) is the truth. `state` caches the game's state after entry `state_seq`, as dumped by
    rules of version `rules_version`; the entries up to `seq` come after it. `clocks` holds the running decisions'
    deadlines as {"seat:name:basis": epoch milliseconds}, or the milliseconds left while paused; `due_at` is the
    time at which the clock must next act at the table, and `claimed_by` the process whose clock may do so until
    `claimed_until`. `watched_at` is when a page was last noted to watch a table of bots alone
    (services.clock.resting).

    `chains` is the position in the chains of a table's dice (services.dice.dice_chains), None before the start and
    at tables whose dice come from the sealed seed alone.

    `options` are fixed with the start of play. If they came from a named rule set, the set, its name and its version
    are stored with them: a later change of the set changes no table. `corrections` are proposed corrections of
    the table's results that still need the consent of some players (services.history.corrections).
    The `scorekeeper`, named by the host, enters the acts of others at the table.
    An archived table is no longer in any list of its night; its log and its results stay. `opened_itself`: the house
    has set it up (services.draws.waiting_tables).
    """

    class Status(models.TextChoices):
        """The status of a table, from the waiting room to the end."""

        LOBBY = "lobby", _("waiting to start")
        PLAYING = "playing", _("playing")
        PAUSED = "paused", _("paused")
        FINISHED = "finished", _("finished")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    night = models.ForeignKey("games.Night", verbose_name=_("night"), on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    game_id = models.CharField(max_length=32)
    preset = models.CharField(max_length=32)
    options = models.JSONField(default=dict)
    house_rules = models.ForeignKey(
        "games.HouseRules",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tables",
    )
    house_rules_name = models.CharField(max_length=60, blank=True)
    house_rules_version = models.PositiveIntegerField(null=True, blank=True)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.LOBBY)
    seq = models.PositiveIntegerField(_("log entries"), default=0)
    state = models.JSONField(null=True)
    state_seq = models.PositiveIntegerField(default=0)
    rules_version = models.PositiveIntegerField(default=0)
    clocks = models.JSONField(default=dict)
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    claimed_by = models.CharField(max_length=32, blank=True, default="")
    claimed_until = models.DateTimeField(null=True, blank=True)
    watched_at = models.DateTimeField(null=True, blank=True)
    dice_seed = models.CharField(max_length=64)
    dice_salt = models.CharField(max_length=64, blank=True)
    dice_drawn = models.PositiveIntegerField(default=0)
    chains = models.JSONField(null=True)
    corrections = models.JSONField(default=list)
    scorekeeper = models.ForeignKey(
        "games.Player",
        verbose_name=_("scorekeeper"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="scored_tables",
    )
    successor = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(_("opened"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    opened_itself = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name, verbose_name_plural = _("table"), _("tables")
        ordering = ["night", "number"]
        indexes = [models.Index(fields=["created_at"], name="table_by_date")]
        constraints = [models.UniqueConstraint(fields=["night", "number"], name="one_table_a_number")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.number} @ {self.night}"

    @property
    def is_past(self) -> bool:
        """Tell whether this is a past game (services.history.past_games), which has no log."""
        return self.status == self.Status.FINISHED and self.seq == 0

    @property
    def is_running(self) -> bool:
        """Tell whether play has begun and not ended; it may be paused."""
        return self.status in (self.Status.PLAYING, self.Status.PAUSED)


class Seat(models.Model):
    """A place at a table: a player's, a bot's (`bot_level` set), or empty.

    `accepted_by` is the player that accepted the rules for a person without a phone, before play.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        "games.Player",
        verbose_name=_("player"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="seats",
    )
    name = models.CharField(_("name"), max_length=96)
    bot_level = models.CharField(_("bot"), max_length=16, blank=True)
    nonce = models.CharField(max_length=64, blank=True)
    accepted_at = models.DateTimeField(_("accepted the rules"), null=True, blank=True)
    accepted_by = models.ForeignKey("games.Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = _("seat"), _("seats")
        ordering = ["table", "index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="one_seat_an_index"),
            models.UniqueConstraint(fields=["table", "player"], name="one_seat_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.name.removesuffix(' 🤖')}"

    @property
    def seat_id(self) -> str:
        """The id by which acts name the seat while its table waits: it stays, `index` moves up when a seat is freed."""
        return f"s{self.pk}"


class LogEntry(models.Model):
    """One accepted command: its events, the dice it drew, and its sender.

    `seq` counts from 1 without gaps. `command_id` is the sender's own id of the request:
    a second request with the same id gets the answer of the first. `throw` is the origin of dice
    that came from chains: a kernel `Throw` as JSON.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="entries")
    seq = models.PositiveIntegerField(_("step"))
    command_id = models.CharField(max_length=64)
    command = models.JSONField()
    seat = models.PositiveSmallIntegerField(null=True)
    actor = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL)
    events = models.JSONField()
    dice = models.JSONField(default=list)
    throw = models.JSONField(null=True)
    created_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name, verbose_name_plural = _("log entry"), _("log of the tables")
        ordering = ["table", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["table", "seq"], name="one_entry_a_seq"),
            models.UniqueConstraint(fields=["table", "command_id"], name="one_entry_a_command"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.seq}"


class HandOver(models.Model):
    """Games that were played while the house was out of reach, and that wait until the host takes them.

    `games` are {"id", "number", "at", "game"} as the device of `player` has them (services.tables.handover), `seq` is
    the entry that it saw last. `is_conflict`: something had happened at the table since; else the player had no right
    to enter there. A list that a page of another address sent, of a device without a player here, has the `said_name`.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="lists_of_games")
    player = models.ForeignKey("games.Player", null=True, on_delete=models.CASCADE, related_name="+")
    said_name = models.CharField(max_length=96, default="", db_default="")
    seq = models.PositiveIntegerField()
    games = models.JSONField()
    is_conflict = models.BooleanField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="one_hand_over_a_player")]

    def __str__(self) -> str:
        return f"{self.table_id}: {len(self.games)}"

    @property
    def name(self) -> str:
        """The sender's name, as they say where the house does not know them."""
        return self.said_name if self.player is None else self.player.nickname


class LogFile(models.Model):
    """The log of a table that ended long ago: a compressed file in place of its rows (services.log_files).

    `actors` are the players that acted in it: needed to delete a player and to export a player's data.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="log_file")
    name = models.CharField(max_length=80)
    actors = models.ManyToManyField("games.Player", related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ChatMessage(models.Model):
    """A line of a table's chat. Chat is not part of the log."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chat")
    player = models.ForeignKey("games.Player", null=True, on_delete=models.SET_NULL)
    name = models.CharField(max_length=96)
    text = models.CharField(max_length=280)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class KeptLine(models.Model):
    """A line of chat that nobody may see before the game is over.

    Releasing it makes it a ChatMessage, in the transaction that ends the game (services.chat.chat_lines).
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="kept_lines")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="kept_lines")
    name = models.CharField(max_length=96)
    text = models.CharField(max_length=280)
    said_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"
