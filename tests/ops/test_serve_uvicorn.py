"""The product under uvicorn: an evening by socket and HTTP, as under daphne."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from http.cookiejar import Cookie, CookieJar
from urllib.parse import urlencode

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.live.client import Choose, Client, Frame
from tests.live.servers.test_socket_server import OPEN_A_TABLE, SECONDS, asked, chooser, is_back, reaches
from tests.server import ROOT, Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(240)]


class Uvicorn(Server):
    """The same house, served by uvicorn."""

    def command(self) -> list[str]:
        options = ["--host", "127.0.0.1", "--port", str(self.port), "--no-access-log"]
        options += ["--ws-per-message-deflate", "false"]
        return [sys.executable, "-m", "uvicorn", "games.asgi:application", *options]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Uvicorn(tmp_path_factory.mktemp("uvicorn"))
    server.migrate()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def evening(server) -> dict:
    return json.loads(server.manage("shell", "-v", "0", "-c", OPEN_A_TABLE).splitlines()[-1])


def waiting_at(last: list[int], choose: Choose) -> Choose:
    """Return a player who decides nothing once so many entries are there, while there is a last.

    A stop takes its moment: without it a fast table has played to its end before the server
    is gone.
    """

    def wait(view: Frame, choices: list[Frame]) -> tuple[Frame, Frame] | None:
        if last and choices[0]["basis"] >= last[0]:
            return None
        return choose(view, choices)

    return wait


@pytest.mark.day(parts=17, turn=8)
async def test_a_game_with_a_broken_line_and_a_server_that_restarts(server, evening):
    cookies, table = evening["cookies"], evening["table"]
    last = [12]
    clients = [Client(server.url, table, c, waiting_at(last, chooser(n))) for n, c in enumerate(cookies)]
    async with asyncio.timeout(SECONDS):
        games = [asyncio.create_task(client.play()) for client in clients]
        await reaches(clients[1], 5)
        await clients[1].drop()
        await is_back(clients[1])
        await reaches(clients[0], last[0])
        before = [client.connections for client in clients]
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        for client, lines in zip(clients, before, strict=True):
            await is_back(client, lines + 1)
        last.clear()
        for client in clients:
            await client.wake()
        await asyncio.gather(*games)
    assert len({client.seq for client in clients}) == 1
    assert all(client.connections >= 2 for client in clients)
    for client in clients:
        assert client.seen == sorted(set(client.seen))
    told = asked(server, f"/api/tables/{table}/events/", cookies[0])
    assert told["seq"] == clients[0].seq
    assert "no fault" in server.manage("check_logs")
    assert "Traceback" not in server.output()


class Browser:
    """Forms and pages, as a browser without scripts asks for them."""

    def __init__(self, server: Server, session: str = "") -> None:
        self.server = server
        self.jar = CookieJar()
        if session:
            there = ("127.0.0.1", True, False, "/", True)
            rest = (False, None, True, None, None, {})
            self.jar.set_cookie(Cookie(0, "sessionid", session, None, False, *there, *rest))
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        with self.opener.open(f"{self.server.url}{path}", timeout=20) as page:
            self.at = page.url.removeprefix(self.server.url)
            return page.read().decode()

    def post(self, path: str, **fields: str) -> str:
        token = {"csrfmiddlewaretoken": next(c.value for c in self.jar if c.name == "csrftoken")}
        request = urllib.request.Request(
            f"{self.server.url}{path}",
            data=urlencode({**token, **fields}).encode(),
            headers={"Origin": self.server.url},
        )
        with self.opener.open(request, timeout=20) as page:
            self.at = page.url.removeprefix(self.server.url)
            return page.read().decode()


@pytest.mark.day(parts=17, turn=11)
def test_a_night_is_opened_by_the_pages_forms(server):
    browser = Browser(server)
    assert "csrfmiddlewaretoken" in browser.get("/")
    page = browser.post("/host/", nickname="Hanna", name="Thursday")
    assert re.match(r"^/night/\w+/", browser.at)
    assert "Thursday" in page


def remove(server: Server, table: str, session: str, player: int) -> None:
    """Show a player the door, as the host does on the night's page."""
    browser = Browser(server, session)
    night = re.search(r"/night/(\w+)/", browser.get(f"/table/{table}/"))
    assert night is not None
    browser.post(f"/night/{night.group(1)}/do/remove/", player=str(player))


@pytest.mark.day(parts=17, turn=13)
async def test_who_is_shown_the_door_loses_the_open_socket_and_comes_in_no_more(server, evening):
    table, (host, guest, _) = evening["table"], evening["cookies"]
    url = f"{server.url.replace('http', 'ws', 1)}/ws/table/{table}/"
    async with asyncio.timeout(SECONDS):
        lines = [
            await connect(url, origin=server.url, additional_headers={"Cookie": cookie}) for cookie in (host, guest)
        ]
        for line in lines:
            await line.send(json.dumps({"type": "hello", "protocol": 1, "seq": None}))
        you = json.loads(await lines[1].recv())["you"]
        await asyncio.to_thread(remove, server, table, host.split("=")[1], you["player"])
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await lines[1].recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
        again = await connect(url, origin=server.url, additional_headers={"Cookie": guest})
        await again.send(json.dumps({"type": "hello", "protocol": 1, "seq": None}))
        with pytest.raises(ConnectionClosed) as refused:
            while True:
                await again.recv()
        assert refused.value.rcvd is not None
        assert refused.value.rcvd.code == 4403
        await lines[0].ping()
        await lines[0].close()


@pytest.mark.day(parts=17, turn=1)
async def test_the_clock_starts_with_the_server_and_ends_with_it(server):
    """Nobody has asked for anything since the start, and the bots play all the same."""
    server.stop()
    server.manage("demo")
    counted = "from games.models import LogEntry; print(LogEntry.objects.count())"

    def entries() -> int:
        return int(server.manage("shell", "-v", "0", "-c", counted).splitlines()[-1])

    before = entries()
    server.log = (server.data / "server.log").open("ab")
    server.process = subprocess.Popen(
        server.command(), cwd=ROOT, env=server.environment, stdout=server.log, stderr=server.log
    )
    async with asyncio.timeout(SECONDS):
        while await asyncio.to_thread(entries) == before:
            await asyncio.sleep(0.2)
    server.stop(signal.SIGINT)
    # The tables were given back: the next one need not wait.
    held = "from games.services import processes; print(processes.is_running())"
    assert server.manage("shell", "-v", "0", "-c", held).splitlines()[-1] == "False"
    after = entries()
    assert entries() == after
    server.start()
