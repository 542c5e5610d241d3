"""Floods at real servers: control frames, trickling requests, connections without end."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from tests.security.floods.figures import NIGHT, pingers, still_open, trickle
from tests.security.floods.servers import (
    KINDS,
    MORE,
    PING,
    PONG,
    TEXT,
    asked,
    ended,
    frame,
    line,
    opened,
    started,
    told,
)
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(240)]

MEGABYTES = 15
WITHOUT_LIMITS = {"MESSAGES_PER_20S": "0", "MESSAGES_PER_20S_PLAYING": "0"}


@pytest.fixture(scope="module", params=KINDS)
def server(request, tmp_path_factory) -> Iterator[Server]:
    found = started(request.param, tmp_path_factory.mktemp("floods"))
    yield found
    found.stop()


@pytest.fixture(scope="module")
def night(server) -> dict:
    return told(server, NIGHT)


@pytest.mark.parametrize(
    "flood",
    [frame(PING, b"p"), frame(PONG), frame(PING), frame(TEXT, b"{", is_last=False) + frame(MORE, is_last=False) * 300],
    ids=["pings", "pongs", "empty pings", "parts of one message"],
)
def test_a_frame_of_any_kind_counts(server, night, flood):
    """Messages are limited more narrowly; 200 frames in 20 s are more than any browser sends."""
    found = line(server, night["socket"], night["cookie"])
    assert opened(found) == 101
    with suppress(ConnectionError):
        found.sendall(flood if len(flood) > 300 else flood * 250)
    assert ended(found) == 4429
    found.close()


def test_a_browser_that_answers_pings_and_asks_now_and_then_stays(server, night):
    found = line(server, night["socket"], night["cookie"])
    assert opened(found) == 101
    found.sendall((frame(PING, b"p") + frame(PONG)) * 40 + frame(TEXT, b'{"type":"ping","seq":null}') * 10)
    found.settimeout(5)
    data = b""
    while data.count(b'"pong"') < 10:
        data += found.recv(65536)
    assert data.count(b"\x8a\x01p") == 40
    found.close()


def test_sockets_that_ping_and_never_read_cost_little(server):
    found = pingers(server, 20)
    assert found["lines left"] == 0
    assert found["MB at most"] - found["MB before"] <= MEGABYTES


@pytest.mark.day(parts=17, turn=4)
@pytest.mark.parametrize("kind", KINDS)
def test_what_waits_unread_is_bounded_even_where_frames_are_not(kind, tmp_path):
    server = started(kind, tmp_path, **WITHOUT_LIMITS)
    try:
        found = pingers(server, 30)
    finally:
        server.stop()
    assert found["lines left"] == 0
    assert found["MB at most"] - found["MB before"] <= MEGABYTES


@pytest.mark.day(parts=17, turn=9)
def test_connections_that_trickle_do_not_shut_the_house(tmp_path):
    """As the command of figures.py, smaller: of one address, and of all the house takes. Both servers at once."""
    for kind in KINDS:
        (tmp_path / kind).mkdir()
    servers = {kind: started(kind, tmp_path / kind, CONNECTIONS="120") for kind in KINDS}
    try:
        with ThreadPoolExecutor() as both:
            told_of = list(both.map(lambda server: trickle(server, 150, 3), servers.values()))
        for kind, server, found in zip(servers, servers.values(), told_of, strict=True):
            assert found["longest wait of a guest, s"] != float("inf"), kind
            assert found["left"] == 0, kind
            assert asked(server, "/").status == 200, kind
            assert "Traceback" not in server.output(), kind
    finally:
        for server in servers.values():
            server.stop()


@pytest.mark.day(parts=17, turn=14)
@pytest.mark.parametrize("kind", KINDS)
def test_an_address_has_so_many_connections_and_those_that_ask_go_first(kind, tmp_path):
    server = started(kind, tmp_path, CONNECTIONS_PER_ADDRESS="30")
    try:
        night = told(server, NIGHT)
        page = line(server, night["socket"], night["cookie"])
        assert opened(page) == 101
        silent: list[socket.socket] = []
        for _ in range(60):
            silent.append(_silent(server))
            if len(silent) % 10 == 0:
                assert asked(server, "/").status == 200
        time.sleep(0.5)
        assert len(still_open(silent)) <= 29
        assert asked(server, "/").status == 200
        page.sendall(frame(TEXT, b'{"type":"ping","seq":null}'))
        assert re.search(rb'"pong"', page.recv(65536))
        for each in (*silent, page):
            each.close()
    finally:
        server.stop()


def _silent(server: Server) -> socket.socket:
    found = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    found.sendall(b"GET / HTTP/1.1\r\n")
    return found
