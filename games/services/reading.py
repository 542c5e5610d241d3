"""Reading a table's log for those who look at it: sockets and the API share these shapes.

Nothing here writes. What leaves the server is made per reader (`seen_by`): events with those
hidden that were not told to this person (sittings.py), and the table as it stands then
(heads.py). The shapes are those of docs/protocol.md §2.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.kernel import replay
from games.kernel.contract import Event, Illegal, JsonObject, Seat
from games.models import ChatMessage, LogEntry
from games.services import feed
from games.services.chat_lines import message_json
from games.services.heads import Head, heads_of
from games.services.sittings import Reader

LONGEST_TAIL = 200
CHAT_LINES = 30
# House events after which a seat is another person's.
_SEAT_CHANGES = {
    *("table.left", "table.kicked", "table.substituted", "table.forfeited", "table.vacated"),
    "table.joined",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One log entry as it is told: `command_id` is the asker's own id of the command."""

    seq: int
    events: tuple[Event, ...]
    command_id: str
    actor_id: int | None

    def seen_by(self, reader: Reader) -> JsonObject:
        """Return the `entry` frame for a reader, without a view."""
        return {
            "type": "entry",
            "seq": self.seq,
            "events": [event_json(event, self.seq, reader) for event in self.events],
        }

    @property
    def is_meta(self) -> bool:
        """Tell whether seats, names or status may have changed."""
        return any(map(replay.is_house, self.events))


def event_json(event: Event, seq: int, reader: Reader) -> JsonObject:
    """Return an event of entry `seq` as somebody may read it: whole, or `{"type": "hidden"}`."""
    if not reader.may_read(event, seq):
        return {"type": "hidden"}
    return {"type": event.type, "data": event.data, "v": event.v}


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
            event.type in _SEAT_CHANGES and event.data["seat"] == seat for line in self.lines for event in line.events
        )


def page(table_id: int, after: int | None) -> Page:
    """Return what has been written after entry `after` (None: only the head).

    Raises `no_such_table`.
    """
    (found,) = pages([(table_id, after)])
    if isinstance(found, Illegal):
        raise found
    return found


def pages(asked: Sequence[tuple[int, int | None]]) -> list[Page | Illegal]:
    """Return a page for each table and entry that is asked for; the same for the same.

    The heads are read first and bound the lines, so that both tell the same moment. Answers
    Illegal `no_such_table`.
    """
    heads = heads_of({table_id for table_id, _ in asked})
    found: dict[tuple[int, int | None], Page] = {}
    for table_id, after in asked:
        if table_id in heads and (table_id, after) not in found:
            found[table_id, after] = _page(table_id, heads[table_id], after)
    return [found.get(each) or Illegal("no_such_table") for each in asked]


def _page(table_id: int, head: Head, after: int | None) -> Page:
    if after is None or after > head.seq:
        return Page((), head, is_whole=False)
    if after == head.seq:
        return Page((), head)
    found = lines(table_id, after, head.seq, LONGEST_TAIL + 1)
    return Page((), head, is_whole=False) if len(found) > LONGEST_TAIL else Page(found, head)


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


def chats(table_ids: Collection[int]) -> dict[int, list[JsonObject]]:
    """Return the last lines of each table's chat, oldest first; nothing where nobody chats."""
    said = ChatMessage.objects.filter(table_id__in=table_ids)
    talking = said.order_by().values_list("table_id", flat=True).distinct()
    return {table_id: _chat(table_id) for table_id in talking}


def _chat(table_id: int) -> list[JsonObject]:
    last = ChatMessage.objects.filter(table_id=table_id).order_by("-pk")[:CHAT_LINES]
    return [message_json(message) for message in reversed(last)]
