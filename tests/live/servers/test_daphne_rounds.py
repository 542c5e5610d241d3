"""Daphne's rounds look at the few connections that matter, and miss none of them."""

import asyncio
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from daphne.ws_protocol import WebSocketProtocol

from games.live.servers import daphne, daphne_rounds


def new_server() -> Any:
    """Return a server with the parts of daphne's that are shortened: its round reaps what has gone and has ended."""

    class Server:
        def __init__(self) -> None:
            self.connections: dict[str, dict[str, Any]] = {}
            self.rounds: list[set[str]] = []

        def create_application(self, connection: str, scope: Any) -> str:
            self.connections[connection] = {"application_instance": scope}
            return "queue"

        def protocol_disconnected(self, connection: str) -> None:
            if connection in self.connections:
                self.connections[connection]["disconnected"] = 1.0

        def application_checker(self) -> None:
            self.rounds.append(set(self.connections))
            for connection, told in list(self.connections.items()):
                if "application_instance" in told and told["application_instance"].done():
                    del self.connections[connection]["application_instance"]
                if "application_instance" not in told and "disconnected" in told:
                    del self.connections[connection]

    return Server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server whose rounds are shortened."""
    made = new_server()
    monkeypatch.setitem(sys.modules, "daphne.server", SimpleNamespace(Server=made))
    daphne_rounds.shorten()
    daphne_rounds.shorten()  # changes nothing
    return made()


async def test_a_round_is_through_the_connections_whose_application_has_ended_or_that_have_gone(server: Any) -> None:
    loop = asyncio.get_running_loop()
    tasks = {name: loop.create_future() for name in ("rests", "ends", "goes", "does both")}
    for name, task in tasks.items():
        assert server.create_application(name, task) == "queue"
    server.application_checker()
    for name in ("ends", "does both"):
        tasks[name].set_result(None)
    for name in ("goes", "does both", "was never here"):
        server.protocol_disconnected(name)
    await asyncio.sleep(0)
    server.application_checker()
    server.application_checker()
    assert server.rounds == [set(), {"ends", "goes", "does both"}, {"goes"}], "one that has gone until its end"
    assert set(server.connections) == {"rests", "ends", "goes"}

    tasks["goes"].set_result(None)
    server.protocol_disconnected("ends")
    await asyncio.sleep(0)
    server.application_checker()
    assert set(server.connections) == {"rests"}
    server.application_checker()
    assert server.rounds[-1] == set()


async def test_what_ends_during_a_round_is_in_the_next_one(server: Any) -> None:
    first, second = (asyncio.get_running_loop().create_future() for _ in range(2))
    server.create_application("first", first)
    server.create_application("second", second)
    first.set_result(None)
    await asyncio.sleep(0)
    second.add_done_callback(lambda _: None)
    told = server.connections["first"]

    class Told(dict[str, Any]):
        def __delitem__(self, name: str) -> None:
            server.protocol_disconnected("first")  # the answer to a failure may end the connection at once
            super().__delitem__(name)

    server.connections["first"] = Told(told)
    server.application_checker()
    assert set(server.connections) == {"second"}


def test_the_daphne_that_is_installed_has_the_parts_that_are_shortened() -> None:
    from daphne.server import Server

    assert all(callable(getattr(Server, part)) for part in daphne_rounds._PARTS)


@pytest.mark.parametrize("longest", [86_400, 50, -1])
def test_a_silent_socket_is_sent_a_ping_and_one_that_speaks_none(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now, pings, looks, ends = [1000.0], [], [], []

    class Quiet(daphne.CountedProtocol):
        def __init__(self) -> None:
            self.server = SimpleNamespace(ping_interval=20, websocket_timeout=longest, websocket_connect_timeout=5)
            self.state = self.STATE_OPEN
            self.socket_opened = self.last_ping = now[0]

        def _sendAutoPing(self) -> None:
            pings.append(now[0])

        def duration(self) -> float:
            looks.append(now[0])
            return now[0] - self.socket_opened

        def serverClose(self, code: int | None = None) -> None:
            ends.append(now[0])

    monkeypatch.setattr("time.time", lambda: now[0])
    silent, speaking = Quiet(), Quiet()
    assert isinstance(silent, WebSocketProtocol)
    for second in range(0, 100, 2):
        now[0] = 1000.0 + second
        if second % 10 == 0:
            speaking.last_ping = now[0]
        silent.check_timeouts()
        speaking.check_timeouts()
    assert pings == [1022, 1044, 1066, 1088], "as daphne sends them: more than 20 s after the last sign of life"
    assert bool(ends) == (longest == 50) and (not ends or ends[0] == 1052)
    if longest != 50:
        assert len(looks) < 30, "of a hundred"
