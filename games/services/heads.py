"""Tables as they stand: the game's state, the seats, and the table object of docs/protocol.md §5.

Nothing here writes. What leaves the server is made per reader (`seen_by`): the game's own
view of their seat, as far as they have sat there, and the seat's choices.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.urls import reverse

from games import plugin
from games.kernel import dice as fair
from games.kernel.contract import Choice, Illegal, JsonObject, Seat
from games.models import Seat as SeatRow
from games.models import Table
from games.services import deadlines, joining, known, ledger, people, sittings, terms
from games.services.known import Known
from games.services.sittings import Reader, Sitting


@dataclass(frozen=True, slots=True)
class Head:
    """A table after entry `seq`. `table` is the table object; `clocks` as in models.Table.

    `open_now` holds the seats' open choices where they have been worked out already; `sat` who
    sat where and when, each as the player they are today.
    """

    game_id: str
    seq: int
    state: Any
    clocks: Mapping[str, int]
    table: JsonObject
    open_now: Mapping[Seat, tuple[Choice, ...]] | None = None
    sat: tuple[Sitting, ...] = ()

    def reader(self, player_id: int | None) -> Reader:
        """Return what a player may read of this table; None for a screen."""
        return sittings.reader(self.sat, player_id, seat_of(self.table, player_id))

    def choices(self, seat: Seat | None) -> tuple[Choice, ...]:
        """Return a seat's open choices: none for spectators, and none unless it is played."""
        if seat is None or self.state is None or self.table["status"] != Table.Status.PLAYING:
            return ()
        if self.open_now is not None and seat in self.open_now:
            return self.open_now[seat]
        return plugin.game(self.game_id).rules.choices(self.state, seat)

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
            "choices": [choice.to_json() for choice in self.choices(reader.seat)],
            "clocks": self.time_left(),
        }
        return seen if reader.seat is not None else {**seen, "joins": self._takes_in()}

    def time_left(self) -> dict[str, int]:
        """Return the milliseconds that the seats have left now."""
        return time_left(self.clocks, self.table["status"] == Table.Status.PAUSED)

    def _takes_in(self) -> bool:
        if self.state is None or self.table["status"] != Table.Status.PLAYING:
            return False
        return bool(joining.offered(self.game_id, self.state))

    def state_for(self, reader: Reader) -> JsonObject:
        """Return the `state` frame for a reader."""
        return {"type": "state", "seq": self.seq, **self.seen_by(reader)}


def time_left(clocks: Mapping[str, int], is_paused: bool) -> dict[str, int]:
    """Return the milliseconds left per seat; a paused table's clocks hold them already."""
    now = 0 if is_paused else deadlines.now_ms()
    left: dict[str, int] = {}
    for key, value in clocks.items():
        seat = key.split(":", 1)[0]
        left[seat] = min(left.get(seat, value), max(0, value - now))
    return left


def find(table_id: int) -> Table:
    """Return a table with its night and successor; raises `no_such_table`."""
    table = Table.objects.select_related("night", "successor").filter(pk=table_id).first()
    if table is None:
        raise Illegal("no_such_table")
    return table


def head_of(table_id: int) -> Head:
    """Return a table as it stands; raises `no_such_table`."""
    heads = heads_of({table_id})
    if table_id not in heads:
        raise Illegal("no_such_table")
    return heads[table_id]


def heads_of(table_ids: Collection[int]) -> dict[int, Head]:
    """Return some tables as they stand, each with its seats of the very same moment.

    Table and seats are read in one statement: somebody may just be joining, and a seat that
    the state does not know yet has no view.
    """
    sitting = _sitting(table_ids, with_states=False)
    sitting |= _without_seats(set(table_ids) - sitting.keys())
    old = {table_id: known.get(table_id) for table_id in sitting}
    rows: _Sitting = {}
    for pk, (table, seats) in sitting.items():
        is_known = _leads_to(old[pk], table)
        # One at a time: a stored state comes with each seat, and is large.
        rows[pk] = (table, seats) if is_known else _sitting([pk], with_states=True).get(pk, (table, seats))
    now = {pk: ledger.known_of(table, old[pk]) if table.seq else None for pk, (table, _) in rows.items()}
    today = _today(rows, now)
    return {pk: _head(table, seats, now[pk], today) for pk, (table, seats) in rows.items()}


_Sitting: TypeAlias = dict[int, tuple[Table, list[SeatRow]]]


def _sitting(table_ids: Collection[int], *, with_states: bool) -> _Sitting:
    """Return tables with night and successor, and their seats in order.

    Without the stored states where they are not needed: one comes with each seat.
    """
    joined = SeatRow.objects.select_related("table__night", "table__successor")
    seats = joined.filter(table_id__in=table_ids).order_by("table_id", "index")
    others = () if with_states else ("table__state",)
    found: _Sitting = {}
    for seat in seats.defer("table__successor__state", *others):
        found.setdefault(seat.table_id, (seat.table, []))[1].append(seat)
    return found


def _without_seats(table_ids: Collection[int]) -> _Sitting:
    joined = Table.objects.select_related("night", "successor")
    return {table.pk: (table, []) for table in joined.filter(pk__in=table_ids)} if table_ids else {}


def _leads_to(old: Known | None, table: Table) -> bool:
    """Tell whether a table's state follows from what is known, without the stored one."""
    return not table.seq or (old is not None and old.seq <= table.seq)


def _today(rows: _Sitting, now: Mapping[int, Known | None]) -> dict[int, int | None]:
    """Return who those are today who have sat at some tables and sit there no more.

    Somebody may have been joined to who sits there now; no statement where nobody has left.
    """
    gone: set[int] = set()
    for pk, (_, seats) in rows.items():
        found = now[pk]
        gone |= sittings.others(found.sat if found else (), [seat.player_id for seat in seats])
    ids = sorted(gone)
    present = people.presents(ids) if ids else []
    return {pk: None if player is None else player.pk for pk, player in zip(ids, present, strict=True)}


def _head(table: Table, seats: Sequence[SeatRow], now: Known | None, today: Mapping[int, int | None]) -> Head:
    state = None if now is None else now.state
    sat = () if now is None else sittings.named(now.sat, today)
    shown = table_json(table, seats, state)
    return Head(table.game_id, table.seq, state, dict(table.clocks), shown, sat=sat)


def table_json(table: Table, seats: Sequence[SeatRow], state: Any) -> JsonObject:
    """Return the table object of docs/protocol.md §5; `state` is None before the start."""
    rules = plugin.game(table.game_id).rules
    gone = rules.gone(state) if state is not None else ()
    is_finished = table.status == Table.Status.FINISHED
    return {
        "id": table.public_id,
        "night": table.night.public_id,
        "number": table.number,
        "game": table.game_id,
        "preset": table.preset,
        "house_rules": terms.set_named(table),
        "status": table.status,
        "host": table.night.host_id,
        "broken_off": is_finished and state is not None and not rules.is_over(state),
        "seats": [_seat_json(seat, seat.index in gone) for seat in seats],
        "successor": table.successor.public_id if table.successor else None,
        "corrections": [_correction_json(each) for each in table.corrections],
        "commitment": fair.commitment(table.dice_seed),
        "url": reverse("table", args=[table.public_id]),
    }


def _seat_json(seat: SeatRow, is_gone: bool) -> JsonObject:
    return {
        "seat": seat.index,
        "name": seat.name,
        "player": seat.player_id,
        "bot": seat.bot_level,
        "accepted": seat.accepted_at is not None,
        "gone": is_gone,
    }


def _correction_json(waiting: JsonObject) -> JsonObject:
    return {name: waiting[name] for name in ("id", "result", "seat", "points", "reason", "waiting")}


def seat_of(table: JsonObject, player_id: int | None) -> Seat | None:
    """Return a player's seat in a table object; None for those who have none."""
    seats: Sequence[JsonObject] = table["seats"]
    if player_id is None:
        return None
    return next((s["seat"] for s in seats if s["player"] == player_id), None)
