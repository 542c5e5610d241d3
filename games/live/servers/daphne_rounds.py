"""Daphne's rounds through its connections, kept short: with thousands of open sockets a whole round stops all tables.

Every second daphne looks at every connection: has its application ended, or the connection itself? Here a round is
through those alone of which something was told since. The round for pings is in `daphne.CountedProtocol`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextvars import Context
from functools import partial
from typing import Any

_NOTHING = Context()
"""Of all calls at an end: a copy of its own for each of thousands of connections would be kept as long as they are."""
_PARTS = ("create_application", "protocol_disconnected", "application_checker")


def shorten() -> None:
    """Shorten the rounds of daphne if it serves and has the parts that are known here. Further calls change nothing."""
    server: Any = getattr(sys.modules.get("daphne.server"), "Server", None)
    if server is None or hasattr(server, "has_short_rounds") or not all(hasattr(server, part) for part in _PARTS):
        return
    server.has_short_rounds = True
    server.create_application = _told_when_it_ends(server.create_application)
    server.protocol_disconnected = _told_when_it_goes(server.protocol_disconnected)
    server.application_checker = _through_the_told(server.application_checker)


def _noted(server: Any) -> set[Any]:
    """Return the connections of a server that the next round is through."""
    found: set[Any] = server.__dict__.setdefault("noted", set())
    return found


def _ended(server: Any, connection: Any, _task: asyncio.Future[Any]) -> None:
    _noted(server).add(connection)


def _told_when_it_ends(create: Callable[..., Any]) -> Callable[..., Any]:
    def create_application(server: Any, connection: Any, scope: Any) -> Any:
        """Start a connection's application as daphne does, and note the connection when it ends."""
        made = create(server, connection, scope)
        task = server.connections.get(connection, {}).get("application_instance")
        if task is not None:
            task.add_done_callback(partial(_ended, server, connection), context=_NOTHING)
        return made

    return create_application


def _told_when_it_goes(go: Callable[..., None]) -> Callable[..., None]:
    def protocol_disconnected(server: Any, connection: Any) -> None:
        """Mark a connection as gone as daphne does, and note it."""
        go(server, connection)
        _noted(server).add(connection)

    return protocol_disconnected


def _through_the_told(check: Callable[..., None]) -> Callable[..., None]:
    def application_checker(server: Any) -> None:
        """Let daphne look at the noted connections alone; one that has gone is looked at until its application ends."""
        whole = server.connections
        noted, server.noted = _noted(server), set()
        few = {connection: whole[connection] for connection in noted if connection in whole}
        server.connections = dict(few)
        try:
            check(server)
        finally:
            left, server.connections = server.connections, whole
            for connection in few.keys() - left.keys():
                whole.pop(connection, None)
            _noted(server).update(connection for connection, told in left.items() if "disconnected" in told)

    return application_checker
