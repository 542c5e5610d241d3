"""A whole evening over a real line: daphne, loopback, and a client that only read the page."""

import asyncio
import json
import random
import signal
import urllib.request

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.frames import listed
from tests.live.client import Client, Frame
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(180)]
SECONDS = 120

OPEN_A_TABLE = """
import json
from games.ops.session_keys import SessionStore
from games.services.nights import membership
from games.services.people import players as people_players
from games.services.tables import setup
names = ["Hanna", "Kari", "Ola"]
players = [people_players.new_guest(name) for name in names]
night = membership.host_night(players[0], "Thursday")
table = setup.open_table(night, players[0], "chicago", "bavarian", {})
cookies = []
for player in players:
    membership.join(night, player)
    setup.sit(table, player, accept=True, nonce=player.nickname)
    session = SessionStore()
    session["player_id"] = player.pk
    session.create()
    cookies.append(f"sessionid={session.session_key}")
setup.start(table, players[0], "start")
sits = [seat.player_id for seat in table.seats.order_by("index")]
print(json.dumps({"table": table.public_id, "cookies": cookies, "sits": sits}))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("evening"))
    server.migrate()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def evening(server) -> dict:
    return json.loads(server.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])


def chooser(seed: int):
    """Return a player who takes any open decision that the game waits for."""
    rng = random.Random(seed)

    def choose(view: Frame, choices: list[Frame]) -> tuple[Frame, Frame] | None:
        required = [choice for choice in choices if choice["required"]]
        if not required:
            return None
        choice = rng.choice(required)
        return choice, rng.choice(listed(choice))

    return choose


def asked(server: Server, path: str, cookie: str) -> dict:
    request = urllib.request.Request(f"{server.url}{path}", headers={"Cookie": cookie})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


async def reaches(client: Client, seq: int) -> None:
    while (client.seq or 0) < seq and client.table["status"] != "finished":
        await asyncio.sleep(0.005)


async def is_back(client: Client, lines: int = 2) -> None:
    """Wait until a client has opened so many lines."""
    while client.connections < lines:
        await asyncio.sleep(0.005)


async def test_a_whole_game_with_broken_lines_and_a_killed_server(server, evening):
    cookies, table = evening["cookies"], evening["table"]
    clients = [Client(server.url, table, cookie, chooser(seed)) for seed, cookie in enumerate(cookies)]
    async with asyncio.timeout(SECONDS):
        games = [asyncio.create_task(client.play()) for client in clients]
        await reaches(clients[1], 5)
        await clients[1].drop()
        await is_back(clients[1])
        await reaches(clients[0], 12)
        server.stop(signal.SIGKILL)
        await asyncio.to_thread(server.start)
        await reaches(clients[2], 16)
        await clients[2].drop()
        await asyncio.gather(*games)
    assert [client.you["seat"] for client in clients] == [0, 1, 2]
    assert all(client.view["phase"] == "over" for client in clients)
    assert len({client.seq for client in clients}) == 1
    assert clients[1].connections >= 3
    told = asked(server, f"/api/tables/{table}/events/", cookies[0])
    assert told["seq"] == clients[0].seq
    for client in clients:
        assert client.seen == sorted(set(client.seen))
        assert client.pending == {}
    assert asked(server, f"/api/tables/{table}/", cookies[1])["state"]["view"] == clients[1].view
    assert "Traceback" not in server.output()


async def test_bad_frames_over_the_real_line_get_their_codes_and_close_codes(server, evening):
    url = f"{server.url.replace('http', 'ws', 1)}/ws/table/{evening['table']}/"
    headers = {"Cookie": evening["cookies"][1]}

    async def line():
        return await connect(url, origin=server.url, additional_headers=headers, max_size=None)

    async with asyncio.timeout(SECONDS):
        for data, code, close in (
            ("x" * 9000, "too_long", 4413),
            ("x" * (2**14), "too_long", 4413),
            (["x" * 3000] * 3, "too_long", 4413),
            ("x" * (2**14 + 1), None, None),
            (["x" * 3000] * 6, None, None),
            (b"x" * (2**14 + 1), None, None),
        ):
            socket = await line()
            with pytest.raises(ConnectionClosed) as closed:
                await socket.send(data)  # a list: in fragments
                assert json.loads(await socket.recv())["code"] == code
                await socket.recv()
            received = closed.value.rcvd
            assert (received.code if received else None) == close
        socket = await line()
        for data, code in (
            (b"\x00\xff", "binary"),
            ("[" * 3000, "too_deep"),
            ("{}", "unknown_type"),
        ):
            await socket.send(data)
            assert json.loads(await socket.recv())["code"] == code
        await socket.send(json.dumps({"type": "hello", "protocol": 1, "seq": None}))
        assert json.loads(await socket.recv())["type"] == "welcome"
        for origin in ("http://evil.local", server.url.replace("http", "https"), None):
            with pytest.raises(InvalidStatus) as refused:
                await connect(url, origin=origin, additional_headers=headers)
            assert refused.value.response.status_code == 403
    assert "Traceback" not in server.output()
