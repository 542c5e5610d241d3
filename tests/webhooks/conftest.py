"""A real HTTP server on loopback, reached by a connector of the tests' own: no setting opens loopback."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from games.services.webhooks.posting import WaysOut
from tests.calendar.conftest import olga
from tests.mails.conftest import club, date

__all__ = ["club", "date", "olga", "server"]

PUBLIC = "93.184.215.14"
"""What the tests' resolver says of every name but for those that it is told otherwise."""


@dataclass
class Server:
    """An HTTP server that keeps what it gets, and answers with `statuses`, then with 204."""

    port: int = 0
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    connected: list[str] = field(default_factory=list)

    @property
    def network(self) -> WaysOut:
        """The ways out for the code under test: this server stands for the whole world."""
        return WaysOut(self.resolve, self.connect)

    def resolve(self, host: str, port: int) -> list[str]:
        """Return the next answer for a name: `names` may change it from one question to the next."""
        answers = self.names.get(host, [[PUBLIC]])
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def connect(self, ip: str, port: int, seconds: float) -> socket.socket:
        """Note which address is connected to, and lead to this server."""
        self.connected.append(ip)
        return socket.create_connection(("127.0.0.1", self.port), timeout=seconds)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What came, as JSON."""
        return [json.loads(body) for _path, _head, body in self.got]


@pytest.fixture
def server() -> Iterator[Server]:
    """The other side of all webhooks."""
    found = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.got.append((self.path, dict(self.headers), body))
            self.send_response(found.statuses.pop(0) if found.statuses else 204)
            self.send_header("Location", "http://127.0.0.1/secret")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.port = http.server_address[1]
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield found
    http.shutdown()
    http.server_close()
