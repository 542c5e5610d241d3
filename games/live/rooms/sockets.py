"""A socket in a room: its player, the last entry sent, and its outbox."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from channels.db import database_sync_to_async
from django.utils import translation

from games.json_text import to_bytes
from games.kernel.contract import JsonObject, Seat
from games.live.rooms.outbox import Outbox
from games.refusals import close_of, ends_for_good, error_json, translate
from games.services.seats.sittings import ONLOOKER
from games.services.tables.access import Access
from games.services.tables.snapshot import Hand

CLOSE_COME_BACK = 4401
"""The close code after which a browser connects again at once. Refusals have their own (games/refusals.py)."""

SILENCE_SECONDS = 25.0


async def in_database(function: Callable[..., Any], *args: Any) -> Any:
    """Run a function that reads or writes the database in the thread that all sockets share.

    Use one call for all related work: each call waits for its turn in that thread.
    """
    return await database_sync_to_async(function)(*args)


def encode(value: object) -> bytes:
    """Return a frame, or a part of a frame, as JSON in UTF-8."""
    return to_bytes(value)


def with_field(text: bytes, name: str, encoded: bytes) -> bytes:
    """Return an encoded object with a field added, without encoding the object again."""
    return b'%b,"%b":%b}' % (text[:-1], name.encode(), encoded)


class Socket:
    """A connection: language, signs of life, and its place in a room once it has one.

    `player_id` is the player whose view it is shown: None for a TV screen, and before its rights are known. `person_id`
    is the player of the browser, whatever view it is shown. `network` groups the connections of an address for
    counting; empty if the address is unknown. `hand` is the holder of a shared device, None for the player themselves.
    `seq`, `you` and `table` are the values last sent, `lasting` the marks of the lasting members of the view last sent
    (frames.py), `delivered` the number of the room's last delivery. While a snapshot is being read for it, `backlog`
    keeps the room's deliveries. `unanswered` is the id of the connection's command that is being carried out, until
    its entry has been sent to it.
    """

    __slots__ = (
        "access", "backlog", "delivered", "hand", "is_hidden", "known_chat", "language", "last_frame_at",
        "lasting", "network", "night_id", "outbox", "person_id", "player_id", "reader", "resync", "seq",
        "table", "unanswered", "you",
    )  # fmt: skip

    def __init__(self, outbox: Outbox, language: str, now: float, network: str = "") -> None:
        self.outbox = outbox
        self.language = language
        self.access: Access | None = None
        self.night_id: int | None = None
        self.player_id: int | None = None
        self.person_id: int | None = None
        self.network = network
        self.hand: Hand | None = None
        self.reader = ONLOOKER
        self.seq = 0
        self.lasting: tuple[int, ...] = ()
        self.delivered = 0
        self.you: JsonObject | None = None
        self.table: JsonObject | None = None
        self.known_chat: Collection[int] = ()
        self.backlog: list[Callable[[Socket], None]] | None = None
        self.unanswered: str | None = None
        self.resync: Callable[[], None] | None = None
        self.is_hidden = False
        self.last_frame_at = now

    @property
    def seat(self) -> Seat | None:
        """The seat whose view the connection is sent."""
        return self.reader.seat

    def is_awake(self, now: float) -> bool:
        """Tell whether the page is shown and was heard from within the last 25 s."""
        return not self.is_hidden and now - self.last_frame_at < SILENCE_SECONDS

    def frame_received(self, now: float) -> None:
        """Note a frame from this connection."""
        self.last_frame_at = now
        self.outbox.frame_received()

    def deliver(self, delivery: Callable[[Socket], None]) -> None:
        """Run a delivery, or keep it while a snapshot is being read."""
        if self.backlog is None:
            delivery(self)
        else:
            self.backlog.append(delivery)

    def put(self, frame: JsonObject) -> None:
        """Queue a frame for this connection alone."""
        self.outbox.put(encode(frame))

    def refuse(self, code: str, params: JsonObject | None = None, frame_id: str | None = None) -> None:
        """Queue an `error` in the connection's language."""
        game_id = self.access.game_id if self.access else None
        with translation.override(self.language):
            frame = error_json(code, params or {}, game_id)
        self.put(frame if frame_id is None else {**frame, "id": frame_id})

    def dismiss(self, code: str) -> None:
        """Send the reason and close with the code of games/refusals.py: `bye` before 4403 and 4404, else `error`."""
        if ends_for_good(code):
            with translation.override(self.language):
                message = translate(code, {})
            self.put({"type": "bye", "code": code, "message": message})
        else:
            self.refuse(code)
        self.outbox.close(close_of(code))
