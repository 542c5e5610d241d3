"""What the parts that lean on private insides of daphne, autobahn and Twisted buy, each measured by itself.

`python -m tests.bench.bench_insides`: µs of processor a frame with and without each part, the best of many tries, so
that what else the machine does hardly counts; and bytes of memory an open socket with and without. From these follows
the share of a house at 500 tables of four, by the figures of the live benchmark that are given (`--move`, ms of
processor a move in a closed loop; `--socket`, kB an idle socket). docs/decisions/private-insides.md has the newest
figures.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import socket
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from time import process_time, time
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from autobahn.twisted.websocket import WebSocketServerFactory  # noqa: E402
from daphne.server import Server  # noqa: E402
from daphne.ws_protocol import WebSocketProtocol  # noqa: E402
from twisted.internet.tcp import Connection  # noqa: E402
from twisted.internet.testing import MemoryReactor, StringTransport  # noqa: E402
from twisted.web import http  # noqa: E402
from websockets.frames import Frame, Opcode  # noqa: E402

from games.live.rooms.outbox import Outbox  # noqa: E402
from games.live.servers import daphne, daphne_open  # noqa: E402
from games.live.servers.daphne import CountedProtocol  # noqa: E402

TRIES, REPEATS = 40, 200
FRAME = Frame(Opcode.TEXT, b'{"type":"command","id":"b123","name":"throw","args":{"lay":[1]},"basis":12}').serialize(
    mask=True
)
VIEW = b"x" * 700
"""As long as a view that a move tells one seat."""
HEAD = "\r\n".join(
    (
        *("GET /ws/ HTTP/1.1", "Host: localhost:80", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "Cookie: sessionid=" + "a" * 32),
        *("User-Agent: " + "u" * 110, "Accept-Language: de,en;q=0.5", "Origin: http://localhost", "", ""),
    )
).encode()


class Line(CountedProtocol):
    """A socket of daphne without its server."""

    def onConnect(self, request: Any) -> None:
        """Take the connection with what daphne notes of it."""
        self.request, self.server = request, SERVER
        self.socket_opened = self.last_ping = time()
        self.client_addr = ["127.0.0.1", 1]
        self.clean_headers = [(name.encode(), value.encode()) for name, value in request.headers.items()]
        self.application_queue = asyncio.Queue()

    def onOpen(self) -> None:
        """Keep what daphne would log."""


SERVER = SimpleNamespace(ping_interval=20, websocket_timeout=86400, websocket_connect_timeout=20)


def opened(listener: Callable[[str | None], None] | None = lambda text: None) -> Any:
    """Return an open socket."""
    factory = FACTORY[0]
    line = factory.buildProtocol(None)
    line.makeConnection(StringTransport())
    line.dataReceived(HEAD)
    assert line.state == line.STATE_OPEN
    if listener is not None:
        daphne.listen(partial(print, line), line.application_queue.get, listener)
    return line


FACTORY: list[Any] = []


def new_factory() -> None:
    """Make the factory of the next sockets, as the house does."""
    factory = WebSocketServerFactory("ws://localhost:80")
    factory.setProtocolOptions(openHandshakeTimeout=0)
    factory.protocol = daphne_open.class_of_all(Line, factory)
    FACTORY[:] = [factory]


def best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the µs of processor of a call: the best of many tries."""
    found = []
    for _ in range(TRIES):
        began = process_time()
        for _ in range(repeats):
            work()
        found.append(process_time() - began)
    return min(found) / repeats * 1e6


@contextmanager
def connected() -> Iterator[Connection]:
    """Yield a connection of Twisted over a pair of sockets, whose other end takes everything."""
    ours, theirs = socket.socketpair()
    for each in (ours, theirs):
        each.setblocking(False)
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_000_000)
    made: Any = Connection(ours, None, MemoryReactor())
    made.connected, made.theirs = True, theirs
    try:
        yield made
    finally:
        ours.close()
        theirs.close()


def read_all(made: Any) -> None:
    """Take what was sent."""
    try:
        while made.theirs.recv(1_000_000):
            pass
    except BlockingIOError:
        return


async def through_queue(line: Any, receive: Callable[[Any, bytes], None]) -> float:
    """Return the µs of a frame that comes to its consumer by a queue."""

    async def consumer() -> None:
        while True:
            await line.application_queue.get()

    task, found = asyncio.create_task(consumer()), []
    for _ in range(TRIES):
        began = process_time()
        for _ in range(REPEATS):
            receive(line, FRAME)
            await asyncio.sleep(0)
        found.append(process_time() - began)
    task.cancel()
    return min(found) / REPEATS * 1e6


async def frames_in() -> dict[str, tuple[float, float]]:
    """Return part → µs of a frame that comes, with and without the part."""
    line, empty = opened(), SimpleNamespace(are_too_many=lambda now: False)
    line.frames = empty
    by_us = best(lambda: line.dataReceived(FRAME))
    by_autobahn = best(lambda: WebSocketProtocol.dataReceived(line, FRAME))
    queued = opened(None)
    queued.frames = empty
    by_queue = await through_queue(queued, WebSocketProtocol.dataReceived)
    return {"texts": (by_us, by_autobahn), "texts and listener": (by_us, by_queue)}


def frames_out() -> tuple[float, float]:
    """Return the µs of a frame of VIEW's length that goes to a reader, by us and by autobahn and the reactor."""
    with connected() as made:
        line = opened()
        line.transport, server = made, Server(None, endpoints=["unix:/nowhere"])
        server.connections = {line: {}}
        send = partial(server.handle_reply, line)
        ours = Outbox(send)
        with patch.object(daphne, "find", lambda send: None):
            theirs = Outbox(send)

        def by_us() -> None:
            daphne._last = (b"", b"")
            ours.put(VIEW)
            read_all(made)

        def by_autobahn() -> None:
            theirs.put(VIEW)
            theirs.frame_received()
            made.doWrite()  # the reactor finds that there is room
            read_all(made)

        slow = best(by_autobahn)
        return best(by_us), slow


def memory(*undone: Any) -> float:
    """Return the bytes of memory of an open socket, with some parts undone."""
    with ExitStack() as stack:
        for each in undone:
            stack.enter_context(each)
        new_factory()
        kept = [opened() for _ in range(50)]
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        kept += [opened() for _ in range(500)]
        gc.collect()
        found = (tracemalloc.get_traced_memory()[0] - before) / 500
        tracemalloc.stop()
    return found


def of_request() -> float:
    """Return the bytes of Twisted's channel and request of a socket."""

    def made() -> list[Any]:
        channel: Any = http.HTTPChannel()
        channel.factory = http.HTTPFactory()
        channel.requestFactory = type("Request", (http.Request,), {"process": lambda self: None})
        channel.makeConnection(StringTransport())
        channel.dataReceived(HEAD)
        return [channel]

    kept = [made() for _ in range(20)]
    gc.collect()
    tracemalloc.start()
    kept += [made() for _ in range(200)]
    gc.collect()
    found = tracemalloc.get_traced_memory()[0] / 200
    tracemalloc.stop()
    return found


def told(name: str, unit: str, fast: float, slow: float, share: float) -> str:
    """Return the line of a part: with it, without it, and its share of the house's processor or memory."""
    return f"{name:22} {fast:10.1f} {slow:10.1f} {unit:28} {share:+7.1%}"


async def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print all parts."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_insides", description=__doc__)
    parser.add_argument("--move", type=float, default=0.48)
    parser.add_argument("--socket", type=float, default=15.0)
    args = parser.parse_args(argv)
    new_factory()
    move, kept = args.move * 1000, args.socket * 1000
    for name, (fast, slow) in (await frames_in()).items():
        print(told(name, "µs a frame that comes", fast, slow, (slow - fast) / move))
    fast, slow = frames_out()
    print(told("writes", "µs a frame that goes", fast, slow, 4 * (slow - fast) / move))
    undone = {
        "settings": [patch.object(daphne_open, "class_of_all", lambda protocol, factory: protocol)],
        "handshake": [patch.object(daphne_open, "forget_handshake", lambda protocol: None)],
        "made again": [patch.object(daphne_open, "_MADE_AGAIN", frozenset())],
        "inbox": [patch.object(daphne_open, "Inbox", asyncio.Queue)],
    }
    whole = memory()
    for name, parts in undone.items():
        found = memory(*parts)
        print(told(name, "bytes a socket", whole, found, (found - whole) / kept))
    print(told("request", "bytes a socket", 0, of_request(), of_request() / kept))
    found = memory(*(each for parts in undone.values() for each in parts)) + of_request()
    print(told("all of the memory", "bytes a socket", whole, found, (found - whole) / kept))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
