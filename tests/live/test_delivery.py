"""Delivery to a room: a failure at one socket keeps nothing from the others."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from games.live.rooms.delivery import SLICE, Broadcast
from games.live.rooms.outbox import Outbox
from games.live.rooms.sockets import Socket
from games.services.seats.sittings import TableReader


async def _nowhere(message: dict) -> None:
    """Send nothing."""


@pytest.mark.parametrize("count", [3, 3 * SLICE])
async def test_a_delivery_that_fails_for_one_socket_keeps_nothing_from_others_or_from_later(count: int) -> None:
    sockets = [Socket(Outbox(_nowhere), "en", 0.0) for _ in range(count)]
    sockets[0].reader = TableReader(0)
    broadcast, delivered = Broadcast(sockets), Counter[Socket]()
    for faulty in (sockets[0], sockets[count // 2], None):

        def delivery(socket: Socket, faulty: Socket | None = faulty) -> None:
            if socket is faulty:
                raise RuntimeError("a fault of a game")
            delivered[socket] += 1

        broadcast.send(delivery)
        for _ in range(2 * count // SLICE + 4):
            await asyncio.sleep(0)
    assert [delivered[socket] for socket in sockets] == [
        2 if socket in (sockets[0], sockets[count // 2]) else 3 for socket in sockets
    ]
