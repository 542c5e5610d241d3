"""Orderly shutdown: open requests finish, sockets are closed, then the process ends.

A request runs in a thread that now and then calls the event loop. A server whose loop ends first leaves that thread
waiting for ever, and Python with it, which joins its threads before it ends. Daphne does just that: its loop ends with
the first connection that is cancelled. So here the loop is kept until every connection is done.

Everything acknowledged is stored, so a request that has not ended after CLOSE_SECONDS does not keep the process alive.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast

from games.live import clock_thread
from games.live.rooms import hub
from games.services.tables import queue

logger = logging.getLogger(__name__)

Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

CLOSE_SECONDS = 10
HUB_SECONDS = 2
_REACTOR = "twisted.internet.reactor"
_COME_BACK = (b"retry-after", b"5"), (b"connection", b"close"), (b"content-length", b"0")

_running: dict[asyncio.Task[Any], str] = {}
"""The open connections: HTTP requests and WebSockets."""
_closing = threading.Event()


async def serve(app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a connection; `close` waits for it."""
    if _closing.is_set():
        await _turn_away(scope, send)
        return
    task = cast("asyncio.Task[Any]", asyncio.current_task())
    _running[task] = scope["type"]
    try:
        serving = app(scope, receive, send)
        del scope, receive, send  # as long as a connection is open, its handshake would be kept
        await serving
    finally:
        _running.pop(task, None)


async def _turn_away(scope: Scope, send: Send) -> None:
    """Refuse a connection with 503 or 1012, so that the client comes again: another process may run by then."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1012})
        return
    await send({"type": "http.response.start", "status": 503, "headers": [*_COME_BACK]})
    await send({"type": "http.response.body", "body": b""})


async def lifespan(receive: Receive, send: Send) -> None:
    """Start and stop with the server, if it uses ASGI's lifespan (uvicorn does, daphne does not)."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            clock_thread.start()
            await send({"type": "lifespan.startup.complete"})
        else:
            await close()
            await send({"type": "lifespan.shutdown.complete"})
            return


async def close() -> None:
    """Take no more connections, close the sockets, let requests finish, and stop the clock."""
    _closing.set()
    end_soon()
    stopping = asyncio.create_task(asyncio.to_thread(clock_thread.stop))
    for each in hub.running():
        if each.loop is asyncio.get_running_loop():
            # Before the other tasks are cancelled: its last messages to the layer need them.
            await each.close(HUB_SECONDS)
    for task, kind in list(_running.items()):
        if kind == "websocket":
            task.cancel()
    while _running:
        await asyncio.wait(list(_running))
    await stopping
    await asyncio.to_thread(queue.stop)


def sockets() -> int:
    """Return the number of open WebSockets."""
    return sum(kind == "websocket" for kind in list(_running.values()))


def watch() -> None:
    """Have daphne start the clock and close in order; do nothing under another server."""
    reactor: Any = sys.modules.get(_REACTOR)
    if reactor is not None:
        reactor.addSystemEventTrigger("before", "shutdown", _before_shutdown, reactor)
        # Bots and time-outs do not wait for a first request, least of all after a crash.
        reactor.callWhenRunning(clock_thread.start)


def _before_shutdown(reactor: Any) -> Any:
    """Stop listening; return the Deferred that the reactor waits for."""
    from twisted.internet import defer, tcp

    readers: list[Any] = reactor.getReaders()
    for port in [reader for reader in readers if isinstance(reader, tcp.Port)]:
        port.stopListening()  # type: ignore[no-untyped-call]
    return defer.Deferred.fromFuture(asyncio.ensure_future(close()))


def end_soon() -> None:
    """End the process after CLOSE_SECONDS, if it has not ended by itself."""
    timer = threading.Timer(CLOSE_SECONDS, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    logger.warning("what was under way did not end in %s s; closed all the same", CLOSE_SECONDS)
    os._exit(0)
