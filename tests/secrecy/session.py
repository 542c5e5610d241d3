"""A table that is played at random by its players, with words that nobody could guess."""

import random
import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from games import plugin
from games.kernel.contract import Choice, Event, Illegal
from games.models import LogEntry, Night, Player, Seat, Table
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.nights import membership
from games.services.people import players as people_players
from games.services.tables import log as table_log
from games.services.tables import queue, setup
from games.services.tables.commit import submit
from tests.chouette.sessions import house_rules
from tests.contract.driver import _changed

# Decisions whose answer is sealed at first, and where in the arguments the answer is.
SEALED = {
    "cube": "double",
    "answer": "take",
    "answer_batch": "take",
    "bid": "number",
    "propose": "points",
    "auto": "on",
}
SPOKEN = ("say", "suggest")
# Entries with one of these open what was sealed: from then on it is everybody's.
OPENING = {"window_closed", "answers_opened", "bids_revealed", "bid_returned", "doubled", "tied"}


@dataclass(frozen=True)
class Secret:
    """Words of a Team, who said them, and the players who may read them: who heard them then."""

    words: str
    speaker: int
    heard_by: frozenset[int]


@dataclass
class Evening:
    """A table in play: who sits where, and what was said in secret."""

    rng: random.Random
    night: Night
    table: Table
    players: dict[int, Player]
    seats: dict[int, int | None] = field(default_factory=dict)
    secrets: list[Secret] = field(default_factory=list)
    sat: dict[int, dict[int, int]] = field(default_factory=dict)
    """Who sat where as each entry was played: entry → player → seat."""
    offers_talk: bool = False

    @property
    def rules(self) -> Any:
        """The rules of the table's game."""
        return plugin.game(self.table.game_id).rules

    def refresh(self) -> None:
        """Read the table and who sits where anew."""
        self.table.refresh_from_db()
        rows = Seat.objects.filter(table=self.table, player__isnull=False)
        sits = dict(rows.values_list("player_id", "index"))
        self.seats = {player_id: sits.get(player_id) for player_id in self.players}

    def pick(self) -> tuple[Choice, dict[str, Any]] | None:
        """Return an open choice and how to answer it; None when nobody at the table has one."""
        state = table_log.state_of(self.table)
        sitting = {seat for seat in self.seats.values() if seat is not None}
        found = [c for seat in sorted(sitting) for c in self.rules.choices(state, seat)]
        spoken = [c for c in found if c.name in SPOKEN]
        self.offers_talk |= bool(spoken)
        if not found:
            return None
        required = [c for c in found if (c.required or c.name in SEALED) and c.name not in SPOKEN]
        is_talk = bool(spoken) and self.rng.random() < 0.35
        pool = spoken if is_talk else required if required and self.rng.random() < 0.8 else found
        choice = self.rng.choice(pool)
        if choice.name == "say":
            return choice, {"text": f"psst-{secrets.token_hex(12)}"}
        return choice, self.rng.choice(choice.options)

    def submit(self, table: Table, choice: Choice, args: dict[str, Any]) -> tuple[Event, ...]:
        """Carry out an answer at this table or at its twin; note what was said in secret."""
        sitter = next(p for p, seat in self.seats.items() if seat == choice.seat)
        request = Request(choice.name, args, new_command_id(), choice.opened_at)
        # As sockets and the API do it: through the writer.
        try:
            receipt = queue.submit(table.pk, Actor(sitter), request)
        except Illegal as refusal:
            # The rules list a payment by seat; whom it would concern is the house's to say.
            if refusal.code != "other_people":
                raise
            return ()
        if table.pk == self.table.pk:
            sat = self.note_sitting(receipt.seq)
            for event in receipt.events:
                if event.type == "talked" and event.audience is not None:
                    heard_by = frozenset(player for player, seat in sat.items() if seat in event.audience)
                    self.secrets.append(Secret(str(event.data["text"]), sitter, heard_by))
        return receipt.events

    def note_sitting(self, seq: int) -> dict[int, int]:
        """Note who sits where in an entry; return it."""
        self.sat[seq] = {player: seat for player, seat in self.seats.items() if seat is not None}
        return self.sat[seq]

    @property
    def has_hidden(self) -> bool:
        """Tell whether the log holds an event that some alone may read."""
        log = LogEntry.objects.filter(table=self.table).values_list("events", flat=True)
        return any("audience" in event for events in log for event in events)

    def disturb(self) -> bool:
        """Let somebody come, go, pause or be taken off; tell whether it was done."""
        host = self.night.host_id
        sitting = sorted(s for s in self.seats.values() if s is not None)
        if not sitting:
            return False
        seat = self.rng.choice(sitting)
        outside = [p for p, s in self.seats.items() if s is None]
        here = {"seat": seat, "sitter": next(p for p, s in self.seats.items() if s == seat)}
        acts: list[tuple[int, str, dict[str, Any]]] = [
            (next(p for p, s in self.seats.items() if s == seat), "table.leave", {}),
            (host, "table.kick", here),
            (host, "table.substitute", {**here, "bot": next(iter(plugin.game(self.table.game_id).bot_levels))}),
            *((p, "table.join", {}) for p in outside),
            # A seat that changes hands in the middle is what secrets are most easily lost by.
            *((host, "table.substitute", {**here, "player": p}) for p in outside * 3),
        ]
        player, name, args = self.rng.choice(acts)
        if not self.told(player, name, args):
            return False
        if "player" in args:  # who was given a seat accepts the rules at once, to play on
            self.told(args["player"], "table.accept", {})
        return True

    def told(self, player: int, name: str, args: dict[str, Any]) -> bool:
        """Carry out a command of the house unless it is refused; note who sits where then."""
        try:
            receipt = submit(self.table.pk, Actor(player), Request(name, args, new_command_id()))
        except Illegal:
            return False
        self.refresh()
        self.note_sitting(receipt.seq)
        return True

    def end(self) -> None:
        """End the table if its game has not."""
        self.refresh()
        if self.table.is_running:
            submit(self.table.pk, HOUSE, Request("table.end", {}, new_command_id()))
        self.refresh()

    def twin(self) -> Table:
        """Return a copy of the table as it stands: the same seats, log and dice to come."""
        copy = Table.objects.get(pk=self.table.pk)
        log = list(LogEntry.objects.filter(table=copy).order_by("seq"))
        sitting = list(Seat.objects.filter(table=copy))
        copy.pk, copy.public_id = None, f"{'z' * 6}{secrets.token_hex(3)}"
        copy.number = 1 + Table.objects.filter(night=self.night).count()
        # The screen goes on showing the table itself.
        copy.started_at -= timedelta(seconds=1)
        copy.save(force_insert=True)
        for row in (*log, *sitting):
            row.pk, row.table = None, copy
        LogEntry.objects.bulk_create(log)
        Seat.objects.bulk_create(sitting)
        return copy


def open_evening(game_id: str, seed: int) -> Evening:
    """Start a table under random house rules, with two onlookers."""
    rng = random.Random(f"{game_id} {seed}")
    preset, changes, seats = _rules(game_id, rng, seed)
    host = people_players.new_guest("Hanna")
    night = membership.host_night(host, f"Night {seed}")
    everybody = [host, *(people_players.new_guest(f"Guest {n}") for n in range(1, seats + 2))]
    table = setup.open_table(night, host, game_id, preset, changes)
    # The same dice every time: a session that fails is played again by its seed.
    Table.objects.filter(pk=table.pk).update(dice_seed=f"{seed:064x}")
    for n, player in enumerate(everybody):
        membership.join(night, player)
        if n < seats:
            setup.sit(table, player, accept=True, nonce=f"n{n}")
    setup.start(table, host, new_command_id())
    found = Evening(rng, night, table, {player.pk: player for player in everybody})
    found.refresh()
    found.note_sitting(1)
    return found


def _rules(game_id: str, rng: random.Random, seed: int) -> tuple[str, dict[str, Any], int]:
    """Return a preset, changes to it and how many play."""
    if game_id != "chouette":
        case = _changed(plugin.game(game_id), seed)
        return case.preset, dict(case.changes), case.seats
    wanted = house_rules(rng)
    # What is hidden is what this is about: mostly sealed cubes, and people who talk.
    if rng.random() < 0.7:
        wanted |= {"cube_order": "sealed", "consultation": rng.choice(["free", "after_cube"])}
    return "german", _that_fit(wanted), rng.choice([3, 4, 4, 5])


def _that_fit(values: dict[str, Any]) -> dict[str, Any]:
    """Return what differs from the preset, dropping what does not fit together."""
    options = plugin.game("chouette").options
    usual = options.values("german")
    changes: dict[str, Any] = {}
    for key, value in values.items():
        if value == usual[key]:
            continue
        try:
            options.values("german", {**changes, key: value})
        except ValueError:
            continue
        changes[key] = value
    return changes
