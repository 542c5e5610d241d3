"""The consumers: a frame in, the right function called, nothing decided here.

What a frame may be is in messages.py, what a player may do in the services.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

from games.kernel.contract import Illegal, JsonObject
from games.realtime import messages
from games.realtime.live import LiveConsumer
from games.realtime.nights import NightRoom
from games.realtime.rooms import Room
from games.realtime.sockets import CLOSE_NO_HELLO, in_database
from games.services import attendance, hints, play, reading, talk, writer

HELLO_SECONDS = 10.0


class TableConsumer(LiveConsumer):
    """One browser at one table."""

    room: Room | None = None
    is_late: asyncio.TimerHandle | None = None

    async def opened(self) -> None:
        """Wait for `hello`, not for ever."""
        self.syncing = asyncio.Lock()
        self.is_late = self.loop.call_later(HELLO_SECONDS, self._no_hello)

    def _no_hello(self) -> None:
        self.socket.refuse("no_hello")
        self.socket.outbox.close(CLOSE_NO_HELLO)

    def _in_time(self) -> None:
        if self.is_late is not None:
            self.is_late.cancel()

    async def on_frame(self, frame: messages.Frame) -> None:
        """Take a frame to the service that it is for."""
        self.bad_in_a_row = 0
        if isinstance(frame, messages.Hello):
            await self._hello(frame)
        elif self.room is None:
            raise Illegal("no_hello")
        else:
            await _HANDLERS[type(frame)](self, frame)

    async def _hello(self, frame: messages.Hello) -> None:
        self._in_time()
        public_id = self.scope["url_route"]["kwargs"]["table"]
        right = await in_database(self._right, public_id, frame.tv)
        self._enter(right)
        await self._show(frame.seq, greet=True)

    def _right(self, public_id: str, as_tv: bool) -> reading.Access:
        player_id, tv = attendance.whoever(self.scope["session"])
        return reading.access(public_id, player_id, tv, as_tv)

    def _enter(self, right: reading.Access) -> None:
        """Take the place in the room that a right gives; a second `hello` may bring another."""
        self.leave()
        self.socket.access, self.socket.player_id = right, right.player_id
        self.socket.resync = lambda: self.spawn(self.safely(self._welcome_anew))
        self.room = self.hub.table(right.table_id, right.night_id)
        self.hub.came(right.night_id, right.player_id)

    async def _welcome_anew(self) -> None:
        await self._show(None, greet=True)

    async def _show(self, after: int | None, *, greet: bool) -> None:
        """Show what follows on `after`, or all, with nothing lost or doubled meanwhile."""
        room = cast(Room, self.room)
        async with self.syncing:
            room.enter(self.socket)
            welcome = {"type": "welcome", "protocol": messages.PROTOCOL} if greet else None
            page, chat = await in_database(_snapshot, room.table_id, after, greet)
            room.settle(self.socket, page, after, welcome and {**welcome, "chat": chat})

    async def _ping(self, frame: messages.Ping) -> None:
        """Answer with the log's last seq, after what the browser or this process missed."""
        room, right, sent = cast(Room, self.room), self.socket.access, self.socket.seq
        room.expect(await in_database(reading.pulse, right))
        await room.caught_up()
        if self.socket.backlog is not None:  # an earlier snapshot could not be read
            await self._show(None, greet=True)
        elif frame.seq is not None and frame.seq != sent:
            await self._show(frame.seq, greet=False)
        self.socket.put({"type": "pong", "seq": self.socket.seq})

    async def _command(self, frame: messages.CommandFrame) -> None:
        """Submit a command; its entry comes by way of the room, an old one's from here."""
        room, player_id = cast(Room, self.room), self._player()
        request = play.Request(frame.name, frame.args, frame.id, frame.basis)
        actor = play.Actor(player_id)
        receipt = await self.hub.answered(writer.submit_later, room.table_id, actor, request)
        if receipt.repeated:
            room.expect(receipt.seq)
            await room.caught_up()
            line = reading.Line(receipt.seq, receipt.events, frame.id, player_id)
            self.socket.put({**line.seen_by(self.socket.seat), "id": frame.id})

    def _player(self) -> int:
        """Return who speaks; raises `not_seated` for a screen, which only looks.

        `Actor(None)` would be the house itself.
        """
        if self.socket.player_id is None:
            raise Illegal("not_seated")
        return self.socket.player_id

    async def _chat(self, frame: messages.ChatFrame) -> None:
        await in_database(talk.say, cast(Room, self.room).table_id, self._player(), frame.text)

    async def _hint(self, frame: messages.HintFrame) -> None:
        """Advise the seat; the odds are worked out beside the sockets' database thread."""
        seat = self.socket.seat
        question = await in_database(hints.question, cast(Room, self.room).table_id, seat)
        advice = await asyncio.to_thread(hints.advise, question)
        self.socket.put({"type": "hint", "id": frame.id, "hint": advice})

    async def _away(self, frame: messages.Away) -> None:
        self.socket.is_hidden = True

    async def _back(self, frame: messages.Back) -> None:
        self.socket.is_hidden = False

    def leave(self) -> None:
        """Leave the room."""
        self._in_time()
        if self.room is not None:
            self.hub.left_table(self.room, self.socket)
            self.room = None


_HANDLERS: dict[type, Callable[[TableConsumer, Any], Awaitable[None]]] = {
    messages.Ping: TableConsumer._ping,
    messages.CommandFrame: TableConsumer._command,
    messages.ChatFrame: TableConsumer._chat,
    messages.HintFrame: TableConsumer._hint,
    messages.Away: TableConsumer._away,
    messages.Back: TableConsumer._back,
}


def _snapshot(
    table_id: int, after: int | None, with_chat: bool
) -> tuple[reading.Page, list[JsonObject]]:
    return reading.page(table_id, after), reading.chat(table_id) if with_chat else []


class NightConsumer(LiveConsumer):
    """One browser at a night's page: it is told when to ask again."""

    room: NightRoom | None = None

    async def opened(self) -> None:
        """Take a place, by the session's right."""
        public_id = self.scope["url_route"]["kwargs"]["night"]
        right = await in_database(self._right, public_id)
        self.socket.player_id = right.player_id
        self.room = self.hub.night(right.night_id)
        self.room.sockets.add(self.socket)
        self.hub.came(right.night_id, right.player_id)

    def _right(self, public_id: str) -> attendance.NightAccess:
        return attendance.night_access(public_id, *attendance.whoever(self.scope["session"]))

    async def on_frame(self, frame: messages.Frame) -> None:
        """Answer a ping; the other frames mean nothing here and do no harm."""
        self.bad_in_a_row = 0
        if isinstance(frame, messages.Ping):
            self.socket.put({"type": "pong", "seq": None})

    def leave(self) -> None:
        """Leave the room."""
        if self.room is not None:
            self.hub.left_night(self.room, self.socket)
            self.room = None
