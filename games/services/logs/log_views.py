"""Views of a table's log: snapshots and pages of entries, for sockets and the API.

Nothing here writes. The data that leave the server are made per reader: events with the hidden ones
replaced (sittings.py), and the table as of that moment (snapshot.py). The shapes are
described in docs/protocol.md §2 and §5.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from django.db.models import OuterRef, Subquery
from django.urls import reverse

from games import plugin
from games.kernel.contract import Event, Illegal, JsonObject, Seat
from games.kernel.data.records import changed, record
from games.kernel.sent import SentCorrection, SentEvent, SentPerson, SentTable, SentTableSeat
from games.models import DELETED_NAME, ChatMessage, Membership, ResultLine, Table
from games.models import Seat as StoredSeat
from games.services.chat.chat import message_json
from games.services.dice import dice_chains
from games.services.house_rules import offers
from games.services.people import players
from games.services.seats import sittings
from games.services.seats.sittings import TableReader
from games.services.tables import log
from games.services.tables import snapshot as table_snapshot
from games.services.tables.log import LoggedEntry
from games.services.tables.snapshot import TableSnapshot

LONGEST_TAIL = 200
CHAT_LINES = 30
# House events after which a seat belongs to another person.
_SEAT_CHANGES = {
    *("table.left", "table.kicked", "table.substituted", "table.forfeited", "table.vacated"),
    "table.joined",
}


def entry_json(entry: LoggedEntry, reader: TableReader) -> JsonObject:
    """Return the `entry` frame for a reader, without a view."""
    events = [event_json(event, entry.seq, reader) for event in entry.events]
    frame = {"type": "entry", "seq": entry.seq, "events": events}
    if entry.throw is None:
        return frame
    return {**frame, "throw": dice_chains.throw_json(entry.throw, entry.events, is_over=reader.is_over)}


def event_json(event: Event, seq: int, reader: TableReader) -> SentEvent:
    """Return an event of entry `seq` for a reader: whole, or `{"type": "hidden"}`.

    It is marked `private` if it is not open to everybody.
    """
    if not reader.may_read(event, seq):
        return {"type": "hidden"}
    data: SentEvent = {"type": event.type, "data": event.data, "v": event.v}
    return data if event.is_open(is_over=reader.is_over) else {**data, "private": True}


@record(frozen=True, slots=True)
class Page:
    """The entries after a given seq, oldest first, and the table after them.

    `is_whole` is False if there are too many entries, or the seq is not one of the table's: then only
    `snapshot` counts.
    """

    entries: tuple[LoggedEntry, ...]
    snapshot: TableSnapshot
    is_whole: bool = True

    def keeps_seat(self, seat: Seat | None) -> bool:
        """Tell whether no entry of the page changed the person on `seat`."""
        events = (event for entry in self.entries for event in entry.events)
        return not any(event.type in _SEAT_CHANGES and event.data["seat"] == seat for event in events)


def page(table_id: int, after: int | None) -> Page:
    """Return the page of entries after entry `after` (None: only the snapshot).

    Raises `no_such_table`.
    """
    (found,) = pages([(table_id, after)])
    if isinstance(found, Illegal):
        raise found
    return found


def pages(requests: Sequence[tuple[int, int | None]]) -> list[Page | Illegal]:
    """Return a page for each requested table and entry; equal requests share a page.

    The snapshots are read first and limit the entries, so that both belong to the same moment. A missing table
    gives Illegal `no_such_table`.
    """
    now = snapshots({table_id for table_id, _ in requests})
    found: dict[tuple[int, int | None], Page] = {}
    for table_id, after in requests:
        if table_id in now and (table_id, after) not in found:
            found[table_id, after] = _page(now[table_id], after)
    return [found.get(each) or Illegal("no_such_table") for each in requests]


def _page(now: TableSnapshot, after: int | None) -> Page:
    if after is None or after > now.seq:
        return Page((), now, is_whole=False)
    if after == now.seq:
        return Page((), now)
    found = log.entries(now.table_id, now.seq, after, LONGEST_TAIL + 1)
    return Page((), now, is_whole=False) if len(found) > LONGEST_TAIL else Page(tuple(found), now)


def chats(table_ids: Collection[int]) -> dict[int, list[JsonObject]]:
    """Return the last lines of each table's chat, oldest first; tables without chat are left out."""
    messages = ChatMessage.objects.filter(table_id__in=table_ids)
    talking = messages.order_by().values_list("table_id", flat=True).distinct()
    return {table_id: _chat(table_id) for table_id in talking}


def _chat(table_id: int) -> list[JsonObject]:
    last = ChatMessage.objects.filter(table_id=table_id).order_by("-pk")[:CHAT_LINES]
    return [message_json(message) for message in reversed(last)]


def snapshot(table_id: int) -> TableSnapshot:
    """Return a table's present snapshot, with its table object; raises `no_such_table`."""
    found = snapshots({table_id})
    if table_id not in found:
        raise Illegal("no_such_table")
    return found[table_id]


def snapshots(table_ids: Collection[int]) -> dict[int, TableSnapshot]:
    """Return the present snapshots of tables, each with its table object and its seats at the same moment.

    Table and seats are read in one statement, because a player may be joining at this moment, and there is no view
    for a seat that the state does not know yet.
    """
    sitting = _sitting(table_ids, with_states=False)
    sitting |= _without_seats(set(table_ids) - sitting.keys())
    old = {table_id: table_snapshot.cached(table_id) for table_id in sitting}
    rows: _Sitting = {}
    for pk, (table, seats) in sitting.items():
        is_known = _leads_to(old[pk], table)
        # One at a time: the stored state is large and comes with each seat's row.
        rows[pk] = (table, seats) if is_known else _sitting([pk], with_states=True).get(pk, (table, seats))
    now = {pk: log.snapshot_of(table, old[pk]) for pk, (table, _) in rows.items()}
    today = _today(rows, now)
    return {pk: _with_table(now[pk], table, seats, today) for pk, (table, seats) in rows.items()}


_Sitting: TypeAlias = dict[int, tuple[Table, list[StoredSeat]]]


def _sitting(table_ids: Collection[int], *, with_states: bool) -> _Sitting:
    """Return tables with night and successor, and their seats in order.

    Stored states are loaded only `with_states`: one comes with each seat's row.
    """
    joined = StoredSeat.objects.select_related("table__night", "table__successor", "table__scorekeeper")
    kept = Membership.objects.filter(night=OuterRef("table__night"), player=OuterRef("player"))
    joined = joined.annotate(
        kept_by=Subquery(kept.values("keeper")), kept_name=Subquery(kept.values("keeper__nickname"))
    )
    seats = joined.filter(table_id__in=table_ids).order_by("table_id", "index")
    others = () if with_states else ("table__state",)
    found: _Sitting = {}
    for seat in seats.defer("table__successor__state", *others):
        found.setdefault(seat.table_id, (seat.table, []))[1].append(seat)
    return found


def _without_seats(table_ids: Collection[int]) -> _Sitting:
    joined = Table.objects.select_related("night", "successor", "scorekeeper")
    return {table.pk: (table, []) for table in joined.filter(pk__in=table_ids)} if table_ids else {}


def _leads_to(old: TableSnapshot | None, table: Table) -> bool:
    """Tell whether a table's state can be computed from the cached snapshot, without the stored state."""
    return not table.seq or (old is not None and old.seq <= table.seq)


def _today(rows: _Sitting, now: Mapping[int, TableSnapshot]) -> dict[int, int | None]:
    """Return the present ids of earlier players of tables that no longer sit there.

    They may have been merged into present players of the table. No query if nobody has left.
    """
    gone: set[int] = set()
    for pk, (_, seats) in rows.items():
        present = [seat.player_id for seat in seats if seat.name != DELETED_NAME]
        gone |= sittings.others(now[pk].sat, present)
    ids = sorted(gone)
    people = players.current_players(ids) if ids else []
    return {pk: None if player is None else player.pk for pk, player in zip(ids, people, strict=True)}


def _with_table(
    now: TableSnapshot, table: Table, seats: Sequence[StoredSeat], today: Mapping[int, int | None]
) -> TableSnapshot:
    """Return a snapshot with the present values of its row, in place of cached ones."""
    sat = sittings.named(now.sat, today)
    shown: JsonObject = {**_table_json(table, seats, now.state)}
    before = sittings.names_before(sat)
    shown["seats"] = [
        {**seat, "before": before[seat["seat"]]} if seat["seat"] in before else seat for seat in shown["seats"]
    ]
    return changed(now, status=table.status, clocks=dict(table.clocks), sat=sat, table=shown)


def _table_json(table: Table, seats: Sequence[StoredSeat], state: Any) -> SentTable:
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
        "house_rules": offers.set_named(table),
        "medium": plugin.game(table.game_id).medium(table.options),
        "status": table.status,
        "host": table.night.host_id,
        "broken_off": is_finished and state is not None and not rules.is_over(state),
        "scorekeeper": _scorekeeper(table),
        "seats": [_seat_json(table, seat, seat.index in gone) for seat in seats],
        "successor": table.successor.public_id if table.successor else None,
        "corrections": _corrections(table.corrections),
        "commitment": dice_chains.commitment_of(table),
        "url": reverse("table", args=[table.public_id]),
    }


def _scorekeeper(table: Table) -> SentPerson | None:
    player = table.scorekeeper
    return None if player is None else {"player": player.pk, "name": player.nickname}


def _keeper(table: Table, seat: Any) -> SentPerson | None:
    """Return the keeper of a seat; None if its person has a phone, and for bots."""
    if seat.player_id is None or seat.kept_by is None:
        return None
    return _scorekeeper(table) or {"player": seat.kept_by, "name": seat.kept_name}


def _seat_json(table: Table, seat: StoredSeat, is_gone: bool) -> SentTableSeat:
    return {
        "id": seat.seat_id,
        "seat": seat.index,
        "name": seat.name,
        "player": seat.player_id,
        "bot": seat.bot_level,
        "accepted": seat.accepted_at is not None,
        "gone": is_gone,
        "keeper": _keeper(table, seat),
    }


def _corrections(waiting: list[JsonObject]) -> list[SentCorrection]:
    """Return the corrections that wait, each with its proposer and the people to agree, from its result's lines."""
    if not waiting:
        return []
    rows = ResultLine.objects.filter(result__in={each["result"] for each in waiting})
    lines = {(line.result_id, line.seat): line for line in rows}
    return [_correction_json(each, lines) for each in waiting]


def _correction_json(waiting: JsonObject, lines: Mapping[tuple[int, int], ResultLine]) -> SentCorrection:
    by = lines.get((waiting["result"], waiting["seat"]))
    asked = [line for seat in waiting["waiting"] if (line := lines.get((waiting["result"], seat))) is not None]
    return {
        "id": waiting["id"],
        "result": waiting["result"],
        "seat": waiting["seat"],
        "points": waiting["points"],
        "reason": waiting["reason"],
        "waiting": waiting["waiting"],
        "told": waiting.get("told"),
        "one_is_enough": waiting.get("one_is_enough", False),
        "by": None if by is None else {"player": by.player_id, "name": by.name},
        "asked": [{"player": line.player_id, "name": line.name} for line in asked],
    }
