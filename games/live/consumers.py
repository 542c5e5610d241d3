"""The consumers: each frame is passed to the right function; nothing is decided here.

The frames are in protocol.py; the services decide what a player may do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from statistics import median_low
from typing import Any, cast

from django.conf import settings

from games.kernel.contract import Illegal, JsonObject
from games.live import protocol
from games.live.connection import LiveConsumer
from games.live.rooms import frames, handshake
from games.live.rooms.handshake import Visit
from games.live.rooms.hub import Hub
from games.live.rooms.night_room import NightRoom
from games.live.rooms.outbox import Send
from games.live.rooms.sockets import CLOSE_COME_BACK, in_database
from games.live.rooms.table_room import Room
from games.models import KeptLine
from games.services import commands, rate_limit
from games.services.chat import chat
from games.services.clock import bot_hints
from games.services.nights import attendance, tv_screens
from games.services.seats.sittings import ONLOOKER
from games.services.tables import log, queue, throws
from games.services.tables.access import Access
from games.services.tables.decisions import Answer, Done
from games.services.tables.snapshot import NO_SEATS, Hand, seat_of, seats_to_show

HELLO_SECONDS = 10.0
PINGS_KEPT = 3
"""The number of pings whose middle one tells how long a command's way to the house is."""


class TableConsumer(LiveConsumer):
    """The connection of one browser at one table."""

    __slots__ = ("_is_late", "_session", "_syncing", "_took", "room")

    def __init__(self, visit: Visit, send: Send) -> None:
        super().__init__(visit, send)
        self.room: Room | None = None
        self._session: JsonObject | None = None
        """The session as read at the first `hello`. It is kept because its key changes now and then, also because of
        another page; the end of a session comes as `player_changed`.
        """
        self._syncing: asyncio.Lock | None = None
        self._is_late: asyncio.TimerHandle | None = None
        self._took: tuple[int, ...] = ()
        """The milliseconds that the last pings took, as the browser tells."""

    async def opened(self) -> None:
        """Start the time limit for `hello`."""
        self._is_late = self.loop.call_later(HELLO_SECONDS, self._no_hello)

    def _no_hello(self) -> None:
        self.socket.dismiss("no_hello")

    def _in_time(self) -> None:
        if self._is_late is not None:
            self._is_late.cancel()
            self._is_late = None

    def allowed(self) -> int:
        """Return the number of frames that may come in 20 s: more for a seat at a table that plays."""
        table = self.room.table if self.room is not None else None
        if self.socket.seat is not None and table is not None and table["status"] == "playing":
            return int(settings.MESSAGES_PER_20S_PLAYING)
        return super().allowed()

    def frame_received(self, now: float) -> None:
        """Note a sign of life; after a silence, have the room look at its presence again."""
        if self.room is not None and not self.socket.is_awake(now):
            self.room.look_at = 0.0
        super().frame_received(now)

    async def on_frame(self, frame: protocol.Frame) -> None:
        """Pass a frame to its handler; raises Illegal `no_hello` before the first `hello`."""
        if isinstance(frame, protocol.Hello):
            await self.let_in(self._hello(frame))
        elif self.room is None:
            raise Illegal("no_hello")
        else:
            await _HANDLERS[type(frame)](self, frame)

    async def _hello(self, frame: protocol.Hello) -> None:
        self._in_time()
        self.hub.limits.said(self.socket)
        question = handshake.AccessRequest(self.visit, self._session, frame.tv)
        self._session, right = await self.hub.hellos.ask(question)
        self._enter(right)
        self.socket.hand = frame.hand
        await self._show(frame.seq, greet=True)

    def _enter(self, right: Access) -> None:
        """Enter the room that an access gives a place in; a second `hello` may give another."""
        self.leave()
        self.socket.access, self.socket.player_id, self.socket.person_id = right, right.player_id, right.person_id
        self.socket.resync = self._resync
        self.room = self.hub.table(right.table_id, right.night_id)
        self.hub.connected(right.night_id, self.socket)

    def _resync(self) -> None:
        self.spawn(self.safely(self._welcome_anew))

    async def _welcome_anew(self) -> None:
        if self.socket.seat is None:  # the shown seat, if there was one, has changed its person
            cast(Room, self.room).take_back_hand(self.socket)
        await self._show(None, greet=True)

    async def _show(self, after: int | None, *, greet: bool) -> None:
        """Show the entries after `after`, or everything for None, without losing or doubling an entry meanwhile."""
        self._syncing = lock = self._syncing or asyncio.Lock()
        async with lock:
            right = cast(Access, self.socket.access)
            # The former room may have closed during the wait for the lock.
            room = self.room = self.hub.table(right.table_id, right.night_id)
            room.enter(self.socket)
            if right.is_tv and not right.is_guest:
                after = None  # a screen shows the table as it is, and no log
            # A state does not answer the commands that were accepted since the last entry that the connection was sent.
            since = self.socket.seq or None if after is None else after
            found = await self.hub.snapshots.ask(handshake.SnapshotRequest(right, since))
            about = {"chat": found.chat, "greetings": chat.greeting_in_language(self.socket.language)}
            welcome = {"type": "welcome", "protocol": protocol.PROTOCOL, **about}
            room.settle(self.socket, found.batch, after, welcome, greets=greet)

    async def _ping(self, frame: protocol.Ping) -> None:
        """Answer with the last seq and the clocks, after the entries that the browser or this process missed."""
        room, right = cast(Room, self.room), cast(Access, self.socket.access)
        if frame.took is not None:
            self._took = (*self._took, frame.took)[-PINGS_KEPT:]
        room.deliver_all(self.socket)
        sent = self.socket.seq
        room.expect(await self.hub.pulses.ask(right))
        await room.caught_up()
        room.deliver_all(self.socket)
        if self.socket.backlog is not None:  # an earlier snapshot could not be read
            await self._show(None, greet=True)
        elif frame.seq is not None and frame.seq != sent:
            await self._show(frame.seq, greet=False)
        self.socket.put({"type": "pong", "seq": self.socket.seq, "clocks": room.time_left()})

    async def _hand(self, frame: protocol.HandFrame) -> None:
        """Show the seat of the device's present holder, or the spectators' view while it is handed over.

        Raises Illegal `not_keeper`.
        """
        room, player_id = cast(Room, self.room), self._player()
        table = room.table or NO_SEATS
        own = seat_of(table, player_id)
        if frame.seat is not None and frame.seat not in seats_to_show(table, player_id):
            raise Illegal("not_keeper")
        room.deliver_all(self.socket)
        is_own = frame.seat is not None and frame.seat == own
        self.socket.hand, self.socket.reader = None if is_own else Hand(frame.seat), ONLOOKER
        self.socket.put({"type": "hand", "seat": frame.seat})
        await self._show(None, greet=False)

    def begin(self, frame: protocol.Frame) -> bool:
        """Submit a command at once, without a task that waits for its answer; not one that must be counted first."""
        if not isinstance(frame, commands.Request) or self.room is None or self.socket.player_id is None:
            return False
        if frame.name in rate_limit.COMMANDS:
            return False
        self.waits()
        self._submit(frame, lambda answer: self.hub.hand_over(_take_answer, (self, frame, answer)))
        return True

    async def _command(self, request: commands.Request) -> None:
        """Count a command, then submit it."""
        await in_database(rate_limit.spend_command, request.name, self._player())
        try:
            answer: Answer = await self.hub.answered(self._submit, request)
        except Exception as error:
            answer = error
        if (rest := self._rest_of(request, answer)) is not None:
            await rest

    def _submit(self, request: commands.Request, done: Done) -> None:
        """Submit a command; its new entry comes through the room, the entry of a repeated command by `_answer`."""
        self.socket.unanswered = request.id
        if self._took:
            request = replace(request, lag=median_low(self._took))
        queue.submit_later(cast(Room, self.room).table_id, commands.Actor(self._player()), request, done)

    def _rest_of(self, request: commands.Request, answer: Answer) -> Coroutine[Any, Any, None] | None:
        """Return the work that an answer to a command leaves; None where the entry has told it all."""
        if isinstance(answer, Exception):
            return self.safely(self._fail, request, answer)
        # A command that waits for devices has an entry of the house: the end of its throw answers it.
        is_done = answer.entry.own_id == request.id
        if is_done and (answer.repeated or self.socket.unanswered is not None):
            return self.safely(self._answer, request, answer)
        self.socket.unanswered = None
        return None

    async def _fail(self, request: commands.Request, error: Exception) -> None:
        self.socket.unanswered = None
        raise error

    async def _answer(self, request: commands.Request, receipt: log.Receipt) -> None:
        """Send the entry of a command once: behind the room's deliveries, and behind a welcome that is on its way."""
        room = cast(Room, self.room)
        try:
            room.expect(receipt.seq)
            await room.caught_up()
            if self._syncing is not None:
                async with self._syncing:
                    pass
            room.deliver_all(self.socket)
            if receipt.repeated or self.socket.unanswered is not None:
                frames.answer(receipt.entry, self.socket)
        finally:
            self.socket.unanswered = None

    def _player(self) -> int:
        """Return the id of the connection's player; raises Illegal `not_seated` for a TV screen.

        `Actor(None)` would be the house itself.
        """
        if self.socket.player_id is None:
            raise Illegal("not_seated")
        return self.socket.player_id

    async def _chat(self, frame: protocol.ChatFrame) -> None:
        """Add a line to the chat; if the player may not speak now, answer that the line is kept back."""
        line = await in_database(chat.say, cast(Room, self.room).table_id, self._player(), frame.text)
        if isinstance(line, KeptLine):
            self.socket.put({"type": "chat_kept", "id": frame.id, "text": line.text})

    async def _hint(self, frame: protocol.HintFrame) -> None:
        """Answer with advice for the seat; the odds are computed outside the sockets' database thread."""
        table_id, player_id = cast(Room, self.room).table_id, self.socket.player_id
        question = await in_database(bot_hints.question, table_id, player_id, self.socket.hand)
        advice = await asyncio.to_thread(bot_hints.advise, question)
        self.socket.put({"type": "hint", "id": frame.id, "hint": advice})

    async def _link(self, frame: protocol.LinkFrame) -> None:
        """Submit the device's link for a throw; the entries that follow come through the room."""
        actor = commands.Actor(self._player())
        args = {"k": frame.k, "link": frame.link}
        request = commands.Request(throws.LINK, args, f"link:{frame.k}")
        await self.hub.answered(queue.submit_later, cast(Room, self.room).table_id, actor, request)

    async def _away(self, frame: protocol.Away) -> None:
        cast(Room, self.room).show_or_hide(self.socket, is_hidden=True)

    async def _back(self, frame: protocol.Back) -> None:
        cast(Room, self.room).show_or_hide(self.socket, is_hidden=False)

    def leave(self) -> None:
        """Leave the room."""
        self._in_time()
        if self.room is not None:
            self.hub.left_table(self.room, self.socket)
            self.room = None


def _take_answer(hub: Hub, told: tuple[TableConsumer, commands.Request, Answer]) -> None:
    """Take the answer to a command of a connection, unless it has gone."""
    consumer, request, answer = told
    is_gone = consumer.socket.outbox.is_closing
    consumer.ended(None if is_gone else consumer._rest_of(request, answer))


_HANDLERS: dict[type, Callable[[TableConsumer, Any], Awaitable[None]]] = {
    protocol.Ping: TableConsumer._ping,
    commands.Request: TableConsumer._command,
    protocol.ChatFrame: TableConsumer._chat,
    protocol.HandFrame: TableConsumer._hand,
    protocol.HintFrame: TableConsumer._hint,
    protocol.LinkFrame: TableConsumer._link,
    protocol.Away: TableConsumer._away,
    protocol.Back: TableConsumer._back,
}


class NightConsumer(LiveConsumer):
    """The connection of one browser at a night's page, which is told when to load again."""

    __slots__ = ("room",)

    def __init__(self, visit: Visit, send: Send) -> None:
        super().__init__(visit, send)
        self.room: NightRoom | None = None

    async def opened(self) -> None:
        """Enter the night's room with the session's right: who it is the browser has said by its cookie."""
        self.hub.limits.said(self.socket)
        await self.let_in(self._enter())

    async def _enter(self) -> None:
        """Enter the room, then tell the page to load: what changed before was not told to this connection.

        The right is read once more, as it may have ended before there was a connection to close.
        """
        right = await in_database(self._right)
        self.socket.player_id, self.socket.person_id = right.player_id, right.person_id
        self.room = self.hub.night(right.night_id)
        self.room.sockets.add(self.socket)
        self.hub.connected(right.night_id, self.socket)
        if await in_database(self._right) == right:
            self.room.tell(self.socket)
        else:
            self.socket.outbox.close(CLOSE_COME_BACK)

    def _right(self) -> attendance.NightAccess:
        key = self.visit.session_key
        player_id, nights = attendance.browser_rights(attendance.sessions([key])[key], tv_screens.read(self.visit.tv))
        shown = tv_screens.showing([self.visit.screen]).values()
        return attendance.night_access(
            self.visit.public_id, player_id, [*nights, *(each.night.public_id for each in shown)]
        )

    async def on_frame(self, frame: protocol.Frame) -> None:
        """Answer a ping; the other frames have no meaning here and are ignored."""
        if isinstance(frame, protocol.Ping):
            self.socket.put({"type": "pong", "seq": None})

    def leave(self) -> None:
        """Leave the room."""
        if self.room is not None:
            self.hub.left_night(self.room, self.socket)
            self.room = None
