"""Fifty readers that never read: they are closed, cost little, and the others play on."""

import asyncio
import json
import select
import socket
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.conftest import require
from tests.live.servers.test_socket_server import OPEN_A_TABLE, SECONDS
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(180)]
READERS = 50
MEGABYTES = 50
UPGRADE = """GET /ws/table/{table}/ HTTP/1.1
Host: {host}
Upgrade: websocket
Connection: Upgrade
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
Sec-WebSocket-Version: 13
Origin: http://{host}
Cookie: {cookie}

"""


@pytest.fixture
def server(tmp_path):
    limits = ("SOCKETS_PER_GUEST", "MESSAGES_PER_20S", "MESSAGES_PER_20S_PLAYING")
    server = Server(tmp_path, CLOCK="off", **dict.fromkeys(limits, "0"))
    server.migrate()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def evening(server) -> dict:
    return json.loads(server.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])


def memory(server: Server) -> float:
    """Return the server's resident memory in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def reader(server: Server, table: str, cookie: str) -> socket.socket:
    """Connect, say hello, and read nothing but the handshake."""
    line = socket.socket()
    # What the system itself keeps for a line follows from these: a little.
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    line.settimeout(30)
    line.connect(("127.0.0.1", server.port))
    request = UPGRADE.format(table=table, host=f"127.0.0.1:{server.port}", cookie=cookie)
    line.sendall(request.replace("\n", "\r\n").encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    hello = b'{"type":"hello","protocol":1,"seq":null}'
    line.sendall(bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello)
    return line


def open_ones(lines: list[socket.socket]) -> list[socket.socket]:
    """Return those that the server has not cut."""
    poll = select.poll()
    for line in lines:
        poll.register(line, 0)
    gone = {number for number, event in poll.poll(0) if event & (select.POLLHUP | select.POLLERR)}
    return [line for line in lines if line.fileno() not in gone]


async def go_on(host: ClientConnection, number: int) -> None:
    """Let the host do what may be done without end: pause, and resume."""
    name = "table.resume" if number % 2 else "table.pause"
    frame = {"type": "command", "id": f"n-{number}", "name": name, "args": {}}
    await host.send(json.dumps(frame))
    while json.loads(await host.recv()).get("id") != frame["id"]:
        pass


async def test_fifty_readers_that_never_read_are_closed_and_cost_little(server, evening):
    require(Path("/proc/self/status").exists(), "/proc")
    table, cookies = evening["table"], evening["cookies"]
    url = f"{server.url.replace('http', 'ws', 1)}/ws/table/{table}/"
    headers = {"Cookie": cookies[0]}
    async with connect(url, origin=server.url, additional_headers=headers) as host:
        await host.send(json.dumps({"type": "hello", "protocol": 1, "seq": None}))
        for number in range(6):
            await go_on(host, number)
        before = peak = memory(server)
        lines = [await asyncio.to_thread(reader, server, table, cookies[1]) for _ in range(READERS)]
        left, number = lines, 5
        async with asyncio.timeout(SECONDS):
            while left:
                number += 1
                await go_on(host, number)
                peak = max(peak, memory(server))
                left = open_ones(left)
        for line in lines:
            line.close()
    assert peak - before <= MEGABYTES
    assert "Traceback" not in server.output()
