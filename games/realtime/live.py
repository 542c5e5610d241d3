"""A live connection, whatever it is for: limits, language, and that no input raises.

The consumers are Channels consumers without a channel layer of their own: a room writes to
its sockets itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from typing import Any

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as DatabaseError
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

from games.kernel.contract import Illegal
from games.realtime import hub, messages
from games.realtime.sockets import (
    CLOSE_BAD,
    CLOSE_FORBIDDEN,
    CLOSE_NOT_FOUND,
    CLOSE_TOO_LONG,
    CLOSE_TOO_MANY,
    Outbox,
    Socket,
)
from games.services import metrics

logger = logging.getLogger(__name__)

MOST_BAD = 20
_CLOSES = {
    "removed": CLOSE_FORBIDDEN,
    "not_inside": CLOSE_FORBIDDEN,
    "no_such_table": CLOSE_NOT_FOUND,
    "no_such_night": CLOSE_NOT_FOUND,
}


def language_of(scope: Any) -> str:
    """Return the language of a connection, as a page of the same browser would have it."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    for name, value in scope["headers"]:
        if name == b"accept-language":
            request.META["HTTP_ACCEPT_LANGUAGE"] = value.decode("latin1")
    return get_language_from_request(request)


class LiveConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One connection."""

    channel_layer_alias = ""  # none, see above

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the connection, and leave no trace of it however it ends."""
        self.tasks: set[asyncio.Task[None]] = set()
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.leave()
            for task in self.tasks:
                task.cancel()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle one ASGI message.

        Channels would first visit the database thread to close old connections, for each
        frame; `in_database` does that where the database is really used.
        """
        await getattr(self, get_handler_name(message))(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """End."""
        if not self.socket.outbox.is_closing:
            metrics.closed("browser", message.get("code") or 1006)
        raise StopConsumer

    async def connect(self) -> None:
        """Accept: a browser can read a reason only from a connection that was accepted."""
        self.loop = asyncio.get_running_loop()
        self.hub = hub.current()
        self.flood = messages.Flood()
        self.bad_in_a_row = 0
        self.socket = Socket(Outbox(self.base_send), language_of(self.scope), self.loop.time())
        await self.accept()
        self.spawn(self.socket.outbox.run())
        await self.safely(self.opened)

    async def opened(self) -> None:
        """Do what follows on the connection's opening."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine for this connection; it ends with it."""
        task = self.loop.create_task(work, context=Context())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle one frame, whatever it is."""
        if self.socket.outbox.is_closing:
            return
        now = self.loop.time()
        self.socket.heard(now)
        if self.flood.is_over(now):
            self.socket.refuse("too_many")
            self.socket.outbox.close(CLOSE_TOO_MANY)
            return
        try:
            frame = messages.parse(text_data)
        except messages.Bad as bad:
            self._on_bad(bad)
            return
        await self.safely(self.on_frame, frame)

    def _on_bad(self, bad: messages.Bad) -> None:
        """Answer a frame that is not of the protocol; too many in a row, or too long: close."""
        self.socket.refuse(bad.code, bad.params, bad.id)
        self.bad_in_a_row += 1
        if bad.code == "too_long":
            self.socket.outbox.close(CLOSE_TOO_LONG)
        elif self.bad_in_a_row >= MOST_BAD:
            self.socket.refuse("too_many_bad")
            self.socket.outbox.close(CLOSE_BAD)

    async def on_frame(self, frame: messages.Frame) -> None:
        """Handle a frame of the protocol; may raise Illegal and database errors."""

    async def safely(self, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Do the work of a frame; whatever it raises becomes an `error` or a `bye`."""
        frame_id = getattr(args[0], "id", None) if args else None
        try:
            await work(*args)
        except Illegal as refusal:
            if (close := _CLOSES.get(refusal.code)) is not None:
                self.socket.dismiss(refusal.code, close)
            else:
                self.socket.refuse(refusal.code, refusal.params, frame_id)
        except DatabaseError:
            logger.warning("the database was not ready for a frame", exc_info=True)
            self.socket.refuse("busy", None, frame_id)
        except Exception:
            logger.exception("a frame failed")
            self.socket.refuse("failed", None, frame_id)

    def leave(self) -> None:
        """Leave the room."""
