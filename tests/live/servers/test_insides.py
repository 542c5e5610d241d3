"""What the house takes for granted of the insides of the installed daphne, autobahn, Twisted and uvicorn.

docs/decisions/private-insides.md says what each is for, and what no longer works where a test here fails.
"""

from __future__ import annotations

import asyncio
import inspect
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from autobahn.websocket import protocol as autobahn
from daphne import http_protocol
from daphne import server as daphne_server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.tcp import Connection
from twisted.internet.testing import MemoryReactor, StringTransport
from twisted.web import http
from websockets.frames import Frame, Opcode

from games.live.servers import daphne, daphne_open, uvicorn
from tests.live.servers.test_whole_texts import opened, sent


@pytest.fixture
def connection() -> Iterator[Connection]:
    """A connection of Twisted over a pair of sockets that nobody serves."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    made = Connection(ours, None, MemoryReactor())
    made.connected = True
    yield made
    ours.close()
    theirs.close()


def test_twisted_counts_what_waits_for_a_reader_where_the_house_looks(connection: Connection) -> None:
    missing = [part for part in daphne._PARTS if not hasattr(connection, part)]
    assert not missing, f"Twisted's connections have no {missing}: every frame goes by the reactor, which is slower"
    assert daphne._is_plain(connection), "plain TCP is not known as such: every frame goes by the reactor"
    assert daphne.unsent(connection) == 0
    connection.write(b"12345")
    assert daphne.unsent(connection) == 5, "a reader who never reads would not be cut"
    assert connection.writeSomeData(b"123") == 3, "Twisted sends in another way: frames would be lost or doubled"


async def test_autobahn_tells_that_it_is_between_two_frames_where_the_house_looks() -> None:
    line = opened([])
    missing = [part for part in daphne._READING if not hasattr(line, part)]
    assert not missing, f"autobahn's connections have no {missing}: messages go daphne's way, which is slower"
    assert line._is_between_frames()
    WebSocketProtocol.dataReceived(line, sent(b"1", fin=False))
    assert not line._is_between_frames(), "a text in a fragmented message would be taken for a whole one"
    WebSocketProtocol.dataReceived(line, sent(b"2", Opcode.CONT))
    assert line._is_between_frames()
    WebSocketProtocol.dataReceived(line, Frame(Opcode.TEXT, b"half").serialize(mask=True)[:4])
    assert not line._is_between_frames(), "the rest of half a frame would be taken for a frame"


def test_what_is_forgotten_after_a_handshake_is_what_autobahn_and_daphne_note() -> None:
    names = ("daphne.http_protocol", "daphne.ws_protocol", "autobahn.websocket.protocol", "autobahn.twisted.websocket")
    sources = "".join(inspect.getsource(import_module(name)) for name in (*names, "autobahn.util"))
    gone = sorted(name for name in daphne_open._OF_HANDSHAKE if f".{name}" not in sources)
    assert not gone, f"nobody notes {gone} any more: what took its place is kept as long as a socket is open"
    request = inspect.signature(autobahn.ConnectionRequest.__init__).parameters
    assert set(daphne_open._OF_REQUEST) <= set(request), "a request has other parts: a handshake stays in memory"


def test_the_settings_of_a_connection_are_those_of_its_class_before_its_factorys() -> None:
    source = inspect.getsource(autobahn.WebSocketProtocol._connectionMade)
    assert "CONFIG_ATTRS" in source and "hasattr(self" in source, "each socket copies all settings: 3 kB more"


def test_daphne_makes_requests_and_connections_of_the_classes_that_the_house_puts_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module, name in ((http_protocol, "WebRequest"), (daphne_server, "HTTPFactory")):
        monkeypatch.setattr(module, name, getattr(module, name))  # as it was, afterwards
    monkeypatch.setattr(daphne_server, "WebSocketFactory", daphne_server.WebSocketFactory)
    daphne.watch()
    daphne.bound_messages()
    assert http_protocol.WebRequest.is_bounded, "requests have no bounds"
    server = daphne_server.Server(None, endpoints=["unix:/nowhere"])
    made = daphne_server.HTTPFactory(server).buildProtocol(None)
    assert made.requestFactory is http_protocol.WebRequest, "daphne makes requests of a class without bounds"
    assert "Channel" in type(made._channel).__name__ and "_watched_channel" in type(made._channel).__qualname__, (
        "connections have no deadlines"
    )
    assert daphne_server.WebSocketFactory.is_bound, "messages have no bounds"


def test_twisted_knows_the_path_of_a_request_while_its_body_comes() -> None:
    seen: list[Any] = []

    class Request(http.Request):
        def handleContentChunk(self, data: bytes) -> None:
            seen.append(getattr(self.channel, "_path", None))

    channel = http.HTTPChannel()
    channel.requestFactory = Request
    channel.factory = http.HTTPFactory()
    channel.makeConnection(StringTransport())
    channel.dataReceived(b"POST /a/b?c=d HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n12")
    assert seen == [b"/a/b?c=d"], "every body has the bound of a page, those of uploads too"
    assert [type(each) for each in channel.requests] == [Request], "the request of a socket would be kept"


async def test_daphne_gives_an_application_the_send_and_the_queue_that_the_house_looks_through() -> None:
    given: dict[str, Any] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        given.update(scope=scope, receive=receive, send=send)

    server, connection = daphne_server.Server(application, endpoints=["unix:/nowhere"]), object()
    server.connections = {connection: {}}
    queue = server.create_application(connection, {"type": "websocket"})
    assert given or await server.connections[connection]["application_instance"] is None, "no task of the application"
    found = daphne._protocol_of(given["send"])
    assert found is connection, "the connection below `send` is not found: frames go daphne's way, which is slower"
    assert isinstance(queue, asyncio.Queue), "what came before the listener would be lost"


@pytest.mark.parametrize(
    ("module", "name", "methods"),
    [
        *((f"http.{each}", name, ("connection_made", "data_received", "connection_lost", "on_response_complete"))
          for each, name in uvicorn._HTTP.items()),
        *((f"websockets.{each}", name, ("connection_made", "connection_lost"))
          for each, name in uvicorn._SOCKETS.items()),
    ],
)  # fmt: skip
def test_uvicorn_has_the_methods_that_the_house_follows(module: str, name: str, methods: tuple[str, ...]) -> None:
    try:
        found = getattr(import_module(f"uvicorn.protocols.{module}"), name, None)
    except ImportError:
        pytest.skip("its library is not installed here")
    assert found is not None, f"uvicorn has no {name}: its connections have no deadlines and no bounds"
    assert [each for each in methods if not callable(getattr(found, each, None))] == []
    if name == "WebSocketsSansIOProtocol":
        source = inspect.getsource(found)
        parts = ("def handle_events", "self.conn.events_received()", "self.queue", "self.transport")
        assert [part for part in parts if part not in source] == [], "frames are not counted"


def test_uvicorn_asks_its_own_handling_of_proxies_by_call() -> None:
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    assert "__call__" in vars(ProxyHeadersMiddleware), "uvicorn trusts each program on this computer as a proxy"
    assert "self.app = " in inspect.getsource(ProxyHeadersMiddleware.__init__)


def test_the_reactor_is_loaded_where_daphne_serves_and_nowhere_else() -> None:
    code = "import sys, {}; print('twisted.internet.reactor' in sys.modules)"
    said = [
        subprocess.run([sys.executable, "-c", code.format(name)], capture_output=True, text=True, check=True).stdout
        for name in ("daphne.server", "uvicorn")
    ]
    assert said == ["True\n", "False\n"], "a house that closes does not know its server"
