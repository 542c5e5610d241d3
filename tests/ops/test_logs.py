"""A played night leaves nobody's name, address, token or session key in the logs."""

import asyncio
import json
import re
import urllib.error
import urllib.request

import pytest
from websockets.asyncio.client import connect

from games.version import version
from tests.live.client import Client
from tests.live.servers.test_socket_server import OPEN_A_TABLE, SECONDS, chooser
from tests.ops.test_serve import House

pytestmark = [pytest.mark.server, pytest.mark.timeout(240)]

NAMES = ["Hildegunst", "Kriemhild", "Oddvarson"]
PROGRAM = OPEN_A_TABLE.replace('["Hanna", "Kari", "Ola"]', repr(NAMES)).replace(
    '{"table":', '{"night": night.public_id, "code": night.code, "table":'
)


def visit(house: House, path: str, cookie: str) -> int:
    request = urllib.request.Request(f"{house.url}{path}", headers={"Cookie": cookie})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


async def bad_frames(house: House, evening: dict) -> None:
    url = f"{house.url.replace('http', 'ws', 1)}/ws/table/{evening['table']}/"
    cookie = {"Cookie": evening["cookies"][0]}
    async with connect(url, origin=house.url, additional_headers=cookie) as line:
        for frame in (b"\x00", "{", f'{{"type": "{NAMES[0]}"}}', json.dumps({"type": "hello"})):
            await line.send(frame)
            await line.recv()


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path, LOG_FORMAT="json", LOG_LEVEL="DEBUG", PUBLIC_URL="")
    yield house
    if house.process.poll() is None:
        house.end()


async def test_the_logs_of_a_played_night_name_nobody(house):
    house.wait_until(house.is_ready)
    evening = json.loads(house.manage("shell", "-v", "0", "-c", PROGRAM).splitlines()[-1])
    cookies = evening["cookies"]
    secret = "Zq3-secret_token"
    paths = [
        f"/night/{evening['night']}/",
        f"/table/{evening['table']}/",
        f"/tv/{evening['night']}/{secret}/",
        f"/j/{evening['night']}/{secret}/",
        f"/join/?code={evening['code']}",
        f"/nowhere/?nickname={NAMES[1]}",
    ]
    async with asyncio.timeout(SECONDS):
        for path in paths:
            await asyncio.to_thread(visit, house, path, cookies[1])
        await bad_frames(house, evening)
        players = [Client(house.url, evening["table"], cookie, chooser(seat)) for seat, cookie in enumerate(cookies)]
        await asyncio.gather(*(player.play() for player in players))
    house.end()
    text = house.logged()
    lines = [json.loads(line) for line in text.splitlines()]
    assert len(lines) > 20
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    keys = [cookie.split("=")[1] for cookie in cookies]
    for private in (*NAMES, *keys, secret, evening["code"], "127.0.0.1"):
        assert private not in text, private
    assert not re.search(r"sessionid=\w", text)


@pytest.mark.parametrize("form", ["", "json"])
def test_a_server_tells_its_version_once_at_the_start_at_every_level(tmp_path, form):
    house = House(tmp_path, LOG_FORMAT=form, LOG_LEVEL="CRITICAL", PUBLIC_URL="")
    house.wait_until(house.is_ready)
    for _ in range(2):
        visit(house, "/", "")
    house.end()
    lines = [line for line in house.logged().splitlines() if "event=started" in line]
    assert len(lines) == 1
    assert f"version={version()}" in lines[0]
