"""Joining and leaving over the socket: docs/protocol.md §6."""

from __future__ import annotations

import pytest

from games import plugin
from games.models import Player, Table
from games.services.commands import HOUSE, Request, new_command_id
from games.services.nights import membership
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.live.wire import Wire, command, connect, in_thread, take

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player")]


def next_set(table: Table) -> None:
    """Let everybody bid until the set is over."""
    while not table.results.exists():
        answer(table, next(c for c in choices_at(table) if c.required))


async def refused(wire: Wire, args: dict[str, object]) -> str:
    await command(wire, "table.join", args, command_id="no")
    return str((await wire.next("error"))["code"])


async def test_a_spectator_joins_and_has_a_seats_view_on_the_same_line(table, players, guest):
    late = await in_thread(guest)
    kari, wire = await connect(table, players[0]), await connect(table, late)
    assert "joins" not in await kari.join()
    state = await wire.join()
    assert (state["joins"], state["view"]["bid"], wire.welcome["you"]["seat"]) == (True, None, None)
    await command(wire, "table.join", {}, command_id="mine")
    entry = await wire.next("entry")
    assert (entry["id"], [e["type"] for e in entry["events"]]) == (
        "mine",
        ["table.joined", "seat_joined"],
    )
    assert entry["table"]["seats"][2]["player"] == late.pk
    assert (await wire.next("welcome"))["you"]["seat"] == 2
    state = await wire.next("state")
    assert "joins" not in state
    assert [seat["in"] for seat in state["view"]["seats"]] == [True, True, False]
    shown = await kari.next("entry")
    assert [seat["name"] for seat in shown["table"]["seats"]] == ["Hanna", "Guest 1", "Late"]
    await in_thread(next_set, table)
    entry = await wire.next("entry")
    while not entry["choices"]:
        entry = await wire.next("entry")
    own = await wire.ask(take(entry, "bid", 2), "entry")
    assert own["events"][0]["data"] == {"seat": 2, "number": 3}
    assert own["view"]["bid"] == 3


async def test_who_leaves_at_once_watches_and_comes_back_on_the_same_line(table, players, guest, monkeypatch):
    monkeypatch.setattr(type(plugin.game("dummygame")), "leaving", plugin.LEAVING_AT_ONCE)
    late = await in_thread(guest)
    wire, other = await connect(table, players[1]), await connect(table, late)
    await other.join()
    await other.ask({"type": "command", "id": "j", "name": "table.join", "args": {}}, "state")
    await wire.join()
    await in_thread(next_set, table)
    await command(wire, "table.leave", {}, command_id="bye")
    while (entry := await wire.next("entry")).get("id") != "bye":
        pass
    assert entry["choices"] == []
    assert entry["table"]["seats"][1] | {"player": None, "gone": True} == entry["table"]["seats"][1]
    assert (await wire.next("welcome"))["you"]["seat"] is None
    assert (await wire.next("state"))["joins"] is True
    await command(wire, "table.join", {}, command_id="back")
    assert (await wire.next("entry"))["id"] == "back"
    assert (await wire.next("welcome"))["you"]["seat"] == 1


async def test_refusals_say_why(table, players, night, guest, start_table):
    wire = await connect(table, players[1])
    await wire.join()
    assert await refused(wire, {}) == "seated"
    assert await refused(wire, {"bot": "low"}) == "not_host"
    closed = await in_thread(start_table, "dummygame", "quick", seats=2)
    late = await in_thread(guest)
    watcher = await connect(closed, late)
    assert (await watcher.join())["joins"] is False
    assert await refused(watcher, {}) == "no_newcomers"
    screen = await connect(closed, tv=(night,))
    await screen.join()
    assert await refused(screen, {}) == "not_seated"


async def test_a_seat_that_the_clock_gives_up_is_told_like_any_other(table, players, guest):
    """The rules let somebody go: the house frees the seat and welcomes them as a spectator."""
    late = await in_thread(guest)
    other, wire = await connect(table, late), await connect(table, players[1])
    await other.join()
    await other.ask({"type": "command", "id": "j", "name": "table.join", "args": {}}, "state")
    await in_thread(next_set, table)
    await wire.join()
    request = Request("leave", {"seat": 1}, new_command_id())
    await in_thread(submit, table.pk, HOUSE, request)
    entry = await wire.next("entry")
    assert [e["type"] for e in entry["events"]] == ["seat_left", "table.vacated"]
    assert entry["table"]["seats"][1]["player"] is None
    assert (await wire.next("welcome"))["you"]["seat"] is None


async def test_who_lost_the_seat_meanwhile_gets_the_state_and_not_the_tail(table, players, host, night, guest):
    await in_thread(membership.remove, night, host, players[1].pk)
    late = await in_thread(guest)
    wire = await connect(table, late)
    await wire.join()
    await wire.ask({"type": "command", "id": "j", "name": "table.join", "args": {}}, "state")
    again = await connect(table, late)
    await again.hello(1)
    assert (await again.any())["type"] == "state", "the seat is another one since entry 1"
