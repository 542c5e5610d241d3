"""Snapshots: a table after an entry of its log, as services and sockets pass it on.

Nothing here reads or writes the database. The data that leave the server are made per reader (`seen_by`):
the game's view of the reader's seat, limited to the times at which the reader sat there, and the seat's choices.

The cache of table snapshots of this process.

Cached snapshots were committed. One is valid only while the table's row still has its seq: if
another process has written since, the missing entries come from the log.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from games import plugin
from games.kernel.contract import FLAG, JOIN, TIME_LIMIT, Choice, Event, JsonObject, Seat
from games.kernel.data.records import TABLES
from games.kernel.dice import FairDice
from games.kernel.dice.chains import ThrowDice
from games.kernel.sent import SentChoice
from games.kernel.words import Headline
from games.models import Table
from games.services import server_time
from games.services.dice import dice_chains
from games.services.dice.dice_chains import Chains, UnderWay
from games.services.seats import sittings
from games.services.seats.sittings import Sitting, TableReader
from games.services.tables import deadlines


@dataclass(frozen=True, slots=True)
class Hand:
    """The seat of the person holding a device that several share; None during a hand-over."""

    seat: Seat | None


@dataclass(frozen=True)
class TableSnapshot:
    """A table after entry `seq` of its log; `state` is None before the first one.

    Every entry makes some of them: copies come from `records.changed`.

    `status`, `clocks`, `due_at`, `dice_drawn` as in models.Table. `state_seq` is the entry after which the
    stored state was dumped, None if there is none that these rules can read. `sat` holds the sittings. `open_now`
    holds the seats' open choices if they have been computed already, `chains` the position in the chains of
    the dice (None: the dice come from the seed alone), `table` the table object of docs/protocol.md §5 if it
    has been read.
    """

    table_id: int
    public_id: str
    game_id: str
    night_id: int
    dice_seed: str
    dice_salt: str
    status: str
    seq: int
    state: Any
    state_seq: int | None
    dice_drawn: int
    clocks: Mapping[str, int]
    due_at: datetime | None = None
    sat: tuple[Sitting, ...] = ()
    open_now: deadlines.Open | None = None
    chains: Chains | None = None
    table: JsonObject | None = None

    @property
    def is_running(self) -> bool:
        """Tell whether play has begun and not ended; it may be paused."""
        return self.status in (Table.Status.PLAYING, Table.Status.PAUSED)

    def dice(self) -> FairDice | ThrowDice:
        """Return the table's dice, at the position where the log left them."""
        return dice_chains.dice(self.chains, self.public_id, self.dice_seed, self.dice_salt, self.dice_drawn)

    @property
    def under_way(self) -> UnderWay | None:
        """The throw that waits for devices, or None."""
        return None if self.chains is None else self.chains.under_way

    def reader(self, player_id: int | None, hand: Hand | None = None) -> TableReader:
        """Return the reader for a player of this table; with None that of a TV screen. Needs `table`."""
        found = reader_of(self.sat, self.table or NO_SEATS, player_id, hand)
        return replace(found, is_over=True) if self.status == Table.Status.FINISHED else found

    def choices(self, seat: Seat | None) -> tuple[Choice, ...]:
        """Return a seat's open choices: none for spectators, and none unless the table is playing."""
        if seat is None or self.state is None or self.status != Table.Status.PLAYING:
            return ()
        if self.open_now is not None and seat in self.open_now:
            return self.open_now[seat]
        return plugin.game(self.game_id).rules.choices(self.state, seat)

    def choices_of(self, reader: TableReader) -> list[SentChoice]:
        """Return the open choices that a reader sees, as sent: of the own seat, or to enter for another's seat."""
        found = self.choices(reader.seat if reader.enters is None else reader.enters)
        if not found:
            return []
        rules = plugin.game(self.game_id).rules
        if reader.enters is not None:
            found = rules.to_enter(self.state, found)
        return [rules.sent(self.state, choice) for choice in found]

    def view(self, reader: TableReader) -> Mapping[str, Any] | None:
        """Return the game's view for a reader; None while the game has not started."""
        if self.state is None:
            return None
        return plugin.game(self.game_id).rules.view(self.state, reader.seat, reader.times)

    def seen_by(self, reader: TableReader) -> JsonObject:
        """Return `view`, `choices` and `clocks` (seat → milliseconds left) for a reader.

        Readers without a seat also get `joins`: whether the table takes newcomers in.
        """
        view = {"view": self.view(reader), "choices": self.choices_of(reader), "clocks": self.time_left()}
        return view if reader.seat is not None else {**view, "joins": self.takes_newcomers}

    def headlines(self, reader: TableReader, seq: int, events: Sequence[Event]) -> Sequence[Headline]:
        """Return the headlines of entry `seq` for readers without a seat, if the game makes any."""
        if reader.seat is not None or self.state is None:
            return ()
        make = plugin.game(self.game_id).rules.headlines
        if make is None:
            return ()
        own = [event for event in events if reader.may_read(event, seq) and not event.type.startswith("table.")]
        return make(own, self.view(reader) or {}) if own else ()

    def kept(self, player_id: int | None) -> list[JsonObject]:
        """Return for each seat that a player acts for whether it must decide, and whether it has secrets.

        Empty for players that act for no seat but their own. Needs `table`.
        """
        table = self.table or NO_SEATS
        kept = kept_seats(table, player_id)
        own = seat_of(table, player_id)
        own_seats = sorted({*kept, *([] if own is None else [own])}) if kept else []
        return [self._kept(seat) for seat in own_seats]

    def _kept(self, seat: Seat) -> JsonObject:
        must_decide = any(choice.required for choice in self.choices(seat))
        is_running = self.state is not None and self.is_running
        has_secrets = is_running and plugin.game(self.game_id).rules.has_secrets(self.state, seat)
        return {"seat": seat, "asked": must_decide, "secret": has_secrets}

    def time_left(self) -> dict[str, int]:
        """Return the milliseconds that the seats have left now."""
        return time_left(self.clocks, self.status == Table.Status.PAUSED)

    @property
    def newcomers_seats(self) -> tuple[Seat, ...]:
        """The seats that the rules offer to newcomers and to returning players."""
        choices = plugin.game(self.game_id).rules.choices(self.state, None)
        return tuple(option["seat"] for choice in choices if choice.name == JOIN for option in choice.options)

    @property
    def takes_newcomers(self) -> bool:
        """Tell whether the table takes newcomers in now; a single member may still be refused (`join`)."""
        return self.state is not None and self.status == Table.Status.PLAYING and bool(self.newcomers_seats)

    def state_for(self, reader: TableReader) -> JsonObject:
        """Return the `state` frame for a reader."""
        return {"type": "state", "seq": self.seq, **self.seen_by(reader)}


NO_SEATS: JsonObject = {"seats": ()}


def snapshot_of_row(table: Table, state: Any, state_seq: int | None, sat: tuple[Sitting, ...]) -> TableSnapshot:
    """Return the snapshot of a table's row, with its game's state and its sittings."""
    return TableSnapshot(
        table_id=table.pk,
        public_id=table.public_id,
        game_id=table.game_id,
        night_id=table.night_id,
        dice_seed=table.dice_seed,
        dice_salt=table.dice_salt,
        status=table.status,
        seq=table.seq,
        state=state,
        state_seq=state_seq,
        dice_drawn=table.dice_drawn,
        clocks=dict(table.clocks),
        due_at=table.due_at,
        sat=sat,
        chains=None if table.chains is None else dice_chains.load(table.chains),
    )


def time_left(clocks: Mapping[str, int], is_paused: bool) -> dict[str, int]:
    """Return the milliseconds left per seat; a paused table's clocks hold them already.

    Those of a game clock until its flag falls are at `<seat>:flag`, those of the table's time limit at `time_limit`.
    """
    if not clocks:
        return {}
    now = 0 if is_paused else server_time.now_ms()
    left: dict[str, int] = {}
    for key, value in clocks.items():
        seat, name, _ = key.split(":", 2)
        if name in (FLAG, TIME_LIMIT):
            seat = ":".join(filter(None, (seat, name)))
        left[seat] = min(left.get(seat, value), max(0, value - now))
    return left


def seat_of(table: JsonObject, player_id: int | None) -> Seat | None:
    """Return a player's seat in a table object, or None."""
    seats: Sequence[JsonObject] = table["seats"]
    if player_id is None:
        return None
    return next((s["seat"] for s in seats if s["player"] == player_id), None)


def kept_seats(table: JsonObject, player_id: int | None) -> tuple[Seat, ...]:
    """Return the seats in a table object of which a player is the keeper."""
    if player_id is None:
        return ()
    keepers = ((each["seat"], each.get("keeper")) for each in table["seats"])
    return tuple(seat for seat, keeper in keepers if keeper is not None and keeper["player"] == player_id)


def entered_seats(table: JsonObject, player_id: int | None) -> tuple[Seat, ...]:
    """Return the seats in a table object for which a player may enter acts as host or scorekeeper.

    These are the seats of other people with a phone that have accepted the rules, where real equipment lies on the
    table.
    """
    scorekeeper = table.get("scorekeeper") or {}
    is_real = table.get("medium", plugin.SCREEN) != plugin.SCREEN
    if not is_real or player_id is None or player_id not in (table.get("host"), scorekeeper.get("player")):
        return ()
    others = (each for each in table["seats"] if each["player"] not in (None, player_id) and each["accepted"])
    return tuple(each["seat"] for each in others if each.get("keeper") is None and not each["gone"])


def seats_to_show(table: JsonObject, player_id: int | None) -> tuple[Seat, ...]:
    """Return the seats in a table object whose choices a player's device may show: own, kept, and to enter for."""
    own = seat_of(table, player_id)
    own_seats = () if own is None else (own,)
    return (*own_seats, *kept_seats(table, player_id), *entered_seats(table, player_id))


def reader_of(
    sat: tuple[Sitting, ...], table: JsonObject, player_id: int | None, hand: Hand | None = None
) -> TableReader:
    """Return the reader for a player's device: the own seat, or a kept seat while its person holds the device.

    For the seat of a person with a phone, host and scorekeeper read only the choices that they may enter there.
    During a hand-over, and for any other seat, the reader is an onlooker.
    """
    if hand is None or (hand.seat is not None and hand.seat == seat_of(table, player_id)):
        return sittings.reader(sat, player_id, seat_of(table, player_id))
    if hand.seat in entered_seats(table, player_id):
        return replace(sittings.ONLOOKER, enters=hand.seat)
    if hand.seat not in kept_seats(table, player_id):
        return sittings.ONLOOKER
    person = next(each["player"] for each in table["seats"] if each["seat"] == hand.seat)
    return sittings.reader(sat, person, hand.seat)


MOST_KEPT = 2 * TABLES
"""The most snapshots in the cache; each takes 5 to 20 kB.

A table that drops out is read from its row again, which costs more than a move: the row, its seats and its log.
"""
MOST_RESTING = 1000
"""The most snapshots that are kept beyond those of tables with an entry in the last REST_SECONDS."""
REST_SECONDS = 600.0

_kept: OrderedDict[int, tuple[TableSnapshot, float]] = OrderedDict()
"""By table, each with the time at which it was kept; the last one kept is at the end."""
_lock = threading.Lock()


def cached(table_id: int) -> TableSnapshot | None:
    """Return the cached snapshot of a table, of any seq, or None."""
    found = _kept.get(table_id)
    return None if found is None else found[0]


def keep(snapshot: TableSnapshot) -> None:
    """Cache a committed snapshot, unless a later one is cached already."""
    now = time.monotonic()
    with _lock:
        older = _kept.get(snapshot.table_id)
        if older is None or older[0].seq <= snapshot.seq:
            _kept[snapshot.table_id] = (snapshot, now)
            _kept.move_to_end(snapshot.table_id)
        while len(_kept) > MOST_RESTING and (len(_kept) > MOST_KEPT or _has_rested(now)):
            _kept.popitem(last=False)


def _has_rested(now: float) -> bool:
    """Tell whether the snapshot that was kept first is that of a resting table."""
    _, kept_at = next(iter(_kept.values()))
    return kept_at < now - REST_SECONDS


def forget(table_id: int) -> None:
    """Drop the snapshot of a table, so that its row and its log are read again."""
    with _lock:
        _kept.pop(table_id, None)


def forget_all() -> None:
    """Empty the cache (tests; after a restored backup)."""
    with _lock:
        _kept.clear()
