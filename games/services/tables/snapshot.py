"""Snapshots: a table after an entry of its log, as the services and the live line pass it on.

Nothing here reads or writes the database. What leaves the server is made per reader (`seen_by`):
the game's own view of their seat, as far as they have sat there, and the seat's choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from games import plugin
from games.kernel.contract import JOIN, Choice, JsonObject, Seat
from games.kernel.dice import FairDice
from games.kernel.dice.chains import ThrowDice
from games.models import Table
from games.services.clock import deadlines
from games.services.dice import dice_chains
from games.services.dice.dice_chains import Chains, UnderWay
from games.services.seats import sittings
from games.services.seats.sittings import Reader, Sitting


@dataclass(frozen=True, slots=True)
class Hand:
    """The seat of the person who holds a device that several share; None while it is handed on."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table after entry `seq` of its log; `state` is None before the first one.

    `status`, `clocks`, `due_at`, `dice_drawn` as in models.Table. `state_seq` is the entry of which
    the state is stored, None where none that these rules can read is. `sat` tells who sat where and
    when. `open_now` holds the seats' open choices where they have been worked out already, `chains` is
    where the chains of the dice stand (None: they come from the seed alone), `table`
    the table object of docs/protocol.md §5 where it has been read.
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
        """Tell whether a game is under way, paused or not."""
        return self.status in (Table.Status.PLAYING, Table.Status.PAUSED)

    def dice(self) -> FairDice | ThrowDice:
        """Return the table's dice, at the place where the log left them."""
        return dice_chains.dice(self.chains, self.public_id, self.dice_seed, self.dice_salt, self.dice_drawn)

    @property
    def under_way(self) -> UnderWay | None:
        """The throw that waits for devices."""
        return None if self.chains is None else self.chains.under_way

    def reader(self, player_id: int | None, hand: Hand | None = None) -> Reader:
        """Return what a player may read of this table; None for a screen. Needs `table`."""
        found = reader_of(self.sat, self.table or NO_SEATS, player_id, hand)
        return replace(found, is_over=self.status == Table.Status.FINISHED)

    def choices(self, seat: Seat | None) -> tuple[Choice, ...]:
        """Return a seat's open choices: none for spectators, and none unless it is played."""
        if seat is None or self.state is None or self.status != Table.Status.PLAYING:
            return ()
        if self.open_now is not None and seat in self.open_now:
            return self.open_now[seat]
        return plugin.game(self.game_id).rules.choices(self.state, seat)

    def _open_to(self, reader: Reader) -> tuple[Choice, ...]:
        """Return the open choices that a reader sees: of their own seat, or what they may enter for another's."""
        if reader.enters is None:
            return self.choices(reader.seat)
        found = self.choices(reader.enters)
        return plugin.game(self.game_id).to_enter(self.state, found) if found else ()

    def view(self, reader: Reader) -> JsonObject | None:
        """Return the game's view for a reader; None while the game has not started."""
        if self.state is None:
            return None
        return plugin.game(self.game_id).rules.view(self.state, reader.seat, reader.times)

    def seen_by(self, reader: Reader) -> JsonObject:
        """Return `view`, `choices` and `clocks` (seat → milliseconds left) for a reader.

        Those without a seat also get `joins`: whether the table takes newcomers in.
        """
        seen = {
            "view": self.view(reader),
            "choices": [choice.to_json() for choice in self._open_to(reader)],
            "clocks": self.time_left(),
        }
        return seen if reader.seat is not None else {**seen, "joins": self.takes_newcomers}

    def kept(self, player_id: int | None) -> list[JsonObject]:
        """Return of each seat that a player acts for whether it is asked, and whether it has secrets.

        Nothing for those who act for themselves alone. Needs `table`.
        """
        table = self.table or NO_SEATS
        kept = kept_seats(table, player_id)
        own = seat_of(table, player_id)
        mine = sorted({*kept, *([] if own is None else [own])}) if kept else []
        return [self._kept(seat) for seat in mine]

    def _kept(self, seat: Seat) -> JsonObject:
        is_asked = any(choice.required for choice in self.choices(seat))
        is_running = self.state is not None and self.is_running
        has_secrets = is_running and plugin.game(self.game_id).has_secrets(self.state, seat)
        return {"seat": seat, "asked": is_asked, "secret": has_secrets}

    def time_left(self) -> dict[str, int]:
        """Return the milliseconds that the seats have left now."""
        return time_left(self.clocks, self.status == Table.Status.PAUSED)

    @property
    def newcomers_seats(self) -> tuple[Seat, ...]:
        """The seats that the rules offer to newcomers and to those who come back."""
        choices = plugin.game(self.game_id).rules.choices(self.state, None)
        return tuple(option["seat"] for choice in choices if choice.name == JOIN for option in choice.options)

    @property
    def takes_newcomers(self) -> bool:
        """Tell whether the table takes people in now; a member may still be refused (`join`)."""
        return self.state is not None and self.status == Table.Status.PLAYING and bool(self.newcomers_seats)

    def state_for(self, reader: Reader) -> JsonObject:
        """Return the `state` frame for a reader."""
        return {"type": "state", "seq": self.seq, **self.seen_by(reader)}


NO_SEATS: JsonObject = {"seats": ()}


def snapshot_of_row(table: Table, state: Any, state_seq: int | None, sat: tuple[Sitting, ...]) -> TableSnapshot:
    """Return the snapshot that a table's row, its game's state and its sittings make."""
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
    """Return the milliseconds left per seat; a paused table's clocks hold them already."""
    now = 0 if is_paused else deadlines.now_ms()
    left: dict[str, int] = {}
    for key, value in clocks.items():
        seat = key.split(":", 1)[0]
        left[seat] = min(left.get(seat, value), max(0, value - now))
    return left


def seat_of(table: JsonObject, player_id: int | None) -> Seat | None:
    """Return a player's seat in a table object; None for those who have none."""
    seats: Sequence[JsonObject] = table["seats"]
    if player_id is None:
        return None
    return next((s["seat"] for s in seats if s["player"] == player_id), None)


def kept_seats(table: JsonObject, player_id: int | None) -> tuple[Seat, ...]:
    """Return the seats in a table object that a player keeps for people without a phone."""
    if player_id is None:
        return ()
    keepers = ((each["seat"], each.get("keeper")) for each in table["seats"])
    return tuple(seat for seat, keeper in keepers if keeper is not None and keeper["player"] == player_id)


def entered_seats(table: JsonObject, player_id: int | None) -> tuple[Seat, ...]:
    """Return the seats in a table object of people with a phone for whom a player may enter, as host or scorekeeper."""
    scorekeeper = table.get("scorekeeper") or {}
    if player_id is None or player_id not in (table.get("host"), scorekeeper.get("player")):
        return ()
    others = (each for each in table["seats"] if each["player"] not in (None, player_id))
    return tuple(each["seat"] for each in others if each.get("keeper") is None and not each["gone"])


def seats_to_show(table: JsonObject, player_id: int | None) -> tuple[Seat, ...]:
    """Return the seats in a table object whose choices a player's device may show: own, kept, and to enter for."""
    own = seat_of(table, player_id)
    mine = () if own is None else (own,)
    return (*mine, *kept_seats(table, player_id), *entered_seats(table, player_id))


def reader_of(sat: tuple[Sitting, ...], table: JsonObject, player_id: int | None, hand: Hand | None = None) -> Reader:
    """Return what a player's device reads: as their own seat, or as one that they keep while its person holds it.

    For the seat of somebody with a phone host and scorekeeper read what they may enter there.

    Only what all may see while it is handed on, and where the seat is not theirs to show any more.
    """
    if hand is None or (hand.seat is not None and hand.seat == seat_of(table, player_id)):
        return sittings.reader(sat, player_id, seat_of(table, player_id))
    if hand.seat in entered_seats(table, player_id):
        return replace(sittings.ONLOOKER, enters=hand.seat)
    if hand.seat not in kept_seats(table, player_id):
        return sittings.ONLOOKER
    person = next(each["player"] for each in table["seats"] if each["seat"] == hand.seat)
    return sittings.reader(sat, person, hand.seat)
