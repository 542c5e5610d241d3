"""Reading a table for those who look at it: sockets and the API share these shapes.

Nothing here writes. What leaves the server is made per seat (`seen_by`): the game's own
view, that seat's choices, and events with those hidden that the seat may not read. The
shapes are those of docs/protocol.md §2 and §5.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from games import plugin
from games.kernel import dice as fair
from games.kernel import replay
from games.kernel.contract import Choice, Event, Illegal, JsonObject, Seat
from games.models import ChatMessage, LogEntry, Membership, Table
from games.models import Seat as SeatRow
from games.services import deadlines, feed, joining, known, ledger, terms
from games.services.tables import chat_json

LONGEST_TAIL = 200
CHAT_LINES = 30
# House events after which a seat is another person's.
_SEAT_CHANGES = {
    *("table.left", "table.kicked", "table.substituted", "table.forfeited", "table.vacated"),
    "table.joined",
}


@dataclass(frozen=True, slots=True)
class Access:
    """The right to look at a table. `player_id` is None for a screen (a TV), which only looks."""

    table_id: int
    night_id: int
    game_id: str
    player_id: int | None
    name: str

    @property
    def is_tv(self) -> bool:
        """Tell whether this is a screen."""
        return self.player_id is None


@dataclass(frozen=True, slots=True)
class Line:
    """One log entry as it is told: `command_id` is the asker's own id of the command."""

    seq: int
    events: tuple[Event, ...]
    command_id: str
    actor_id: int | None

    def seen_by(self, seat: Seat | None) -> JsonObject:
        """Return the `entry` frame for a seat (None = a spectator), without a view."""
        return {
            "type": "entry",
            "seq": self.seq,
            "events": [event_json(event, seat) for event in self.events],
        }

    @property
    def is_meta(self) -> bool:
        """Tell whether seats, names or status may have changed."""
        return any(map(replay.is_house, self.events))


def event_json(event: Event, seat: Seat | None) -> JsonObject:
    """Return an event as `seat` may read it: whole, or `{"type": "hidden"}`."""
    if not event.is_for(seat):
        return {"type": "hidden"}
    return {"type": event.type, "data": event.data, "v": event.v}


@dataclass(frozen=True, slots=True)
class Head:
    """A table after entry `seq`. `table` is the table object; `clocks` as in models.Table.

    `open_now` holds the seats' open choices where they have been worked out already.
    """

    game_id: str
    seq: int
    state: Any
    clocks: Mapping[str, int]
    table: JsonObject
    open_now: Mapping[Seat, tuple[Choice, ...]] | None = None

    def choices(self, seat: Seat | None) -> tuple[Choice, ...]:
        """Return a seat's open choices: none for spectators, and none unless it is played."""
        if seat is None or self.state is None or self.table["status"] != Table.Status.PLAYING:
            return ()
        if self.open_now is not None and seat in self.open_now:
            return self.open_now[seat]
        return plugin.game(self.game_id).rules.choices(self.state, seat)

    def view(self, seat: Seat | None) -> JsonObject | None:
        """Return the game's view for a seat; None while the game has not started."""
        if self.state is None:
            return None
        return plugin.game(self.game_id).rules.view(self.state, seat)

    def seen_by(self, seat: Seat | None) -> JsonObject:
        """Return `view`, `choices` and `clocks` (seat → milliseconds left) for a seat.

        Those without a seat also get `joins`: whether the table takes newcomers in.
        """
        is_paused = self.table["status"] == Table.Status.PAUSED
        seen = {
            "view": self.view(seat),
            "choices": [choice.to_json() for choice in self.choices(seat)],
            "clocks": time_left(self.clocks, is_paused),
        }
        return seen if seat is not None else {**seen, "joins": self._takes_in()}

    def _takes_in(self) -> bool:
        if self.state is None or self.table["status"] != Table.Status.PLAYING:
            return False
        return bool(joining.offered(self.game_id, self.state))

    def state_for(self, seat: Seat | None) -> JsonObject:
        """Return the `state` frame for a seat."""
        return {"type": "state", "seq": self.seq, **self.seen_by(seat)}


def time_left(clocks: Mapping[str, int], is_paused: bool) -> dict[str, int]:
    """Return the milliseconds left per seat; a paused table's clocks hold them already."""
    now = 0 if is_paused else deadlines.now_ms()
    left: dict[str, int] = {}
    for key, value in clocks.items():
        seat = key.split(":", 1)[0]
        left[seat] = min(left.get(seat, value), max(0, value - now))
    return left


@dataclass(frozen=True, slots=True)
class Page:
    """The entries after some seq, oldest first, and the table as they leave it.

    `is_whole` is False when there were too many (or none such): then only `head` counts.
    """

    lines: tuple[Line, ...]
    head: Head
    is_whole: bool = True

    def keeps_seat(self, seat: Seat | None) -> bool:
        """Tell whether `seat` was the same person's through all the lines."""
        return not any(
            event.type in _SEAT_CHANGES and event.data["seat"] == seat
            for line in self.lines
            for event in line.events
        )


def access(
    public_id: str, player_id: int | None, tv: Collection[str] = (), as_tv: bool = False
) -> Access:
    """Return what a browser may see of a table: as its player, or as a screen of the night.

    `tv` lists the nights (public ids) it may show; `as_tv` asks for a screen although the
    player is in. Raises Illegal `no_such_table`, `removed`, `not_inside`.
    """
    table = Table.objects.select_related("night").filter(public_id=public_id).first()
    if table is None:
        raise Illegal("no_such_table")
    members = Membership.objects.filter(night_id=table.night_id).select_related("player")
    member = members.filter(player_id=player_id).first() if player_id is not None else None
    if member is not None and member.status == Membership.Status.KICKED:
        raise Illegal("removed")
    is_in = member is not None and member.status == Membership.Status.IN
    if not is_in and table.night.public_id not in tv:
        raise Illegal("not_inside")
    if member is None or not is_in or as_tv:
        return Access(table.pk, table.night_id, table.game_id, None, "")
    player = member.player
    return Access(table.pk, table.night_id, table.game_id, player.pk, player.nickname)


def pulse(right: Access) -> int:
    """Return the last seq of a table while the right to look holds; raises `removed`."""
    seq = Table.objects.filter(pk=right.table_id).values_list("seq", flat=True).first()
    if seq is None:
        raise Illegal("no_such_table")
    if right.player_id is None:
        return seq
    inside = Membership.objects.filter(
        night_id=right.night_id, player_id=right.player_id, status=Membership.Status.IN
    )
    if not inside.exists():
        raise Illegal("removed")
    return seq


def page(table_id: int, after: int | None) -> Page:
    """Return what has been written after entry `after` (None: only the head).

    The head is read first and bounds the lines, so that both tell the same moment.
    """
    head = head_of(table_id)
    if after is None or after > head.seq:
        return Page((), head, is_whole=False)
    found = lines(table_id, after, head.seq, LONGEST_TAIL + 1)
    return Page((), head, is_whole=False) if len(found) > LONGEST_TAIL else Page(found, head)


def find(table_id: int) -> Table:
    """Return a table with its night and successor; raises `no_such_table`."""
    table = Table.objects.select_related("night", "successor").filter(pk=table_id).first()
    if table is None:
        raise Illegal("no_such_table")
    return table


def head_of(table_id: int) -> Head:
    """Return a table as it stands, its seats those of the very same moment.

    They are read in one statement: somebody may just be joining, and a seat that the state
    does not know yet has no view. Raises `no_such_table`.
    """
    joined = SeatRow.objects.select_related("table__night", "table__successor")
    seats = joined.filter(table_id=table_id).order_by("index")
    # Without the stored states: they would come, and be read, once for each seat.
    sitting = list(seats.defer("table__state", "table__successor__state"))
    table = sitting[0].table if sitting else find(table_id)
    found = known.get(table_id)
    state = found.state if found is not None and found.seq == table.seq else None
    if state is None and table.seq:
        sitting = list(seats)
        table = sitting[0].table if sitting else find(table_id)
        state = ledger.state_of(table)
    shown = table_json(table, sitting, state)
    return Head(table.game_id, table.seq, state, dict(table.clocks), shown)


def lines(table_id: int, after: int, upto: int, limit: int) -> tuple[Line, ...]:
    """Return at most `limit` entries with after < seq <= upto."""
    rows = LogEntry.objects.filter(table_id=table_id, seq__gt=after, seq__lte=upto).order_by("seq")
    fields = rows.values_list("seq", "events", "command_id", "actor_id")
    return tuple(
        Line(seq, tuple(map(Event.from_json, events)), command_id.split(":", 1)[-1], actor_id)
        for seq, events, command_id, actor_id in fields[:limit]
    )


def line_of(news: feed.TableNews) -> Line:
    """Return the line that news tell."""
    return Line(news.seq, news.events, news.command_id, news.actor_id)


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


def seat_of(table: JsonObject, player_id: int | None) -> Seat | None:
    """Return a player's seat in a table object; None for those who have none."""
    seats: Sequence[JsonObject] = table["seats"]
    if player_id is None:
        return None
    return next((s["seat"] for s in seats if s["player"] == player_id), None)


def chat(table_id: int) -> list[JsonObject]:
    """Return the last lines of a table's chat, oldest first."""
    last = ChatMessage.objects.filter(table_id=table_id).order_by("-pk")[:CHAT_LINES]
    return [chat_json(message) for message in reversed(last)]
