"""Daphne's side of a connection before it is a WebSocket: its deadlines, its bounds, its bodies.

Twisted counts 60 s from the last byte, so that a byte every now and then keeps a connection for
ever; and daphne hands a request on once it has it all, and keeps a body of any length until then.
"""

from __future__ import annotations

import sys
from typing import Any

from games import connections
from games.bodies import CUT_LINE, LONGEST_BODY

_ROOT_PATH = b"daphne-root-path"


def watch() -> None:
    """Where daphne serves: bound its connections. Calling it again changes nothing."""
    http_protocol: Any = sys.modules.get("daphne.http_protocol")
    if http_protocol is None or getattr(http_protocol.WebRequest, "is_bounded", False):
        return
    http_protocol.WebRequest = _bounded(http_protocol.WebRequest)
    server: Any = sys.modules.get("daphne.server")
    if server is not None:
        server.HTTPFactory = _watched(server.HTTPFactory)


def _bounded(request: Any) -> Any:
    class Bounded(request):  # type: ignore[misc]
        """A request that stops taking notes, and takes no path from a header."""

        is_bounded = True
        taken = 0

        def process(self) -> Any:
            """Go on without the header that daphne would take the root path from, or fail to decode."""
            self.requestHeaders.removeHeader(_ROOT_PATH)
            return super().process()

        def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 (Twisted's name)
            """Keep what is within the limit and a byte more, which tells that it is long."""
            room = LONGEST_BODY + 1 - self.taken
            self.taken += len(data)
            if room > 0:
                super().handleContentChunk(data[:room])
            if self.taken > CUT_LINE:
                self.channel.transport.abortConnection()

    return Bounded


def _watched_channel() -> Any:
    from twisted.web import http

    class Channel(http.HTTPChannel):
        """A connection that says what it is at."""

        def connectionMade(self) -> None:  # noqa: N802 (Twisted's names, here and below)
            """Note that it came."""
            super().connectionMade()  # type: ignore[no-untyped-call]
            transport: Any = self.transport
            address = str(getattr(transport.getPeer(), "host", "") or "")
            connections.current().came(transport, address, transport.abortConnection)

        def dataReceived(self, data: bytes) -> None:  # noqa: N802
            """Note the first bytes of a next request."""
            connections.current().begins_if_idle(self.transport)
            super().dataReceived(data)  # type: ignore[no-untyped-call]

        def allHeadersReceived(self) -> None:  # noqa: N802
            """Note that the body is next."""
            super().allHeadersReceived()  # type: ignore[no-untyped-call]
            connections.current().begins(self.transport, connections.BODY_SECONDS)

        def allContentReceived(self) -> None:  # noqa: N802
            """Note that the request is whole."""
            connections.current().works(self.transport)
            super().allContentReceived()  # type: ignore[no-untyped-call]

        def requestDone(self, request: Any) -> None:  # noqa: N802
            """Note that it was answered, before the next one is looked at."""
            connections.current().rests(self.transport)
            super().requestDone(request)  # type: ignore[no-untyped-call]

        def connectionLost(self, reason: Any) -> None:  # type: ignore[override]  # noqa: N802
            """Note that it has gone."""
            connections.current().gone(self.transport)
            super().connectionLost(reason)  # type: ignore[no-untyped-call]

    return Channel


def _watched(factory: Any) -> Any:
    from twisted.web import http

    channel = _watched_channel()

    class Watched(factory):  # type: ignore[misc]
        """Daphne's factory, for connections that are watched."""

        @staticmethod
        def protocol() -> Any:
            """Return the protocol of a new connection."""
            return http._GenericHTTPChannelProtocol(channel())

    return Watched
