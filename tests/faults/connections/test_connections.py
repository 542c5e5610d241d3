"""Connections to PostgreSQL: few, shared by the pages, and moves have their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.connections.twentyfold import get, load, opened
from tests.faults.houses import databases
from tests.live.client import Client
from tests.live.servers.test_socket_server import chooser, reaches
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.scaled, pytest.mark.timeout(240)]
PAGES = 4
OWN = 4
"""Sockets, writer, clock, and the probe of /readyz."""


@pytest.fixture
def database() -> Iterator[databases.Database]:
    with databases.fresh() as made:
        yield made


@pytest.fixture
def server(tmp_path: Path, database: databases.Database) -> Iterator[Server]:
    server = Server(tmp_path, DATABASE_URL=database.url, DATABASE_POOL=str(PAGES))
    server.migrate()
    server.start()
    yield server
    server.stop()


@pytest.mark.day(parts=17, turn=7)
def test_one_guest_who_loads_a_page_twentyfold_gets_it_and_locks_nobody_out(server, database):
    # With a connection for each page, which were not enough, most would be told 500. The shell's
    # own connection comes on top.
    database.sql(f"ALTER ROLE {database.name} CONNECTION LIMIT {PAGES + OWN + 1}")
    answers, most = load(server, database, 60, 20)
    assert answers == {200: 60}
    assert most <= PAGES + OWN


@pytest.mark.day(parts=17, turn=7)
async def test_moves_go_on_while_all_places_of_pages_are_taken(server, database):
    import psycopg

    table, cookies = opened(server)
    clients = [Client(server.url, table, cookie, chooser(seat)) for seat, cookie in enumerate(cookies)]
    with ThreadPoolExecutor(12) as guests, psycopg.connect(database.staff) as line:
        # Only this page reads it, and waits until the lock is gone.
        line.execute("LOCK TABLE games_gamepolicy IN ACCESS EXCLUSIVE MODE")
        pages = [guests.submit(get, server, "/house-rules/", cookies[0]) for _ in range(12)]
        async with asyncio.timeout(60):
            while database.sql("SELECT count(*) FROM pg_locks WHERE NOT granted")[0][0] < PAGES:
                await asyncio.sleep(0.05)
            games = [asyncio.create_task(client.play()) for client in clients]
            await reaches(clients[0], 8)
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        line.rollback()
        statuses = [await asyncio.wrap_future(page) for page in pages]
    assert {status for status, _ in statuses} <= {200, 503}
    assert [status for status, _ in statuses].count(200) >= PAGES


@pytest.mark.day(parts=17, turn=7)
async def test_a_database_without_room_is_told_with_a_sentence_by_page_api_and_socket(server, database):
    from websockets.asyncio.client import connect

    table, cookies = opened(server)
    assert (await asyncio.to_thread(get, server, f"/table/{table}/", cookies[0]))[0] == 200
    others = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{database.name}'"
    database.sql(f"ALTER ROLE {database.name} CONNECTION LIMIT 0", others)
    status, page = await asyncio.to_thread(get, server, f"/table/{table}/", cookies[0])
    assert (status, "please try again in a moment" in page) == (503, True)
    assert "versuch" in (await asyncio.to_thread(get, server, f"/table/{table}/", cookies[0], "de"))[1]
    status, answer = await asyncio.to_thread(get, server, f"/api/tables/{table}/state/", cookies[0])
    assert (status, json.loads(answer)["code"]) == (503, "busy")
    url = f"{server.url.replace('http', 'ws', 1)}/ws/table/{table}/"
    async with connect(url, origin=server.url, additional_headers={"Cookie": cookies[0]}) as line, asyncio.timeout(20):
        await line.send(json.dumps({"type": "hello", "protocol": 1, "seq": None}))
        told = json.loads(await line.recv())
        assert (told["type"], told["code"]) == ("error", "busy")
        assert told["message"]
    status, _ = await asyncio.to_thread(get, server, "/readyz", "")
    assert status == 503
    database.sql(f"ALTER ROLE {database.name} CONNECTION LIMIT -1")
    # It is all as it was, without a restart.
    assert (await asyncio.to_thread(get, server, f"/table/{table}/", cookies[0]))[0] == 200
