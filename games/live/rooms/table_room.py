"""The room of a table: its connections in this process get each entry once and in order.

Everything here runs on the event loop. The log decides; news is only a hint. An entry that follows the last one is
delivered from the news; in any other case (a gap, an entry that changed seats or status, an entry that this process
cannot apply) the room reads the log from its last seq on. A connection that is being shown a snapshot keeps the room's
deliveries meanwhile, and then drops the entries that the snapshot already held: no entry is lost or doubled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextvars import Context
from math import inf

from django.db import Error as DatabaseError

from games.kernel.contract import JsonObject, Seat
from games.kernel.records import changed
from games.live.rooms.delivery import Broadcast
from games.live.rooms.frames import Batch
from games.live.rooms.presence import Presence
from games.live.rooms.sockets import Socket, encode
from games.services.dice import dice_chains
from games.services.logs.log_views import Page
from games.services.seats import bot_tables, sittings
from games.services.seats.sittings import ONLOOKER, Sitting
from games.services.tables.relay import TableNews
from games.services.tables.snapshot import NO_SEATS, Hand, TableSnapshot, kept_seats, reader_of, seat_of, time_left

logger = logging.getLogger(__name__)

Question = tuple[Seat, JsonObject]
ReadPage = Callable[[tuple[int, int | None]], Awaitable[Page]]
RETRY_SECONDS = 1.0
PATIENCE_SECONDS = 2.0


def you_json(socket: Socket, table: JsonObject) -> JsonObject:
    """Return `you` of the `welcome`: the connection's player, seat and rights at the table."""
    player_id = socket.player_id
    kept = kept_seats(table, player_id)
    return {
        "player": player_id,
        "name": socket.access.name if socket.access else "",
        "seat": seat_of(table, player_id),
        "host": player_id is not None and table["host"] == player_id,
        "tv": player_id is None,
        **({"keeps": list(kept)} if kept else {}),
    }


def question_of(now: TableSnapshot) -> Question | None:
    """Return the seat whose device a throw waits for, and the frame that asks it; None if no throw waits."""
    if now.chains is None or now.chains.under_way is None or now.status != "playing":
        return None
    return dice_chains.question(now.chains, now.dice_seed)


def _ask_device(socket: Socket, question: Question | None) -> None:
    """Ask a connection for its device's link if its player's own seat is asked, also in another holder's hands."""
    if question is not None and seat_of(socket.table or NO_SEATS, socket.player_id) == question[0]:
        socket.put(question[1])


class Room:
    """One table. `seq` is the last entry delivered; None until the first snapshot came."""

    def __init__(self, table_id: int, night_id: int, read_page: ReadPage) -> None:
        self.table_id, self.night_id = table_id, night_id
        self.sockets: set[Socket] = set()
        self.broadcast = Broadcast(self.sockets)
        self.presence = Presence()
        self.dots: dict[str, str] = {}
        self.look_at = self.reported_at = 0.0
        """Times of the next look at the presence, and of the last report of it to other processes."""
        self._noted_at = -inf
        """The time at which the table was last noted as watched."""
        self.seq: int | None = None
        self.table: JsonObject | None = None
        self.sat: tuple[Sitting, ...] = ()
        self._clocks: Mapping[str, int] = {}
        """The deadlines of the open decisions after entry `seq`, as in models.Table."""
        self._read_page = read_page
        self._expected = 0
        self._is_touched = False
        self._catching_up: asyncio.Task[None] | None = None

    # Coming and going

    def enter(self, socket: Socket) -> None:
        """Keep deliveries for a socket from now on: its snapshot is about to be read."""
        if socket in self.sockets:
            self.broadcast.catch_up(socket)
        # If an earlier snapshot could not be read, the deliveries kept since then are still due.
        socket.backlog, socket.delivered = socket.backlog or [], self.broadcast.last
        self.sockets.add(socket)

    def settle(self, socket: Socket, batch: Batch, after: int | None, welcome: JsonObject, *, greets: bool) -> None:
        """Show a socket the snapshot that was read since `enter`, then the deliveries kept meanwhile.

        `batch` holds the entries after `after`, the last that the browser has seen. Without `greets` only missed
        entries or a state were asked for; a socket whose place at the table has changed is welcomed all the same.
        """
        now = batch.page.snapshot
        if self.seq is None or self.table is None:
            self.seq, self.table, self._clocks, self.sat = now.seq, now.table or {}, now.clocks, now.sat
        # The room's own object if it is equal: kept once, not once for each socket.
        table = self.table if now.table == self.table else now.table or {}
        if after is not None and socket.hand is not None and sittings.is_new(now.sat, socket.hand.seat, after):
            self.take_back_hand(socket)
        socket.reader = now.reader(socket.player_id, socket.hand)
        if not greets and you_json(socket, table) != socket.you:
            greets, after = True, None
        elif greets and after is not None and sittings.has_moved(now.sat, socket.player_id, after):
            after = None  # the last entries may have been sent before the welcome to the new seat
        if greets:
            about: JsonObject = {"seq": now.seq, "clocks": now.time_left()}
            about |= {} if now.chains is None else {"dice": dice_chains.links_json(now.chains)}
            self._greet(socket, {**welcome, **about}, table)
        elif table != socket.table:
            # Other sockets were sent the new table by a delivery; a state does not contain it.
            socket.put({"type": "table", "table": table})
            socket.table = table
        batch.show(socket, after)
        _ask_device(socket, question_of(now))
        is_another = self.seq >= now.seq and self._read_on(socket)
        backlog, socket.backlog = socket.backlog or [], None
        for delivery in backlog:
            delivery(socket)
        self.look_at = 0.0
        self.expect(now.seq)
        if table is not self.table or is_another:
            self.touch()

    def take_back_hand(self, socket: Socket) -> None:
        """Show a device the spectators' view in place of a kept seat with another person, until it is handed on."""
        if socket.hand is not None and socket.hand.seat in kept_seats(self.table or NO_SEATS, socket.player_id):
            socket.hand = Hand(None)
            socket.put({"type": "hand", "seat": None})

    def _greet(self, socket: Socket, welcome: JsonObject, table: JsonObject) -> None:
        """Send the `welcome`: the socket's own place, the table, the chat, the presence."""
        now = asyncio.get_running_loop().time()
        dots = self.presence.seats(table, self.sockets, now)
        socket.table, socket.you = table, you_json(socket, table)
        socket.known_chat = tuple(message["id"] for message in welcome["chat"])
        socket.put({**welcome, "you": socket.you, "table": table, "presence": dots})

    def time_left(self) -> dict[str, int]:
        """Return the milliseconds that each seat has left now, after entry `seq`."""
        is_paused = self.table is not None and self.table["status"] == "paused"
        return time_left(self._clocks, is_paused)

    def leave(self, socket: Socket) -> None:
        """Forget a socket."""
        self.presence.turns(socket, asyncio.get_running_loop().time())
        self.look_at = 0.0
        self.sockets.discard(socket)

    def show_or_hide(self, socket: Socket, *, is_hidden: bool) -> None:
        """Note that a page was hidden or is shown again."""
        self.presence.turns(socket, asyncio.get_running_loop().time())
        socket.is_hidden, self.look_at = is_hidden, 0.0

    # News

    def on_news(self, news: TableNews) -> None:
        """Deliver an entry that follows the last one; else read the log."""
        entry = news.entry
        is_next = self.seq is not None and entry.seq == self.seq + 1
        if not is_next or entry.is_meta or self.table is None or self._is_busy:
            self.expect(entry.seq)
            return
        self._deliver(Page((entry,), changed(news.snapshot, table=self.table, sat=self.sat)))

    def expect(self, seq: int) -> None:
        """Make sure that entry `seq`, which is committed, is delivered."""
        self._expected = max(self._expected, seq)
        self._wake()

    def touch(self) -> None:
        """Read seats, status, host and successor again, which may have changed."""
        self._is_touched = True
        self._wake()

    def chat(self, message: JsonObject) -> None:
        """Show a chat message to the sockets that have not had it in their `welcome`."""
        text = encode({"type": "chat", "message": message})

        def delivery(socket: Socket) -> None:
            if message["id"] not in socket.known_chat:
                socket.outbox.put(text)

        self.broadcast.send(delivery)

    @property
    def _is_busy(self) -> bool:
        return self._catching_up is not None and not self._catching_up.done()

    def _wake(self) -> None:
        # An empty context: the task must not inherit the thread or the language of the caller.
        if self.seq is not None and not self._is_busy and self._is_behind:
            loop = asyncio.get_running_loop()
            self._catching_up = loop.create_task(self._catch_up(), context=Context())

    @property
    def _is_behind(self) -> bool:
        return self._is_touched or (self.seq is not None and self._expected > self.seq)

    async def caught_up(self) -> None:
        """Wait until everything that is expected now has been delivered, at most 2 s."""
        if self._catching_up is not None:
            await asyncio.wait([self._catching_up], timeout=PATIENCE_SECONDS)

    def deliver_all(self, socket: Socket) -> None:
        """Deliver to a socket now everything that would come to it soon."""
        self.broadcast.catch_up(socket)

    async def _catch_up(self) -> None:
        """Read the log and deliver, until nothing more is expected."""
        while self.sockets and self._is_behind:
            expected, self._is_touched = self._expected, False
            try:
                self._take(await self._read_page((self.table_id, self.seq)))
            except DatabaseError:
                logger.warning("room %s cannot read its log", self.table_id, exc_info=True)
                self._is_touched = True
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except Exception:
                logger.exception("room %s cannot go on", self.table_id)
                return
            if self._expected == expected:
                # An expected entry that is not in the log was never committed.
                self._expected = 0

    def _take(self, page: Page) -> None:
        """Deliver the entries read, and send a changed table to the sockets that have another."""
        self.broadcast.catch_up_all()
        self.table, self.sat = page.snapshot.table, page.snapshot.sat
        reseated = [s for s in self.sockets if s.backlog is None and self._reseat(s)]
        if page.snapshot.seq > (self.seq or 0):
            self._deliver(page)
            self.broadcast.catch_up_all()
        for socket in self.sockets:
            if socket.backlog is None and socket.table != self.table:
                socket.put({"type": "table", "table": self.table})
                socket.table = self.table
        self.look_at = 0.0
        for socket in reseated:
            if socket.resync is not None:
                socket.resync()

    def _reseat(self, socket: Socket) -> bool:
        """Tell whether a socket must be welcomed again: its seat, or its `you`, has changed."""
        return self._read_on(socket) or you_json(socket, self.table or {}) != socket.you

    def _read_on(self, socket: Socket) -> bool:
        """Set a socket's reader by its player's rights now; tell whether its seat has changed.

        With another seat, or after another person sat there meanwhile, it is sent the spectators' view until it has
        been welcomed again: it does not know yet which seat its frames are about.
        """
        now = reader_of(self.sat, self.table or NO_SEATS, socket.player_id, socket.hand)
        is_another = now.seat != socket.seat or not all(each in now.sat for each in socket.reader.sat)
        socket.reader = ONLOOKER if is_another else now
        return is_another

    def _deliver(self, page: Page) -> None:
        self.seq, self._clocks = page.snapshot.seq, page.snapshot.clocks
        batch = Batch(page, with_table=any(entry.is_meta for entry in page.entries))
        question = question_of(page.snapshot)

        def delivery(socket: Socket) -> None:
            if socket.seq < page.snapshot.seq:  # a later state has brought its own question
                batch(socket)
                _ask_device(socket, question)

        self.broadcast.send(delivery)

    # Presence

    def is_to_note(self, now: float) -> bool:
        """Tell whether it is time to note that a page watches bots at play, which rest without one."""
        table = self.table
        if now < self._noted_at + bot_tables.NOTE_EVERY or table is None or table["status"] != "playing":
            return False
        is_for_bots = all(seat["player"] is None for seat in table["seats"])
        return is_for_bots and any(socket.is_awake(now) for socket in self.sockets)

    def noted(self, now: float) -> None:
        """Take down that the table was noted as watched."""
        self._noted_at = now

    def look_round(self, now: float) -> bool:
        """Send the presence to every socket if a dot has changed; return whether one has."""
        if self.table is None:
            return False
        dots = self.presence.seats(self.table, self.sockets, now)
        self.look_at = self.presence.due
        if dots == self.dots:
            return False
        self.dots = dots
        text = encode({"type": "presence", "presence": dots})
        self.broadcast.send(lambda socket: socket.outbox.put(text))
        return True
