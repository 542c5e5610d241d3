"""The base of a live connection: limits, language, and input that never raises.

A plain ASGI consumer, small because there are thousands: it keeps little of the handshake and no task while no frame
comes. A room writes to its sockets itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.live import protocol
from games.live.rooms import hub
from games.live.rooms.handshake import Visit
from games.live.rooms.outbox import Outbox, Send
from games.live.rooms.sockets import CLOSE_COME_BACK, Socket, in_database
from games.live.servers.connection_limits import Flood
from games.ops import metrics
from games.refusals import close_of, ends_for_good
from games.services.people import players

logger = logging.getLogger(__name__)

MOST_BAD = 20
# Each server module reports a flood of frames that are not messages by an event of our own (connection_limits.Frames).
_COMING = {"websocket.receive", "websocket.flood"}


class LiveConsumer:
    """One connection."""

    __slots__ = (
        "_at_work", "_bad_in_a_row", "_flood", "_frames", "_tasks", "hub", "loop", "socket",
        "visit",
    )  # fmt: skip

    def __init__(self, visit: Visit, send: Send) -> None:
        self.visit = visit
        self.loop = asyncio.get_running_loop()
        self.hub = hub.current()
        self.socket = Socket(Outbox(send), visit.language, self.loop.time(), network_of(visit.address))
        self._flood = Flood()
        self._bad_in_a_row = 0
        self._frames: list[protocol.Frame] = []
        """Frames that wait while an earlier one is handled: at most as many as the flood limit allows."""
        self._at_work: asyncio.Future[None] | None = None
        """The frame at work: its task, or what `ended` will end; None while there is none."""
        self._tasks: set[asyncio.Task[None]] | None = None

    async def serve(self, receive: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Handle all messages until the connection ends; however it ends, remove every trace of it."""
        self.hub.limits.opened(self.socket)
        self._at_work = self._task(self._open())
        try:
            while (message := await receive())["type"] in _COMING:
                if message["type"] == "websocket.flood":
                    self._flooded()
                else:
                    self.take(message.get("text"))
            if not self.socket.outbox.is_closing:
                metrics.closed("browser", message.get("code") or 1006)
            while self._at_work is not None:  # frames that came before the close are still handled
                await self._at_work
        finally:
            self.leave()
            self.hub.limits.closed(self.socket)
            self.socket.outbox.end()
            for task in (self._at_work, *(self._tasks or ())):
                if task is not None:
                    task.cancel()

    async def _open(self) -> None:
        """Open the connection, then handle what came meanwhile."""
        await self.safely(self.opened)
        await self._work()

    async def opened(self) -> None:
        """Called when the connection opens; subclasses override it."""

    def allowed(self) -> int:
        """Return the number of frames that may come in 20 s; 0 is no limit."""
        return int(settings.MESSAGES_PER_20S)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a task of this connection; it is cancelled when the connection ends."""
        task = self._task(work)
        if self._tasks is None:
            self._tasks = set()
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Return a task in an empty context: the caller's holds its thread and its language."""
        return self.loop.create_task(work, context=Context())

    def take(self, text: str | None) -> None:
        """Parse one frame (None: a binary one) and queue it; never waits, so that floods are noticed at once."""
        if self.socket.outbox.is_closing:
            return
        now = self.loop.time()
        self.frame_received(now)
        if self._flood.is_over(now, self.allowed()):
            self._flooded()
            return
        try:
            frame = protocol.parse(text)
        except protocol.Bad as bad:
            self._on_bad(bad)
            return
        self._bad_in_a_row = 0
        if self._at_work is not None:
            self._frames.append(frame)
        elif not self.begin(frame):
            self._frames.append(frame)
            self._at_work = self._task(self._work())

    def _flooded(self) -> None:
        """Close the connection of a sender of too many messages or other frames."""
        if not self.socket.outbox.is_closing:
            self.socket.dismiss("too_many")

    def frame_received(self, now: float) -> None:
        """Note a sign of life."""
        self.socket.frame_received(now)

    async def _work(self) -> None:
        """Handle the queued frames one after the other, up to one that ends by `ended`."""
        while self._frames and not self.socket.outbox.is_closing:
            frame = self._frames.pop(0)
            if self.begin(frame):
                return
            await self.safely(self.on_frame, frame)
        self._frames.clear()
        self._at_work = None

    def begin(self, frame: protocol.Frame) -> bool:
        """Begin with a frame that needs no task while it is carried out elsewhere; tell whether it is one.

        Subclasses override it: they call `waits`, and `ended` later. Further frames wait meanwhile.
        """
        return False

    def waits(self) -> None:
        """Note that a frame is carried out elsewhere."""
        self._at_work = self.loop.create_future()

    def ended(self, rest: Coroutine[Any, Any, None] | None = None) -> None:
        """Go on after a frame that was carried out elsewhere: with the `rest` of it, then with the frames that wait."""
        before, self._at_work = self._at_work, None
        if rest is not None or self._frames:
            self._at_work = self._task(self._go_on(rest))
        if before is not None and not before.done():
            before.set_result(None)

    async def _go_on(self, rest: Coroutine[Any, Any, None] | None) -> None:
        if rest is not None:
            await rest
        await self._work()

    def _on_bad(self, bad: protocol.Bad) -> None:
        """Answer a frame that is not of the protocol; close after too many in a row, or after one that is too long."""
        self.socket.refuse(bad.code, bad.params, bad.id)
        self._bad_in_a_row += 1
        if bad.code == "too_long":
            self.socket.outbox.close(close_of(bad.code))
        elif self._bad_in_a_row >= MOST_BAD:
            self.socket.dismiss("too_many_bad")

    async def on_frame(self, frame: protocol.Frame) -> None:
        """Handle a frame of the protocol; may raise Illegal and database errors. Subclasses override it."""

    async def safely(self, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Handle a frame; every exception becomes an `error`, a `bye`, or a close to come back after."""
        frame_id = getattr(args[0], "id", None) if args else None
        try:
            try:
                await work(*args)
            except Illegal as refusal:
                await self._refused(refusal, frame_id)
        except DatabaseError:
            logger.warning("the database was not ready for a frame", exc_info=True)
            self.socket.refuse("busy", None, frame_id)
        except Exception:
            logger.exception("a frame failed")
            self.socket.refuse("failed", None, frame_id)

    async def _refused(self, refusal: Illegal, frame_id: str | None) -> None:
        """Say a refusal; a player that was merged into another one is no stranger, and comes back as that one."""
        if not ends_for_good(refusal.code):
            self.socket.refuse(refusal.code, refusal.params, frame_id)
        elif await in_database(players.is_merged, self.socket.person_id):
            self.socket.outbox.close(CLOSE_COME_BACK)
        else:
            self.socket.dismiss(refusal.code)

    async def let_in(self, work: Awaitable[None]) -> None:
        """Run the first work of a connection; if the database fails, send `busy` and close: the browser comes back."""
        try:
            await work
        except DatabaseError:
            logger.warning("the database was not ready for a newcomer", exc_info=True)
            self.socket.dismiss("busy")

    def leave(self) -> None:
        """Leave the room; subclasses override it."""
