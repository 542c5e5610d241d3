"""Two server processes, one database, Redis between them: one evening all the same."""

import asyncio
import json
import shutil
import subprocess
import time

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.conftest import require
from tests.live.client import Client
from tests.live.servers.test_socket_server import OPEN_A_TABLE, SECONDS, chooser
from tests.server import Server, free_port

pytestmark = [pytest.mark.server, pytest.mark.scaled, pytest.mark.timeout(180)]
REDIS = "redis-server"


class Redis:
    """A Redis of the test's own, on loopback, that keeps nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        arguments = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen([REDIS, *arguments], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not self.answers():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def answers(self) -> bool:
        import socket

        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
                line.sendall(b"PING\r\n")
                return line.recv(7) == b"+PONG\r\n"
        except OSError:
            return False

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=10)
            self.process = None


@pytest.fixture(scope="module")
def redis():
    pytest.importorskip("channels_redis")
    require(shutil.which(REDIS), "Redis")
    redis = Redis()
    redis.start()
    yield redis
    redis.stop()


@pytest.fixture(scope="module")
def servers(tmp_path_factory, redis):
    data = tmp_path_factory.mktemp("scaled")
    url = f"redis://127.0.0.1:{redis.port}/0"
    servers = [Server(data, REDIS_URL=url), Server(data, REDIS_URL=url, CLOCK="off")]
    servers[0].migrate()
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture
def evening(servers) -> dict:
    return json.loads(servers[0].manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])


@pytest.mark.day(parts=17, turn=2)
async def test_players_on_two_processes_play_one_game(servers, evening):
    clients = [
        Client(servers[seat % 2].url, evening["table"], cookie, chooser(seat))
        for seat, cookie in enumerate(evening["cookies"])
    ]
    async with asyncio.timeout(SECONDS):
        await asyncio.gather(*(client.play() for client in clients))
    assert len({client.seq for client in clients}) == 1
    for client in clients:
        assert client.connections == 1
        assert client.seen == sorted(set(client.seen))


@pytest.mark.day(parts=17, turn=2)
async def test_a_redis_that_dies_stops_nobody_and_is_found_again(servers, evening, redis):
    lines = [await opened(servers[seat], evening, seat) for seat in (0, 1)]
    async with asyncio.timeout(SECONDS):
        await nudge(lines[0], evening["sits"][1], "a")
        assert (await next_entry(lines[1]))["seq"] == 2
        redis.stop()
        await nudge(lines[0], evening["sits"][1], "b")
        assert (await next_entry(lines[0], "b"))["seq"] == 3
        await lines[1].send(json.dumps({"type": "ping", "seq": 2}))
        assert (await next_entry(lines[1]))["seq"] == 3
        redis.start()
        for number in range(40):
            await nudge(lines[0], evening["sits"][1], f"c{number}")
            if await has_entry(lines[1]):
                break
        else:
            pytest.fail("the other process never heard again")
    for line in lines:
        await line.close()


SHOW_OUT = """
import asyncio, time
from games.models import Player, Table
from games.live.rooms import relay
from games.services.people import bans
from games.services.nights import membership
relay.start()
night = Table.objects.get(public_id="{table}").night
kari, ola = (Player.objects.filter(nickname=name).latest("pk") for name in ("Kari", "Ola"))
membership.remove(night, night.host, kari.pk)
bans.ban(ola, None)
# What this process has told goes out before it ends.
asyncio.run_coroutine_threadsafe(asyncio.sleep(2), relay._sender_loop()).result()
"""


@pytest.mark.day(parts=17, turn=2)
async def test_a_kick_and_a_ban_close_the_open_line_at_every_process(servers, evening):
    lines = [await opened(server, evening, seat) for seat in (1, 2) for server in servers]
    code = SHOW_OUT.format(table=evening["table"])
    await asyncio.to_thread(servers[1].manage, "shell", "-v", "0", "-c", code)
    for line in lines:
        async with asyncio.timeout(SECONDS):
            with pytest.raises(ConnectionClosed) as closed:
                while json.loads(await line.recv()):
                    pass
        assert closed.value.rcvd.code == 4403


async def opened(server: Server, evening: dict, seat: int):
    url = f"{server.url.replace('http', 'ws', 1)}/ws/table/{evening['table']}/"
    headers = {"Cookie": evening["cookies"][seat]}
    line = await connect(url, origin=server.url, additional_headers=headers)
    await line.send(json.dumps({"type": "hello", "protocol": 1, "seq": None}))
    while json.loads(await line.recv())["type"] != "state":
        pass
    return line


async def nudge(line, sitter: int, command_id: str) -> None:
    frame = {"type": "command", "id": command_id, "name": "table.nudge", "args": {"seat": 1, "sitter": sitter}}
    await line.send(json.dumps(frame))


async def next_entry(line, command_id: str | None = None) -> dict:
    while True:
        frame = json.loads(await line.recv())
        if frame["type"] == "entry" and command_id in (None, frame.get("id")):
            return frame


async def has_entry(line) -> bool:
    try:
        async with asyncio.timeout(0.5):
            await next_entry(line)
    except TimeoutError:
        return False
    return True
