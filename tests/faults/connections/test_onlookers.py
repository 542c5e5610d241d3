"""A table that hundreds look on: the seats hear first, and everybody hears all of it once and in order."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from games.live.rooms.delivery import SLICE, Broadcast
from games.live.rooms.outbox import Outbox
from games.live.rooms.sockets import Socket
from games.services.seats.sittings import TableReader


async def _nowhere(message: dict) -> None:
    pass


def onlooker(seat: int | None = None) -> Socket:
    socket = Socket(Outbox(_nowhere), "en", 0.0)
    socket.reader = TableReader(seat)
    return socket


class Heard:
    """Who has heard what."""

    def __init__(self) -> None:
        self.by: dict[Socket, list[int]] = {}

    def delivery(self, number: int) -> Callable[[Socket], None]:
        return lambda socket: self.by.setdefault(socket, []).append(number)


async def until_all(heard: Heard, sockets: list[Socket], last: int) -> None:
    async with asyncio.timeout(20):
        while any(not heard.by.get(socket) or heard.by[socket][-1] != last for socket in sockets):
            await asyncio.sleep(0)


async def test_seats_are_told_before_those_who_only_look_on():
    seats, others = [onlooker(0), onlooker(1)], [onlooker() for _ in range(10 * SLICE)]
    heard = Heard()
    broadcast = Broadcast({*others, *seats})
    broadcast.send(heard.delivery(1))
    assert set(heard.by) == set(seats)
    turns = 0
    while len(heard.by) < len(seats) + len(others):
        before = len(heard.by)
        await asyncio.sleep(0)
        turns += 1
        assert len(heard.by) - before <= SLICE
    assert turns >= 10


async def test_in_a_small_room_all_are_told_at_once():
    everybody = {onlooker() for _ in range(SLICE)}
    heard = Heard()
    Broadcast(everybody).send(heard.delivery(1))
    assert set(heard.by) == everybody


@pytest.mark.parametrize("seed", range(10))
async def test_everybody_hears_all_of_it_once_and_in_order_whoever_comes_and_goes(seed):
    rng, heard, sockets = random.Random(seed), Heard(), {onlooker(0)}
    broadcast, connected = Broadcast(sockets), {}
    for number in range(1, 200):
        for _ in range(rng.randrange(8)):
            new = onlooker()
            new.delivered, connected[new] = broadcast.last, broadcast.last
            sockets.add(new)
        if rng.random() < 0.3 and len(sockets) > 1:
            sockets.discard(next(socket for socket in sockets if socket.seat is None))
        broadcast.send(heard.delivery(number))
        if rng.random() < 0.2:
            asked = rng.choice(sorted(sockets, key=id))
            broadcast.catch_up(asked)
            assert heard.by[asked][-1] == number
        if rng.random() < 0.3:
            await asyncio.sleep(0)
        if rng.random() < 0.05:
            broadcast.catch_up_all()
    await until_all(heard, list(sockets), 199)
    for socket in sockets:
        assert heard.by[socket] == list(range(connected.get(socket, 0) + 1, 200))
    async with asyncio.timeout(20):
        while broadcast._kept:
            await asyncio.sleep(0)


async def test_what_everybody_has_heard_is_not_kept():
    sockets = {onlooker() for _ in range(3 * SLICE)}
    heard, broadcast = Heard(), Broadcast(sockets)
    for number in range(50):
        broadcast.send(heard.delivery(number))
        await until_all(heard, list(sockets), number)
        await asyncio.sleep(0)
    assert len(broadcast._kept) <= 1
