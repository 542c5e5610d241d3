"""The opening of sockets: a rate for each address, and turns between which everything else goes on."""

from __future__ import annotations

import asyncio

import pytest

from games.live import openings
from games.live.openings import Openings
from games.models import Player, Table
from games.services import rate_limit
from tests.live.servers.test_socket_limits import from_address, joined, players, table  # noqa: F401 (fixtures)
from tests.live.wire import Wire, command, in_thread

pytestmark = pytest.mark.django_db(transaction=True)
PUB, ELSEWHERE = "10.0.0.1", "192.0.2.7"


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an address open three sockets a minute, and a player two."""
    numbers = {"socket": (3, 60), "opening": (2, 60)}
    monkeypatch.setattr(rate_limit, "rate", numbers.__getitem__)


async def stranger(address: str, table: Table) -> bool:  # noqa: F811
    """Tell whether a socket without a session opens."""
    wire = Wire(f"/ws/table/{table.public_id}/", [(b"host", b"pub.local"), (b"origin", b"http://pub.local")])
    wire.line.scope["client"] = [address, 4711]
    return await wire.open()


def test_the_numbers_are_those_of_the_protocol(settings):
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    assert (rates["socket"], rates["opening"]) == ("2400/min", "60/min")


# The rate


def test_an_address_opens_so_many_in_a_minute_and_has_them_again_bit_by_bit(few):
    clock = Clock()
    found = Openings(clock)
    assert [found.take(PUB) for _ in range(5)] == [True, True, True, False, False]
    assert found.take(ELSEWHERE)
    clock.now += 20
    assert [found.take(PUB) for _ in range(2)] == [True, False]
    clock.now += 3600
    assert [found.take(PUB) for _ in range(4)] == [True, True, True, False]


def test_nothing_is_counted_without_an_address_or_a_limit(few, settings):
    found = Openings(Clock())
    assert all(found.take("") for _ in range(9))
    settings.SOCKETS_PER_ADDRESS = 0
    assert all(found.take(PUB) for _ in range(9))


def test_addresses_without_end_are_not_remembered_for_ever(few):
    clock = Clock()
    found = Openings(clock)
    for number in range(openings.MOST_ADDRESSES):
        found.take(f"192.0.2.{number}")
    clock.now += 61
    found.take(PUB)
    assert len(found._left) == 1


async def test_beyond_the_rate_of_their_address_strangers_are_refused_and_guests_come_in(
    few,
    table,  # noqa: F811
    players,  # noqa: F811
):
    assert [await stranger(PUB, table) for _ in range(4)] == [True, True, True, False]
    assert await stranger(ELSEWHERE, table)
    wire = await joined(PUB, table, players[0])
    assert await wire.ask({"type": "ping", "seq": None}, "pong")


async def test_a_guest_opens_so_many_beyond_the_rate_and_takes_nothing_from_another(
    few,
    table,  # noqa: F811
    players,  # noqa: F811
):
    for _ in range(3):
        await stranger(PUB, table)
    for _ in range(2):
        await joined(PUB, table, players[0])
    with pytest.raises(AssertionError):
        await from_address(PUB, table, players[0])
    assert await joined(PUB, table, players[1])


async def test_a_made_up_session_is_nobodys(few, table):  # noqa: F811
    for _ in range(3):
        await stranger(PUB, table)
    headers = [(b"host", b"pub.local"), (b"origin", b"http://pub.local"), (b"cookie", b"sessionid=made-up")]
    wire = Wire(f"/ws/table/{table.public_id}/", headers)
    wire.line.scope["client"] = [PUB, 4711]
    assert not await wire.open()


# The turns


async def test_what_is_not_an_opening_goes_on_between_two_turns():
    found, turns = Openings(asyncio.get_running_loop().time), []

    async def open_one(number: int) -> None:
        await found._turn(PUB)
        turns.append(number)

    waiting = [asyncio.create_task(open_one(number)) for number in range(504)]
    for steps in range(1, 11):  # as a move does on its way through the loop
        await asyncio.sleep(0)
        assert len(turns) <= steps
    await asyncio.gather(*waiting)
    assert turns == list(range(504))


async def test_each_address_has_its_turn_whatever_waits_of_another():
    found, turns = Openings(asyncio.get_running_loop().time), []

    async def open_one(network: str) -> None:
        await found._turn(network)
        turns.append(network)

    waiting = [asyncio.create_task(open_one(network)) for network in (*[PUB] * 50, ELSEWHERE, "")]
    await asyncio.gather(*waiting)
    assert {ELSEWHERE, ""} <= set(turns[:4])


async def test_who_goes_while_waiting_leaves_the_turn_to_the_next():
    found = Openings(asyncio.get_running_loop().time)
    waiting = [asyncio.create_task(found._turn(PUB)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    assert await asyncio.gather(*waiting, return_exceptions=True) != [None] * 3
    assert waiting[2].done() and not waiting[2].cancelled()


async def test_a_move_is_answered_while_sockets_wait_for_their_turn(
    table,  # noqa: F811
    players,  # noqa: F811
    monkeypatch,
):
    wire = await joined(ELSEWHERE, table, await in_thread(Player.objects.get, pk=players[0].pk))
    monkeypatch.setattr(openings, "APART", 3600)
    late = [asyncio.create_task(stranger(PUB, table)) for _ in range(20)]
    await asyncio.sleep(0)
    await command(wire, "table.nudge", {"seat": 1})
    assert (await wire.any())["type"] in {"entry", "error"}
    assert sum(each.done() for each in late) <= 1
    for each in late:
        each.cancel()
    await asyncio.gather(*late, return_exceptions=True)
