"""Order under concurrency: each connection sees every entry once, in order."""

import asyncio
import random
import threading

import pytest

from games.kernel.contract import Illegal
from games.live.rooms import hub
from games.models import Player, Table
from games.services import publication
from games.services.commands import Actor, Request, new_command_id
from games.services.tables import commit
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.live.wire import Wire, connect, in_thread, settled
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player")]


def recorded(table: Table, commands: int) -> list[publication.News]:
    """Carry out commands while nobody listens, and return their news."""
    heard: list[publication.News] = []
    kept, publication._listeners[:] = list(publication._listeners), [heard.append]
    try:
        for _ in range(commands):
            answer(table, next(c for c in choices_at(table) if c.name == "bid"))
    finally:
        publication._listeners[:] = kept
    return heard


def seqs(frames: list[dict]) -> list[int]:
    return [frame["seq"] for frame in frames if frame["type"] == "entry"]


@pytest.mark.parametrize("seed", range(8))
async def test_news_that_comes_out_of_order_twice_or_not_at_all_arrives_in_order(table, players, seed):
    rng = random.Random(seed)
    wire = await connect(table, players[0])
    await wire.join()
    news = await in_thread(recorded, table, 12)
    told = [n for n in news[:-1] if rng.random() < 0.8] + [rng.choice(news), news[-1]]
    rng.shuffle(told)
    for each in told:
        publication.publish(each)
        if rng.random() < 0.5:
            await settled()
    frames = await wire.rest()
    assert seqs(frames) == list(range(2, 14))


async def test_who_joins_in_the_middle_of_play_misses_nothing(table, players):
    wires: list[Wire] = []

    rng = random.Random(5)

    async def come(player: Player) -> None:
        await asyncio.sleep(rng.random() * 0.3)
        wire = await connect(table, player)
        state = await wire.join()
        wire.passed = []
        wire.first = state["seq"]
        wires.append(wire)

    async def play() -> None:
        for _ in range(40):
            await in_thread(bid_once, table)
            await asyncio.sleep(0)

    await asyncio.gather(play(), *(come(players[i % 2]) for i in range(10)))
    for wire in wires:
        frames = await wire.rest()
        assert seqs(frames) == list(range(wire.first + 1, 42))


def bid_once(table: Table) -> None:
    answer(table, next(c for c in choices_at(table) if c.name == "bid"))


async def test_commands_from_many_threads_reach_everybody_once_and_in_order(table, players):
    wires = [await connect(table, players[0]) for _ in range(3)]
    for wire in wires:
        await wire.join()
    threads = [threading.Thread(target=hammer, args=(table.pk, players[0].pk, 10)) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        await asyncio.sleep(0.05)
    for wire in wires:
        frames = await wire.rest()
        assert seqs(frames) == list(range(2, 42))
        assert all("id" in frame for frame in frames if frame["type"] == "entry")


def hammer(table_id: int, host_id: int, times: int) -> None:
    from django.db import connection

    try:
        for _ in range(times):
            told = named(Table.objects.get(pk=table_id), "table.nudge", {"seat": 1})
            request = Request("table.nudge", told, new_command_id())
            submit(table_id, Actor(host_id), request)
    finally:
        connection.close()


async def test_two_commands_for_one_decision_and_one_is_refused(table, players):
    wires = [await connect(table, players[0]) for _ in range(2)]
    states = [await wire.join() for wire in wires]
    basis = states[0]["choices"][0]["basis"]
    for number, wire in enumerate(wires, start=1):
        args = {"number": number}
        await wire.send({"type": "command", "id": f"c-{number}", "name": "bid", "args": args, "basis": basis})
    frames = [frame for wire in wires for frame in await wire.rest()]
    assert seqs(frames) == [2, 2]
    assert [frame["code"] for frame in frames if frame["type"] == "error"] == ["not_open"]


async def test_news_from_a_thread_with_a_context_of_its_own_is_read_all_the_same(table, players):
    """The executor of a request that has ended must not be used by a room's task."""
    wire = await connect(table, players[0])
    await wire.join()
    from asgiref.sync import ThreadSensitiveContext

    async with ThreadSensitiveContext():
        await in_thread(pause, table.pk, players[0].pk)
    assert (await wire.next("entry"))["table"]["status"] == "paused"


def pause(table_id: int, host_id: int) -> None:
    from django.db import connection

    try:
        submit(table_id, Actor(host_id), Request("table.pause", {}, new_command_id()))
    finally:
        connection.close()


async def test_a_room_that_cannot_read_tries_again(table, players, monkeypatch):
    from django.db import OperationalError

    from games.live.rooms import table_room

    monkeypatch.setattr(table_room, "RETRY_SECONDS", 0.01)
    wire = await connect(table, players[0])
    await wire.join()
    room = hub.current().tables[table.pk]
    read, failures = room._read_page, [OperationalError("locked"), OperationalError("locked")]

    async def failing(asked):
        if failures:
            raise failures.pop()
        return await read(asked)

    room._read_page = failing
    await in_thread(pause, table.pk, players[0].pk)
    assert (await wire.next("entry"))["seq"] == 2
    assert failures == []


async def test_an_entry_that_was_never_committed_is_not_waited_for(table, players):
    wire = await connect(table, players[0])
    await wire.join()
    room = hub.current().tables[table.pk]
    room.expect(99)
    await room.caught_up()
    await in_thread(bid_once, table)
    assert (await wire.next("entry"))["seq"] == 2


async def test_a_rolled_back_command_tells_nobody(table, players, monkeypatch):
    wire = await connect(table, players[0])
    state = await wire.join()
    with monkeypatch.context() as patch:
        patch.setattr(commit.sql, "update_tables", lambda *args: 1 / 0)
        await wire.send(
            {"type": "command", "id": "c", "name": "table.nudge", "args": {"seat": 1, "sitter": players[1].pk}}
        )
        assert (await wire.next("error"))["code"] == "failed"
    assert await wire.rest() == []
    assert state["seq"] == (await in_thread(Table.objects.get, pk=table.pk)).seq
    with pytest.raises(Illegal):
        await in_thread(submit, table.pk, Actor(players[0].pk), Request("table.resume", {}, "x"))


async def test_who_comes_while_the_room_has_not_seen_their_seat_yet_gets_it(table, players):
    """The snapshot knows the seat and the room does not: no spectator for good."""
    first = await connect(table, players[0])
    await first.join()
    room = hub.current().tables[table.pk]
    room.table = {**room.table, "seats": room.table["seats"][:1]}
    second = await connect(table, players[1])
    assert (await second.hello())["you"]["seat"] == 1
    (socket,) = [socket for socket in room.sockets if socket.player_id == players[1].pk]
    async with asyncio.timeout(30):
        while socket.seat != 1:
            await asyncio.sleep(0.01)
