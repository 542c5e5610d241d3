"""Coming back: a tail or the whole state, nothing lost and nothing twice (§1, §2, §4)."""

import pytest
from django.contrib.sessions.models import Session

from games.kernel.contract import Illegal
from games.models import Player, Table
from games.services import publication, server_time
from games.services.commands import Actor, Request, new_command_id
from games.services.logs import log_views
from games.services.nights import membership
from games.services.tables import access
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.live.wire import Wire, connect, in_thread, take
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player")]


def play_on(table: Table, commands: int) -> None:
    """Have the seats bid, one command after the other."""
    for _ in range(commands):
        answer(table, next(c for c in choices_at(table) if c.name == "bid"))


def as_host(table: Table, name: str, **args: object) -> None:
    table = Table.objects.select_related("night").get(pk=table.pk)
    submit(table.pk, Actor(table.night.host_id), Request(name, named(table, name, args), new_command_id()))


async def test_a_newcomer_gets_the_whole_truth(table, players):
    await in_thread(play_on, table, 3)
    wire = await connect(table, players[1])
    state = await wire.join()
    assert state["seq"] == 4
    assert [c["name"] for c in state["choices"]] == ["bid"]
    welcome = wire.welcome
    assert welcome["protocol"] == 1
    assert welcome["you"]["seat"] == 1
    assert welcome["chat"] == []
    assert welcome["table"]["seats"][0]["name"] == "Hanna"
    assert welcome["table"]["status"] == "playing"
    assert await wire.rest() == []


async def test_who_comes_back_gets_what_they_missed_and_a_view_with_the_last(table, players):
    await in_thread(play_on, table, 6)
    wire = await connect(table, players[1])
    await wire.hello(3)
    entries = [await wire.next("entry") for _ in range(4)]
    assert [entry["seq"] for entry in entries] == [4, 5, 6, 7]
    assert ["view" in entry for entry in entries] == [False, False, False, True]
    assert entries[-1]["choices"][0]["name"] == "bid"
    sealed = [e for entry in entries for e in entry["events"] if e["type"] == "bid_sealed"]
    assert {event["data"]["seat"] for event in sealed} == {1}
    assert {"type": "hidden"} in [e for entry in entries for e in entry["events"]]
    assert await wire.rest() == []


async def test_who_has_seen_it_all_gets_only_the_welcome(table, players):
    await in_thread(play_on, table, 2)
    wire = await connect(table, players[0])
    await wire.hello(3)
    assert await wire.rest() == []


async def test_who_comes_back_is_told_the_time_left_at_that_moment(start_table, host, monkeypatch):
    """Also who has missed nothing, and whose phone slept through a while of it."""
    moment = [1_800_000_000_000]
    monkeypatch.setattr(server_time, "now_ms", lambda: moment[0])
    table = await in_thread(start_table, "dummygame", "dicey", seats=2)
    wire = await connect(table, host)
    assert (await wire.join())["clocks"] == {"0": 20_000, "1": 20_000}
    moment[0] += 4_500
    assert (await wire.ask({"type": "ping", "seq": 1}, "pong"))["clocks"] == {"0": 15_500, "1": 15_500}
    moment[0] += 4_500
    again = await connect(table, host)
    assert (await again.hello(1))["clocks"] == {"0": 11_000, "1": 11_000}
    await in_thread(as_host, table, "table.pause")
    moment[0] += 4_500
    assert (await again.ask({"type": "ping", "seq": 2}, "pong"))["clocks"] == {"0": 11_000, "1": 11_000}


async def test_after_too_long_an_absence_the_state_comes_instead(table, players):
    for _ in range(log_views.LONGEST_TAIL + 1):
        await in_thread(as_host, table, "table.nudge", seat=1)
    wire = await connect(table, players[0])
    await wire.hello(1)
    assert (await wire.any())["type"] == "state"
    await wire.hello(2)
    tail = [await wire.next("entry") for _ in range(log_views.LONGEST_TAIL)]
    assert tail[-1]["seq"] == log_views.LONGEST_TAIL + 2
    assert await wire.rest() == []


async def test_a_seq_from_the_future_gets_the_state(table, players):
    wire = await connect(table, players[0])
    await wire.hello(99)
    assert (await wire.any())["seq"] == 1


async def test_who_has_another_seat_now_gets_no_tail_of_the_old_one(table, players, make_player):
    guest = await in_thread(make_player, "Guest")
    night = await in_thread(lambda: table.night)
    await in_thread(membership.join, night, guest)
    await in_thread(play_on, table, 1)
    await in_thread(as_host, table, "table.kick", seat=1)
    await in_thread(as_host, table, "table.substitute", seat=1, player=guest.pk)
    wire = await connect(table, guest)
    assert (await wire.hello(1))["you"]["seat"] == 1
    assert (await wire.any())["type"] == "state"
    kicked = await connect(table, players[1])
    assert (await kicked.hello(1))["you"]["seat"] is None
    entries = [await kicked.next("entry") for _ in range(3)]
    assert entries[-1]["choices"] == []


async def test_a_lost_push_is_made_up_for_at_the_next_ping(table, players, monkeypatch):
    wire = await connect(table, players[0])
    await wire.join()
    with monkeypatch.context() as patch:
        patch.setattr(publication, "_listeners", [])
        await in_thread(play_on, table, 3)
    assert (await wire.ask({"type": "ping", "seq": 1}, "pong"))["seq"] == 4
    assert [frame["seq"] for frame in wire.passed] == [2, 3, 4]
    assert "view" in wire.passed[-1]


async def test_a_lost_push_is_made_up_for_by_the_next_entry(table, players, monkeypatch):
    wire = await connect(table, players[0])
    await wire.join()
    with monkeypatch.context() as patch:
        patch.setattr(publication, "_listeners", [])
        await in_thread(play_on, table, 2)
    await in_thread(play_on, table, 1)
    entries = [await wire.next("entry") for _ in range(3)]
    assert [entry["seq"] for entry in entries] == [2, 3, 4]


async def test_a_browser_that_says_it_missed_something_gets_it_again(table, players):
    wire = await connect(table, players[0])
    await wire.join()
    await in_thread(play_on, table, 4)
    for seq in range(2, 6):
        assert (await wire.next("entry"))["seq"] == seq
    await wire.ask({"type": "ping", "seq": 3}, "pong")
    assert [frame["seq"] for frame in wire.passed] == [4, 5]
    assert await wire.rest() == []


async def test_hello_may_be_said_again(table, players):
    wire = await connect(table, players[0])
    await wire.join()
    await in_thread(play_on, table, 1)
    await wire.next("entry")
    await wire.hello(1)
    assert (await wire.next("entry"))["seq"] == 2
    await in_thread(play_on, table, 1)
    assert (await wire.next("entry"))["seq"] == 3
    assert await wire.rest() == []


async def test_a_ping_tells_whom_nobody_told_that_the_right_has_ended(table, players, night, host, monkeypatch):
    wire = await connect(table, players[1])
    await wire.join()
    with monkeypatch.context() as patch:
        patch.setattr(publication, "_listeners", [])
        await in_thread(membership.remove, night, host, players[1].pk)
    await wire.send({"type": "ping", "seq": 1})
    assert await wire.closed() == 4403
    assert wire.passed[-1]["type"] == "bye"
    with pytest.raises(Illegal, match="removed"):
        await in_thread(access.access, table.public_id, players[1].pk)


async def test_a_table_that_has_not_started_has_no_view(open_table, host):
    table = await in_thread(open_table, "dummygame", "quick", seats=2)
    wire = await connect(table, host)
    state = await wire.join()
    assert state == {"type": "state", "seq": 0, "view": None, "choices": [], "clocks": {}}
    assert wire.welcome["table"]["status"] == "lobby"


async def test_a_whole_game_arrives_entry_by_entry(start_table, host):
    table = await in_thread(start_table, "dummygame", "quick", seats=2)
    second = await in_thread(lambda: table.seats.get(index=1).player)
    wires = [await connect(table, host), await connect(table, second)]
    now = [await wire.join() for wire in wires]
    while not now[0]["view"]["over"]:
        mover = next(i for i, state in enumerate(now) if has_bid(state))
        await wires[mover].send(take(now[mover], "bid"))
        now = [await step(wire) for wire in wires]
    assert now[0]["table"]["status"] == "finished"
    assert now[0]["events"][-1]["type"] == "table.dice_revealed"


def has_bid(state: dict) -> bool:
    return any(choice["name"] == "bid" for choice in state["choices"])


async def step(wire: Wire) -> dict:
    entry = await wire.next("entry")
    assert "view" in entry
    return entry


async def test_a_session_may_get_another_key_while_the_line_is_open(table, players):
    wire = await connect(table, players[0])
    await wire.join()
    await in_thread(Session.objects.all().delete)
    assert (await wire.hello(1))["you"]["seat"] == 0
