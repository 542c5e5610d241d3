"""The bad Wi-Fi is as it says: late but in order, cut when told; and a move that a phone never saw is told."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.bench.live.bad_network import BadNetwork, Splitter, Weather
from tests.bench.live.phones import Move, Phone, Phones, Sight, within

PHONE = "127.0.2.1"
SHORT = Weather(delay=(0.0, 0.02), held_share=0.2, held_seconds=0.05, cut_every=0)


async def echo(line: ServerConnection) -> None:
    """Say again what is heard."""
    async for text in line:
        await line.send(text)


@asynccontextmanager
async def bad_network(weather: Weather) -> AsyncIterator[BadNetwork]:
    """Open a bad network before a house that says again what it hears."""
    async with serve(echo, "127.0.0.1", 0) as house:
        port = next(iter(house.sockets)).getsockname()[1]
        async with BadNetwork(port, weather) as network:
            yield network


def line_over(network: BadNetwork) -> connect:
    """Return a phone's line."""
    return connect(network.url.replace("http", "ws", 1), local_addr=(PHONE, 0), compression=None)


async def echoed(weather: Weather, texts: list[str], *, is_cut: bool = False) -> tuple[list[Any], BadNetwork]:
    """Send texts over a bad network to one who says them again; return what came back, and the network."""
    async with bad_network(weather) as network, line_over(network) as line:
        for text in texts:
            await line.send(text)
        if is_cut:
            network.cut(PHONE)
        return [await line.recv() for _ in texts], network


def test_frames_come_late_and_in_the_order_in_which_they_were_sent() -> None:
    texts = ["x" * size for size in (1, 125, 126, 65_535, 65_536, 200_000)] + [str(number) for number in range(60)]
    came, network = asyncio.run(echoed(SHORT, texts))
    assert came == texts
    assert network.connections == {PHONE: 1}
    assert network.bytes[PHONE] > 2 * sum(map(len, texts))


def test_a_frame_takes_its_delay_and_some_are_held_back() -> None:
    rng, weather = random.Random(1), Weather()
    taken = [weather.takes(rng) for _ in range(2_000)]
    low, high = weather.delay
    held = [each for each in taken if each > high]
    assert all(low <= each <= high for each in taken if each not in held)
    assert all(low <= each - weather.held_seconds <= high for each in held)
    assert 0.05 < len(held) / len(taken) < 0.15


def test_a_line_that_is_cut_ends_on_both_sides() -> None:
    with pytest.raises(ConnectionClosed):
        asyncio.run(echoed(Weather(delay=(0.05, 0.05), held_share=0, cut_every=0), ["a", "b"], is_cut=True))


def test_each_line_is_cut_once_in_its_span() -> None:
    async def count() -> BadNetwork:
        async with bad_network(Weather(delay=(0, 0), held_share=0, cut_every=0.2)) as network:
            for _ in range(3):
                async with line_over(network) as line:
                    await line.wait_closed()
            return network

    assert asyncio.run(count()).cuts[PHONE] == 3


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_parts_are_whole_however_they_come(step: int) -> None:
    head, frames = (
        b"GET / HTTP/1.1\r\nA: b\r\n\r\n",
        [b"\x81\x02ab", b"\x81\x82mask\0\0", b"\x81\x7e\0\x80" + b"y" * 128],
    )
    stream, split = head + b"".join(frames), Splitter()
    found = [part for at in range(0, len(stream), step) for part in split(stream[at : at + step])]
    assert found == [head, *frames]


def phones(*seen: list[tuple[int, float]]) -> Phones:
    """Return phones at one table, which saw entries at some moments; the first made a move, which is entry 2."""
    world = [{"table": "t", "players": [{"id": n, "cookies": [""]} for n in range(len(seen))], "watchers": []}]
    made = Phones([""], world, 1)
    for phone, each in zip(made.players, seen, strict=True):
        phone.seen = each
    made.players[0].tapped["c"] = 9.0
    made.players[0].journal.acknowledged = {"c": 2, "link:2": 3}
    return made


LOGS = {"t": {"entries": [{"seq": 2, "at": 10.0, "throw": None}, {"seq": 3, "at": 11.0, "throw": {}}]}}


def test_a_move_is_seen_with_its_entry_or_a_later_one() -> None:
    moves = phones([(1, 9.0), (2, 10.5)], [(1, 9.0), (3, 12.0)]).moves(LOGS)
    assert moves == [Move(3.0, False, (Sight(0.5, False), Sight(2.0, False)))]


def test_a_move_that_a_phone_never_saw_is_never_within_any_time() -> None:
    moves = phones([(2, 10.5)], [(1, 9.0)]).moves(LOGS)
    assert moves[0].seconds == math.inf
    assert within([sight.seconds for sight in moves[0].sights], 0.95) == math.inf


@pytest.mark.parametrize(
    ("away", "is_cut"),
    [((8.0, 9.5), False), ((9.0, 10.1), True), ((10.1, 10.3), True), ((10.6, 11.0), False)],
)
def test_a_phone_whose_line_was_away_between_storing_and_sight_is_told_apart(
    away: tuple[float, float], is_cut: bool
) -> None:
    made = phones([(2, 10.5)])
    made.players[0].away = [away]
    assert [sight.is_cut for sight in made.moves(LOGS)[0].sights] == [is_cut]


def test_phones_have_addresses_of_their_own() -> None:
    sources = [phone.source for phone in phones(*[[(1, 1.0)]] * 300).players]
    assert len(set(sources)) == len(sources)
    assert all(left != right for left, right in pairwise(sources))
    assert isinstance(phones([(1, 1.0)]).players[0], Phone)
