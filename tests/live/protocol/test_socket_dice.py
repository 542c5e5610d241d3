"""Throws with devices over the socket: docs/protocol.md §9."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel.dice import chains
from games.live.rooms import hub
from games.models import Player, Table
from games.services import server_time
from games.services.clock import clock
from games.services.tables import throws
from tests.live.wire import Wire, connect, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("chicago", "classic", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player").order_by("index")]


@pytest.fixture(autouse=True)
def everybody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dots are looked at once a second only; here nobody waits for that."""
    monkeypatch.setattr(throws, "_present", lambda _: {0, 1})


def link(seat: int, index: int) -> str:
    return chains.link_of(chains.SEAT, bytes([seat]) * 32, chains.SEAT_LENGTH, index).hex()


async def tip(wire: Wire, seat: int) -> None:
    """Tell the tip of a seat's chain."""
    frame = {"type": "command", "id": f"tip-{seat}", "name": "table.dice_tip", "args": {"tip": link(seat, 0)}}
    await wire.send(frame)
    while (await wire.next("entry")).get("id") != f"tip-{seat}":
        pass


async def both(table: Table, players: list[Player]) -> tuple[Wire, Wire, dict[str, Any]]:
    """Return the connections of the thrower and of the opponent, who have told their tips, and the command to throw."""
    wires = [await connect(table, player) for player in players]
    states = [await wire.join() for wire in wires]
    for seat, wire in enumerate(wires):
        await tip(wire, seat)
    roller = next(i for i, state in enumerate(states) if any(c["name"] == "throw" for c in state["choices"]))
    choice = next(c for c in states[roller]["choices"] if c["name"] == "throw")
    args = choice["options"][0]
    return wires[roller], wires[1 - roller], {
        "type": "command", "id": "mine", "name": "throw", "args": args, "basis": choice["basis"], "seat": roller,
    }  # fmt: skip


async def entry_of(wire: Wire, event: str) -> dict[str, Any]:
    """Return the next entry that begins with an event."""
    while (frame := await wire.next("entry"))["events"][0]["type"] != event:
        pass
    return frame


async def test_a_throw_of_two_devices_goes_opponent_roller_dice(table, players):
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    await roller.send(command)
    asked = await other.next("dice_ask")
    intent = (await entry_of(roller, "table.throw_begun"))["events"][0]["data"]
    assert (intent["seat"], intent["contributors"], intent["n"]) == (seat, [1 - seat, seat], 3)
    assert asked == {
        "type": "dice_ask",
        "k": intent["k"],
        "n": 3,
        "roller": seat,
        "ctx": intent["ctx"],
        "contributors": [0, 1],
        "last": link(1 - seat, 0),
        "index": 0,
        "commitment": chains.commitment(bytes.fromhex(table.dice_seed), 0).hex(),
        "links": {},
    }
    await other.send({"type": "link", "k": intent["k"], "link": link(1 - seat, 1)})
    asked = await roller.next("dice_ask")
    assert asked["links"] == {str(1 - seat): link(1 - seat, 1)}
    await roller.send({"type": "link", "k": intent["k"], "link": link(seat, 1)})
    result = await entry_of(roller, "dice_thrown")
    assert result["id"] == "mine"
    assert (result["throw"]["level"], set(result["throw"]["links"])) == ("A", {"0", "1"})
    assert (await entry_of(other, "dice_thrown"))["throw"] == result["throw"]
    assert not [frame for frame in roller.passed if frame["type"] == "error"]


async def test_a_bad_link_is_refused_and_a_phone_that_comes_back_is_asked_again(table, players):
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    await roller.send(command)
    asked = await other.next("dice_ask")
    await other.send({"type": "link", "k": asked["k"], "link": "0" * 64})
    assert (await other.next("error"))["code"] == "bad_link"
    await other.send({"type": "link", "k": asked["k"]})
    assert (await other.next("error"))["code"] == "bad_field"
    again = await connect(table, players[1 - seat])
    welcome = await again.hello()
    assert welcome["dice"] == {"k": asked["k"], "links": {str(i): {"link": link(i, 0), "index": 0} for i in (0, 1)}}
    assert await again.next("dice_ask") == asked
    await again.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    await roller.next("dice_ask")
    # The same link once more, from another page of the same device, is none too many.
    await other.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    await other.ask({"type": "ping", "seq": None}, "pong")
    assert "error" not in [frame["type"] for frame in other.passed]


async def test_a_second_page_is_asked_too_and_a_screen_never_is(table, players, night):
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    second, screen = await connect(table, players[1 - seat]), await connect(table, tv=(night,))
    await second.join()
    assert "dice_ask" not in [frame["type"] for frame in screen.passed] and (await screen.join())["seq"]
    await roller.send(command)
    asked = await second.next("dice_ask")
    assert await other.next("dice_ask") == asked
    await entry_of(screen, "table.throw_begun")
    await screen.send({"type": "ping", "seq": None})
    assert (await screen.any())["type"] == "pong"
    await screen.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    assert (await screen.next("error"))["code"] == "not_seated"


async def test_silence_is_told_and_the_roll_falls_at_a_lower_level(table, players, monkeypatch):
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    await roller.send(command)
    asked = await other.next("dice_ask")

    def let_time_pass() -> None:
        later = server_time.now_ms() + 4_000
        with monkeypatch.context() as passed:
            passed.setattr(server_time, "now_ms", lambda: later)
            clock.act(Table.objects.get(pk=table.pk))

    await in_thread(let_time_pass)
    missed = (await entry_of(roller, "table.link_missed"))["events"][0]["data"]
    assert missed == {"k": asked["k"], "seat": 1 - seat}
    await roller.next("dice_ask")
    await other.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    assert (await other.next("error"))["code"] == "no_link_wanted"
    await roller.send({"type": "link", "k": asked["k"], "link": link(seat, 1)})
    assert (await entry_of(other, "dice_thrown"))["throw"]["level"] == "B"


async def test_a_page_that_comes_while_its_device_answers_is_not_asked_for_what_was_given(table, players, monkeypatch):
    """Asked for a throw of before, a device would say that the house asks again."""
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    second = await connect(table, players[1 - seat])
    snapshots = hub.current().snapshots
    read = snapshots.ask

    async def answer_meanwhile(wanted: object) -> object:
        monkeypatch.setattr(snapshots, "ask", read)
        await roller.send(command)
        asked = await other.next("dice_ask")
        await other.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
        await roller.next("dice_ask")
        return await read(wanted)

    monkeypatch.setattr(snapshots, "ask", answer_meanwhile)
    await second.join()
    assert await second.rest() == []


# Enemies


async def test_a_phone_that_floods_links_is_cut_off_and_the_throw_goes_on_without_it(table, players):
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    await roller.send(command)
    asked = await other.next("dice_ask")
    for _ in range(100):
        await other.send({"type": "link", "k": asked["k"], "link": "0" * 64})
    assert await other.closed() == 4429
    again = await connect(table, players[1 - seat])
    await again.hello()
    assert await again.next("dice_ask") == asked, "none of them was taken for the link"
    await again.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    await roller.next("dice_ask")
    await roller.send({"type": "link", "k": asked["k"], "link": link(seat, 1)})
    assert (await entry_of(roller, "dice_thrown"))["throw"]["level"] == "A"


async def test_a_link_sent_to_another_table_is_none_there_and_takes_nothing_from_its_own(table, players, start_table):
    """A chain belongs to one table: the same person's phone at the next one tells a tip of its own."""
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    await roller.send(command)
    asked = await other.next("dice_ask")
    elsewhere = await in_thread(start_table, "chicago", "classic", seats=2)
    at = await connect(elsewhere, players[1 - seat])
    await at.join()
    await at.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    assert (await at.next("error"))["code"] in ("no_link_wanted", "not_seated")
    await other.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    assert (await roller.next("dice_ask"))["links"] == {str(1 - seat): link(1 - seat, 1)}


async def test_two_taps_at_once_are_one_throw(table, players):
    roller, other, command = await both(table, players)
    seat = command.pop("seat")
    second = await connect(table, players[seat])
    await second.join()
    await roller.send(command)
    await second.send({**command, "id": "other"})
    asked = await other.next("dice_ask")
    # Either may have been first.
    refused: list[dict] = []
    while not refused:
        refused += [each for wire in (roller, second) for each in await wire.rest() if each["type"] == "error"]
    assert [each["code"] for each in refused] == ["throw_under_way"]
    await other.send({"type": "link", "k": asked["k"], "link": link(1 - seat, 1)})
    await roller.next("dice_ask")
    await roller.send({"type": "link", "k": asked["k"], "link": link(seat, 1)})
    thrown = await entry_of(roller, "dice_thrown")
    assert {thrown["id"], refused[0]["id"]} == {"mine", "other"}
    assert thrown["throw"]["k"] == asked["k"]
    after = await in_thread(lambda: Table.objects.get(pk=table.pk).chains["k"])
    assert after == asked["k"]
