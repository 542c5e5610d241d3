"""Compression of frames by uvicorn: the house warns of it once."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from games.live.servers import uvicorn

TOLD = "component=socket event=compressed"


def a_server(*, compresses: bool) -> Any:
    """Return a watched class of sockets, as uvicorn has one for each of its implementations."""

    class Sockets:
        config = SimpleNamespace(ws_per_message_deflate=compresses)

        def connection_made(self, transport: object) -> None:
            """Take a connection."""

        def connection_lost(self, error: Exception | None) -> None:
            """Lose it."""

    uvicorn._watch_socket(Sockets)
    return Sockets


@pytest.mark.parametrize(("compresses", "count"), [(True, 1), (False, 0)])
async def test_the_log_tells_once_that_uvicorn_compresses_frames(
    compresses: bool, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    server = a_server(compresses=compresses)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            server().connection_made(object())
    assert [TOLD in record.getMessage() for record in caplog.records] == [True] * count
