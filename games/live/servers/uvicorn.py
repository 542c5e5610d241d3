"""Uvicorn's connections: deadlines and bounds, a count of all frames, unsent bytes.

Uvicorn itself waits for a head for ever, and answers pings whether they are read or not. The methods of its protocol
classes are wrapped from outside; a class without them is left alone.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

from games.live.servers import connection_limits
from games.live.servers.connection_limits import Frames
from games.live.servers.daphne import MOST_WAITING
from games.ops import logs

logger = logging.getLogger(__name__)

_HTTP = {"h11_impl": "H11Protocol", "httptools_impl": "HttpToolsProtocol"}
_SOCKETS = {
    "websockets_sansio_impl": "WebSocketsSansIOProtocol",
    "websockets_impl": "WebSocketProtocol",
    "wsproto_impl": "WSProtocol",
}
_MARK = "is_watched"


def watch() -> None:
    """Bound the connections of uvicorn if it serves. Further calls change nothing."""
    for module, name in _HTTP.items():
        if (found := _class(f"uvicorn.protocols.http.{module}", name)) is not None:
            _watch_http(found)
    for module, name in _SOCKETS.items():
        if (found := _class(f"uvicorn.protocols.websockets.{module}", name)) is not None:
            _watch_socket(found)


def _class(module: str, name: str) -> Any:
    found = getattr(sys.modules.get(module), name, None)
    if found is None or _MARK in vars(found):
        return None
    setattr(found, _MARK, True)
    return found


def _after(protocol: Any, name: str, then: Callable[..., None]) -> None:
    """Have `then(protocol, *args)` called after a method of a class."""
    inner = getattr(protocol, name)

    @wraps(inner)
    def outer(self: Any, *args: Any) -> None:
        inner(self, *args)
        then(self, *args)

    setattr(protocol, name, outer)


def _watch_http(protocol: Any) -> None:
    def connected(self: Any, transport: Any) -> None:
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        connection_limits.current().connected(transport, address, transport.abort)

    def took(self: Any, data: bytes) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            connection_limits.current().works(self.transport)
        else:
            connection_limits.current().begins_if_idle(self.transport)

    def answered(self: Any, *_: Any) -> None:
        connection_limits.current().rests(self.transport)
        took(self, b"")  # the next request may have been there before

    _after(protocol, "connection_made", connected)
    _after(protocol, "data_received", took)
    _after(protocol, "on_response_complete", answered)
    _after(protocol, "connection_lost", _gone)


def _gone(self: Any, *_: Any) -> None:
    connection_limits.current().gone(self.transport)


def _watch_socket(protocol: Any) -> None:
    is_told: list[bool] = []

    def opened(self: Any, transport: Any) -> None:
        connection_limits.current().opens(transport)
        if not is_told:
            is_told.append(True)
            _warn_of_compression(self.config)

    _after(protocol, "connection_made", opened)
    _after(protocol, "connection_lost", _gone)
    if protocol.__name__ == "WebSocketsSansIOProtocol":
        _count_frames(protocol)


def _warn_of_compression(config: Any) -> None:
    """Log once that uvicorn compresses frames: by its default each socket costs 65 kB instead of 20 and more time."""
    if config.ws_per_message_deflate:
        text = "start uvicorn with --ws-per-message-deflate false: a socket costs a third of the memory"
        logs.log_event(logger, logging.WARNING, "socket", "compressed", text=text)


def _count_frames(protocol: Any) -> None:
    """Count each frame, and cut the connection of a reader that reads too slowly."""
    inner = protocol.handle_events

    @wraps(inner)
    def counted(self: Any) -> None:
        events = self.conn.events_received()
        self.conn.events = events
        frames = vars(self).setdefault("counted_frames", Frames())
        count = sum(hasattr(event, "opcode") for event in events)
        is_flood = frames.are_too_many(self.loop.time(), count)
        inner(self)
        if is_flood:
            self.queue.put_nowait({"type": "websocket.flood"})
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            self.transport.abort()

    protocol.handle_events = counted
