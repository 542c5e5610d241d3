"""What happens at a table while a connection's snapshot is read: it is told there too, once, and to nobody else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from django.db import OperationalError

from games.live.consumers import NightConsumer
from games.live.rooms import hub
from games.models import Player, Table
from games.services.chat import chat
from games.services.commands import Actor, Request, new_command_id
from games.services.logs import log_views
from games.services.nights import membership
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.live.wire import Wire, connect, in_thread, settled
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(kept_table) -> Table:
    return kept_table


@pytest.fixture
def guest(table) -> Player:
    return table.seats.get(index=1).player


def at_the_next_snapshot(monkeypatch: pytest.MonkeyPatch, moment: str, act: Callable[[], Awaitable[None]]) -> None:
    """Act while a connection waits for the next snapshot: before it is read, or between its reading and its telling."""
    snapshots = hub.current().snapshots
    read = snapshots.ask

    async def ask(wanted: object) -> object:
        monkeypatch.setattr(snapshots, "ask", read)
        found = await read(wanted) if moment == "after" else None
        await act()
        return found or await read(wanted)

    monkeypatch.setattr(snapshots, "ask", ask)


async def commanded(table: Table, by: Player, name: str, args: dict | None = None, command_id: str = "") -> None:
    """Carry out a command of the house, and let the room deliver its entry."""
    told = await in_thread(named, table, name, args or {})
    request = Request(name, told, command_id or new_command_id())
    receipt = await in_thread(submit, table.pk, Actor(by.pk), request)
    room = hub.current().tables[table.pk]
    while room.seq < receipt.seq:
        await settled()


async def all_of(wire: Wire) -> list[dict]:
    """Return what comes before the answer to a ping, dots too."""
    await wire.send({"type": "ping", "seq": None})
    frames = []
    while (frame := await wire.raw())["type"] != "pong":
        frames.append(frame)
    return frames


async def test_a_command_that_is_accepted_while_its_device_is_handed_on_is_answered(table, host, monkeypatch):
    wire = await connect(table, host)
    await wire.join()
    at_the_next_snapshot(monkeypatch, "before", lambda: commanded(table, host, "table.nudge", {"seat": 1}, "mine"))
    await wire.send({"type": "hand", "seat": 2})
    assert (await wire.next("state"))["seq"] == 2
    assert [(frame["seq"], frame["id"]) for frame in await wire.rest() if "id" in frame] == [(2, "mine")]


async def test_a_dot_that_changes_while_a_device_is_handed_on_is_told_there(table, host, guest, monkeypatch):
    wire = await connect(table, host)
    await wire.join()
    room = hub.current().tables[table.pk]
    room.look_round(room.presence.due)
    others: list[Wire] = []

    async def come() -> None:
        others.append(await connect(table, guest))
        await others[0].join()
        assert room.look_round(hub.current().loop.time())

    at_the_next_snapshot(monkeypatch, "before", come)
    await wire.send({"type": "hand", "seat": 2})
    dots = [frame["presence"]["1"] for frame in await all_of(wire) if frame["type"] == "presence"]
    assert dots[-1:] == ["here"]


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_line_of_chat_that_comes_during_a_welcome_is_told_once(table, host, guest, monkeypatch, moment):
    wire = await connect(table, host)

    async def say() -> None:
        await in_thread(chat.say, table.pk, guest.pk, "Prost")
        await settled()

    at_the_next_snapshot(monkeypatch, moment, say)
    await wire.join()
    shown = [message["text"] for message in wire.welcome["chat"]]
    shown += [frame["message"]["text"] for frame in await wire.rest() if frame["type"] == "chat"]
    assert shown == ["Prost"]


@pytest.mark.parametrize("asks", [{"type": "ping", "seq": 0}, {"type": "hand", "seat": 1}])
async def test_nothing_of_another_seat_comes_before_its_welcome(table, host, guest, monkeypatch, asks):
    wire = await connect(table, guest)
    await wire.join()

    async def change_places() -> None:
        await commanded(table, host, "table.kick", {"seat": 1})
        await commanded(table, host, "table.kick", {"seat": 2})
        await commanded(table, host, "table.substitute", {"seat": 2, "player": guest.pk})

    at_the_next_snapshot(monkeypatch, "before", change_places)
    await wire.send(asks)
    frames = await wire.rest()
    kinds = [frame["type"] for frame in frames if frame["type"] in ("welcome", "state")]
    assert kinds[:2] == ["welcome", "state"]
    (welcome,) = [frame for frame in frames if frame["type"] == "welcome"]
    assert welcome["you"]["seat"] == 2
    states = [frame for frame in frames if frame["type"] == "state"]
    assert {choice["seat"] for choice in states[-1]["choices"]} == {2}


async def test_who_sits_down_again_is_shown_nothing_of_who_sat_there_meanwhile(
    table, host, guest, night, make_player, monkeypatch
):
    other = await in_thread(make_player, "Otto")
    await in_thread(membership.join, night, other)
    wire = await connect(table, guest)
    await wire.join()

    def bids() -> None:
        answer(table, next(each for each in choices_at(table) if each.name == "bid" and each.seat == 1))

    async def come_and_go() -> None:
        await commanded(table, host, "table.substitute", {"seat": 1, "player": other.pk})
        await commanded(table, other, "table.accept")
        await in_thread(bids)
        await commanded(table, host, "table.substitute", {"seat": 1, "player": guest.pk})
        await commanded(table, guest, "table.accept")

    at_the_next_snapshot(monkeypatch, "after", come_and_go)
    await wire.send({"type": "ping", "seq": 0})
    await wire.next("welcome")
    assert [frame["choices"] for frame in wire.passed if frame.get("seq") == 3] == [[]]
    assert {choice["seat"] for choice in (await wire.next("state"))["choices"]} == {1}


async def test_chat_that_was_kept_while_no_state_could_be_read_is_told_after_the_next_hand_over(
    table, host, monkeypatch
):
    wire = await connect(table, host)
    await wire.join()

    async def fail() -> None:
        await in_thread(chat.say, table.pk, host.pk, "Prost")
        raise OperationalError("away")

    at_the_next_snapshot(monkeypatch, "before", fail)
    await wire.send({"type": "hand", "seat": None})
    assert (await wire.next("error"))["code"] == "busy"
    await wire.send({"type": "hand", "seat": 2})
    said = [frame["message"]["text"] for frame in await wire.rest() if frame["type"] == "chat"]
    assert said == ["Prost"]


async def test_a_hello_that_the_database_does_not_answer_closes_the_line_so_that_the_page_comes_back(
    table, host, monkeypatch
):
    wire = await connect(table, host)

    async def fail() -> None:
        raise OperationalError("away")

    at_the_next_snapshot(monkeypatch, "before", fail)
    await wire.send({"type": "hello", "protocol": 1, "seq": None})
    assert await wire.closed() == 4450
    assert [(frame["type"], frame["code"]) for frame in wire.passed] == [("error", "busy")]
    assert (await (await connect(table, host)).join())["seq"] == 1


async def test_a_nights_page_that_the_database_does_not_answer_comes_back(table, night, host, monkeypatch):
    def fail(_consumer: object) -> None:
        raise OperationalError("away")

    with monkeypatch.context() as away:
        away.setattr(NightConsumer, "_right", fail)
        wire = await connect(night, host)
        assert await wire.closed() == 4450
    again = await connect(night, host)
    assert (await again.ask({"type": "ping", "seq": None}, "pong"))["seq"] is None
    assert night.pk in hub.current().nights


async def test_who_says_hello_again_while_a_snapshot_is_on_its_way_stays_in_the_tables_room(
    table, host, guest, monkeypatch
):
    wire, other = await connect(table, host), await connect(table, guest)
    await wire.join()
    (socket,) = hub.current().tables[table.pk].sockets

    async def come_and_go() -> None:
        await wire.send({"type": "hello", "protocol": 1, "seq": None})
        await settled()
        await other.join()
        await other.leave()

    at_the_next_snapshot(monkeypatch, "before", come_and_go)
    socket.resync()
    for _ in range(2):
        await wire.next("welcome")
        await wire.next("state")
    told = await in_thread(named, table, "table.nudge", {"seat": 1})
    await in_thread(submit, table.pk, Actor(host.pk), Request("table.nudge", told, "heard"))
    assert (await wire.next("entry"))["id"] == "heard"


async def test_who_has_not_been_welcomed_to_a_new_seat_when_the_line_breaks_gets_its_state(table, host, guest):
    wire = await connect(table, guest)
    await wire.join()
    for name, args in (("kick", {"seat": 1}), ("kick", {"seat": 2}), ("substitute", {"seat": 2, "player": guest.pk})):
        await commanded(table, host, f"table.{name}", args)
    again = await connect(table, guest)
    assert (await again.hello(4))["you"]["seat"] == 2
    states = [frame for frame in await again.rest() if frame["type"] == "state"]
    assert [{choice["seat"] for choice in state["choices"]} for state in states] == [{2}]


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_table_that_pauses_while_a_device_is_handed_on_is_told_as_paused(table, host, monkeypatch, moment):
    wire = await connect(table, host)
    await wire.join()
    at_the_next_snapshot(monkeypatch, moment, lambda: commanded(table, host, "table.pause"))
    await wire.send({"type": "hand", "seat": 2})
    told = [frame["table"]["status"] for frame in await wire.rest() if "table" in frame]
    assert told == ["paused"], "once, and not as it was"


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_seat_that_one_keeps_no_more_when_its_state_comes_is_told(table, host, monkeypatch, moment):
    wire = await connect(table, host)
    await wire.join()
    at_the_next_snapshot(monkeypatch, moment, lambda: commanded(table, host, "table.kick", {"seat": 2}))
    await wire.send({"type": "hand", "seat": 2})
    assert "keeps" not in (await wire.next("welcome"))["you"]
    state = await wire.next("state")
    assert (state["view"]["die"], state["choices"]) == (None, [])


def answers(frames: list[dict]) -> list[tuple[int, str]]:
    """Return the answers among frames: entries and refusals that name a command."""
    return [(frame.get("seq", 0), frame["id"]) for frame in frames if "id" in frame]


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("anew", ["seat", "hello", "house"])
async def test_a_command_that_is_accepted_while_its_line_is_welcomed_anew_is_answered_once(
    table, host, monkeypatch, moment, anew
):
    wire = await connect(table, host)
    await wire.join()
    (socket,) = hub.current().tables[table.pk].sockets
    accepted: list[int] = []
    nudging = await in_thread(named, table, "table.nudge", {"seat": 1})

    async def accept() -> None:
        nudge = Request("table.nudge", nudging, "mine")
        accepted.append((await in_thread(submit, table.pk, Actor(host.pk), nudge)).seq)

    if anew == "seat":
        await commanded(table, host, "table.kick", {"seat": 0})
        await wire.rest()
    at_the_next_snapshot(monkeypatch, moment, accept)
    if anew == "hello":
        await wire.send({"type": "hello", "protocol": 1, "seq": None})
    elif anew == "seat":
        sit_again = Request("table.substitute", {"seat": 0, "sitter": None, "player": host.pk}, "again")
        await in_thread(submit, table.pk, Actor(host.pk), sit_again)
    else:
        socket.resync()
    await wire.next("welcome")
    told = answers([*wire.passed, *await wire.rest()])
    assert [seq for seq, id_ in told if id_ == "mine"] == accepted


def table_seq(table: Table) -> int:
    """Return the number of the table's last entry, as its room has delivered it."""
    return hub.current().tables[table.pk].seq or 0


async def test_a_command_sent_while_its_line_is_welcomed_anew_is_answered_once(table, host, monkeypatch):
    wire = await connect(table, host)
    await wire.join()
    (socket,) = hub.current().tables[table.pk].sockets
    nudging = await in_thread(named, table, "table.nudge", {"seat": 1})

    async def send() -> None:
        for name, id_ in (("table.nudge", "good"), ("table.resume", "refused"), ("table.nudge", "good too")):
            await wire.send({"type": "command", "id": id_, "name": name, "args": nudging})
        await settled()

    at_the_next_snapshot(monkeypatch, "before", send)
    socket.resync()
    await wire.next("welcome")
    assert sorted(id_ for _, id_ in answers(await wire.rest())) == ["good", "good too", "refused"]


async def test_a_command_among_more_entries_than_a_line_is_sent_is_answered_all_the_same(table, host, monkeypatch):
    monkeypatch.setattr(log_views, "LONGEST_TAIL", 2)
    wire = await connect(table, host)
    await wire.join()
    (socket,) = hub.current().tables[table.pk].sockets
    nudging = await in_thread(named, table, "table.nudge", {"seat": 1})

    async def many() -> None:
        await wire.send({"type": "command", "id": "mine", "name": "table.nudge", "args": nudging})
        while table_seq(table) < 2:
            await settled()
        for number in range(4):
            await commanded(table, host, "table.nudge", {"seat": 1}, f"more {number}")

    at_the_next_snapshot(monkeypatch, "before", many)
    socket.resync()
    await wire.next("welcome")
    assert [each for each in answers(await wire.rest()) if each[1] == "mine"] == [(2, "mine")]
