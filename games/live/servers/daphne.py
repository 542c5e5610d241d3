"""Daphne's connections before they become WebSockets: their deadlines, bounds and bodies.

Twisted counts 60 s from the last byte, so a byte every now and then keeps a connection open for ever; and daphne passes
a request on only when it is complete, and keeps a body of any length until then.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from functools import cached_property, partial
from typing import Any, TypeAlias
from urllib.parse import unquote

from autobahn.websocket.protocol import TrafficStats
from autobahn.websocket.utf8validator import Utf8Validator
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.tcp import Connection

from games.live.servers import connection_limits, daphne_open
from games.live.servers.connection_limits import Frames
from games.ops.requests.body_limit import cut_line, longest_body

Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]

_ROOT_PATH = b"daphne-root-path"


def watch() -> None:
    """Bound the connections of daphne if it serves. Further calls change nothing."""
    http_protocol: Any = sys.modules.get("daphne.http_protocol")
    if http_protocol is None or getattr(http_protocol.WebRequest, "is_bounded", False):
        return
    http_protocol.WebRequest = _bounded(http_protocol.WebRequest)
    server: Any = sys.modules.get("daphne.server")
    if server is not None:
        server.HTTPFactory = _watched(server.HTTPFactory)


def _bounded(request: Any) -> Any:
    class Bounded(request):  # type: ignore[misc]
        """A request that keeps a bounded body, and takes no root path from a header."""

        is_bounded = True
        requestHeaders: Any  # noqa: N815 (Twisted's name)
        taken = 0
        longest = 0
        has_become_socket = False

        def process(self) -> Any:
            """Process the request without the header from which daphne would take the root path or fail at it."""
            self.requestHeaders.removeHeader(_ROOT_PATH)
            done = super().process()
            self.has_become_socket = self.transport is None  # it is the WebSocket's now
            return done

        def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 (Twisted's name)
            """Keep the bytes within the limit and one more, which marks the body as too long."""
            if not self.longest:
                # The request's own path is known only when its body has come.
                path = getattr(self.channel, "_path", b"").partition(b"?")[0]
                self.longest = longest_body(unquote(path.decode("latin1")))
            room = self.longest + 1 - self.taken
            self.taken += len(data)
            if room > 0:
                super().handleContentChunk(data[:room])
            if self.taken > cut_line(self.longest):
                self.channel.transport.abortConnection()

    return Bounded


def _watched_channel() -> Any:
    from twisted.web import http

    class Channel(http.HTTPChannel):
        """A connection that reports its state to `connection_limits`."""

        def connectionMade(self) -> None:  # noqa: N802 (Twisted's names, here and below)
            """Report the new connection."""
            super().connectionMade()  # type: ignore[no-untyped-call]
            transport: Any = self.transport
            address = str(getattr(transport.getPeer(), "host", "") or "")
            connection_limits.current().connected(transport, address, transport.abortConnection)

        def dataReceived(self, data: bytes) -> None:  # noqa: N802
            """Report the first bytes of the next request."""
            connection_limits.current().begins_if_idle(self.transport)
            super().dataReceived(data)  # type: ignore[no-untyped-call]

        def allHeadersReceived(self) -> None:  # noqa: N802
            """Report that the body is next."""
            super().allHeadersReceived()  # type: ignore[no-untyped-call]
            connection_limits.current().begins(self.transport, connection_limits.BODY_SECONDS)

        def allContentReceived(self) -> None:  # noqa: N802
            """Report that the request is complete; once it has become a WebSocket this is not needed any more."""
            connection_limits.current().works(self.transport)
            super().allContentReceived()  # type: ignore[no-untyped-call]
            daphne_open.forget_request(self)

        def requestDone(self, request: Any) -> None:  # noqa: N802
            """Report that the request was answered, before the next one is read."""
            connection_limits.current().rests(self.transport)
            super().requestDone(request)  # type: ignore[no-untyped-call]

        def connectionLost(self, reason: Any) -> None:  # type: ignore[override]  # noqa: N802
            """Report that the connection has gone."""
            connection_limits.current().gone(self.transport)
            super().connectionLost(reason)  # type: ignore[no-untyped-call]

    return Channel


def _watched(factory: Any) -> Any:
    from twisted.web import http

    channel = _watched_channel()

    class Watched(factory):  # type: ignore[misc]
        """Daphne's factory with watched connections."""

        @staticmethod
        def protocol() -> Any:
            return http._GenericHTTPChannelProtocol(channel())

    return Watched


# The bytes that may wait for one reader: in this process, and in the system's buffers, which would otherwise grow to
# megabytes for a reader that never reads (Linux doubles the number).
MOST_WAITING = 256 * 1024
SYSTEM_BUFFER = 128 * 1024
# Messages up to this length are read, and refused with a code if they are too long; a connection with longer ones is
# cut, and daphne keeps no more of them.
LONGEST_MESSAGE = 16 * 1024
_PARTS = ("connected", "writeSomeData", "write", "dataBuffer", "offset", "_tempDataLen")
_READING = ("current_frame", "inside_message", "data", "application_queue", "last_ping", "_perMessageCompress")
_TEXT = 0x81  # FIN, opcode 1
_SHORT_HEAD, _LONGER, _IS_MASKED = 6, 126, 0x80
"""Bytes before a short masked text; the mark of a length of two more bytes; the bit of a mask."""

# A room sends the same object to one reader after the other.
_last: tuple[bytes, bytes] = (b"", b"\x81\x00")


def framed(payload: bytes) -> bytes:
    """Return a text in UTF-8 as one unmasked WebSocket frame."""
    global _last  # noqa: PLW0603
    if _last[0] is payload:
        return _last[1]
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", _TEXT, size)
    elif size < 65_536:
        head = struct.pack("!BBH", _TEXT, 126, size)
    else:
        head = struct.pack("!BBQ", _TEXT, 127, size)
    _last = (payload, head + payload)
    return _last[1]


class DaphneLine:
    """The TCP connection below one WebSocket of daphne."""

    __slots__ = ("_protocol", "_transport")

    def __init__(self, protocol: Any) -> None:
        self._protocol, self._transport = protocol, protocol.transport

    def write(self, text: bytes) -> bool:
        """Send a text frame (UTF-8), or as much of it as can go out now; return False if the reader is too slow.

        Nothing is sent once the connection closes or has gone.
        """
        transport = self._transport
        if self._protocol.state != WebSocketProtocol.STATE_OPEN or not transport.connected:
            return True
        return _send(transport, framed(text)) <= MOST_WAITING


def _send(transport: Any, data: bytes) -> int:
    """Send bytes, or as much of them as can go out now; return how many wait.

    For transports with all `_PARTS`. By Twisted's own `write` bytes wait for the next round of the loop, and each time
    the system is asked to tell when it takes some.
    """
    waiting = _waiting(transport)
    if not waiting:
        sent = transport.writeSomeData(data)
        if not isinstance(sent, int) or sent == len(data):  # an exception: it is lost
            return 0
        data = data[sent:]
    transport.write(data)
    return waiting + len(data)


def unsent(transport: Any) -> int:
    """Return how many bytes wait in this process for a reader; 0 if the transport does not tell."""
    return _waiting(transport) if all(hasattr(transport, part) for part in _PARTS) else 0


def _waiting(transport: Any) -> int:
    """Return how many bytes wait in this process for a reader of a transport with all `_PARTS`, as `find` requires."""
    return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)


def text_at(data: bytes, at: int) -> tuple[str, int] | None:
    """Return the text of a whole, masked, unfragmented text frame that begins at `at`, and the index of its end.

    None for one of more than LONGEST_MESSAGE and all else. Frames that are not of the protocol are nothing else than
    that: autobahn refuses them.
    """
    if len(data) < at + _SHORT_HEAD or data[at] != _TEXT or not data[at + 1] & _IS_MASKED:
        return None
    size, start = data[at + 1] & ~_IS_MASKED, at + _SHORT_HEAD
    if size == _LONGER:
        size, start = int.from_bytes(data[at + 2 : at + 4]), start + 2
    is_minimal = (size < _LONGER) == (start == at + _SHORT_HEAD)
    end = start + size
    if not is_minimal or size > LONGEST_MESSAGE or len(data) < end:
        return None
    mask = data[start - 4 : start] * (size // 4 + 1)
    text = int.from_bytes(data[start:end]) ^ int.from_bytes(mask[:size])
    try:
        return text.to_bytes(size).decode(), end
    except UnicodeDecodeError:
        return None


class CountedProtocol(WebSocketProtocol):  # type: ignore[misc]
    """A WebSocket of daphne that counts every frame, and cuts a reader that sends pings but reads nothing."""

    frames: Frames | None = None
    listener: Callable[[str | None], None] | None = None
    trafficStats = TrafficStats()  # type: ignore[no-untyped-call]  # noqa: N815 (Autobahn's name)
    """Of all open sockets together: autobahn counts in it, and nobody reads it."""

    @cached_property
    def send_queue(self) -> deque[Any]:
        """The frames that autobahn has not sent yet; hardly ever any."""
        return deque()

    @cached_property
    def utf8validator(self) -> Utf8Validator:
        """The check of texts that come in parts."""
        return Utf8Validator()  # type: ignore[no-untyped-call]

    def connectionMade(self) -> None:  # noqa: N802 (Autobahn's names, here and below)
        """Report that the connection is a WebSocket now."""
        super().connectionMade()
        connection_limits.current().opens(self.transport)

    def succeedHandshake(self, res: Any) -> Any:  # noqa: N802
        """Open the connection, then forget the handshake."""
        done = super().succeedHandshake(res)
        if self.state == self.STATE_OPEN:
            daphne_open.forget_handshake(self)
        return done

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Take whole text frames as they come; everything else, and what is after it, is read by autobahn.

        Of a process that is late several come at once: the slow way would make it later.
        """
        at = 0
        while self.listener is not None and self._is_between_frames() and (found := text_at(data, at)) is not None:
            text, at = found
            self._count_frame()
            self._listened(text)
            if at == len(data):
                return
        super().dataReceived(data[at:])

    def _is_between_frames(self) -> bool:
        """Tell whether autobahn waits for a frame that may be a whole message."""
        is_waiting = self.current_frame is None and not self.inside_message and not self.data
        return is_waiting and self.state == self.STATE_OPEN and self._perMessageCompress is None

    def _count_frame(self) -> None:
        if self.frames is None:
            self.frames = Frames()
        if self.frames.are_too_many(asyncio.get_running_loop().time()):
            self.application_queue.put_nowait({"type": "websocket.flood"})

    def onFrameBegin(self) -> None:  # noqa: N802
        """Count a frame of any kind: a ping, a pong, a part of a message."""
        self._count_frame()
        super().onFrameBegin()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        """Pass a message to the listener at once; without one it goes through daphne's queue."""
        if self.listener is None:
            super().onMessage(payload, isBinary)
        else:
            self._listened(None if isBinary else payload.decode())

    def _listened(self, text: str | None) -> None:
        if self.listener is not None and not self.muted:
            self.last_ping = time.time()  # as daphne does: no ping of its own is due
            self.listener(text)

    def onPing(self, payload: bytes) -> None:  # noqa: N802
        """Answer a ping, unless too much waits to be read already."""
        if unsent(self.transport) > MOST_WAITING:
            self.transport.abortConnection()
        else:
            super().onPing(payload)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        """Report that the connection has gone."""
        connection_limits.current().gone(self.transport)
        super().connectionLost(reason)


def _protocol_of(send: Any) -> Any:
    """Return the protocol below an ASGI `send` of daphne; None if it is not daphne's."""
    return send.args[0] if isinstance(send, partial) and len(send.args) == 1 else None


def listen(send: Any, receive: Receive, listener: Callable[[str | None], None]) -> Receive:
    """Have messages of a connection passed to `listener` as they are read (None: a binary one), not through `receive`.

    For messages that come from now on. Return what receives all else: `receive` for another server's connection.
    """
    protocol = _protocol_of(send)
    if not isinstance(protocol, CountedProtocol) or not all(hasattr(protocol, part) for part in _READING):
        return receive
    protocol.listener = listener
    inbox, queue = daphne_open.Inbox(), protocol.application_queue
    while not queue.empty():
        inbox.put_nowait(queue.get_nowait())
    protocol.application_queue = inbox
    return inbox.get


def stop_listening(send: Any) -> None:
    """End what `listen` has begun."""
    protocol = _protocol_of(send)
    if isinstance(protocol, CountedProtocol):
        protocol.listener = None


def find(send: Any) -> DaphneLine | None:
    """Return the connection below an ASGI `send`; None if it is not daphne's, or not plain TCP."""
    protocol = _protocol_of(send)
    if not isinstance(protocol, WebSocketProtocol) or protocol._perMessageCompress is not None:
        return None
    transport = protocol.transport
    if protocol.state != WebSocketProtocol.STATE_OPEN or not _is_plain(transport):
        return None
    transport.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BUFFER)
    return DaphneLine(protocol)


def _is_plain(transport: Any) -> bool:
    """Tell whether a transport is plain TCP with all `_PARTS`."""
    is_tcp = isinstance(transport, Connection) and not transport.TLS
    return is_tcp and all(hasattr(transport, part) for part in _PARTS)


def bound_messages() -> None:
    """Limit the messages of daphne's connections to LONGEST_MESSAGE, if it serves."""
    server: Any = sys.modules.get("daphne.server")
    if server is None or getattr(server.WebSocketFactory, "is_bound", False):
        return

    class Bounded(server.WebSocketFactory):  # type: ignore[misc]
        """Daphne's factory of WebSockets, with our bound for a frame and for a whole message."""

        is_bound = True
        protocol = CountedProtocol

        def setProtocolOptions(self, **options: Any) -> None:  # noqa: N802 (Autobahn's name)
            """Set the options that daphne sets, except the bounds; connections have them from their class."""
            bounds = ("maxMessagePayloadSize", "maxFramePayloadSize")
            super().setProtocolOptions(**{**options, **dict.fromkeys(bounds, LONGEST_MESSAGE)})
            self.protocol = daphne_open.class_of_all(CountedProtocol, self)

    server.WebSocketFactory = Bounded
