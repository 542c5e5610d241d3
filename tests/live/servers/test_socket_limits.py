"""Limits for strangers at the sockets (docs/protocol.md §7): each as it is told there."""

import asyncio

import pytest

from games.addresses import client_address
from games.live import batching, consumers
from games.live.batching import Together
from games.live.rooms import handshake, hub
from games.live.servers.connection_limits import Flood
from games.models import LogEntry, Night, Player, Table
from games.services.nights import membership
from tests.live.wire import Wire, command, connect, in_thread, session_cookie, take

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player")]


async def from_address(address: str, place: Table | Night, player: Player, **more: str) -> Wire:
    """Open a line to a table or a night from an address; it may be closed at once."""
    cookie = await in_thread(session_cookie, player)
    values = {"host": "pub.local", "origin": "http://pub.local", "cookie": cookie, **more}
    headers = [(k.replace("_", "-").encode(), v.encode()) for k, v in values.items()]
    wire = Wire(f"/ws/{'night' if isinstance(place, Night) else 'table'}/{place.public_id}/", headers)
    wire.line.scope["client"] = [address, 4711]
    assert await wire.open()
    return wire


async def joined(address: str, table: Table, player: Player) -> Wire:
    """Open a line from an address and say hello."""
    wire = await from_address(address, table, player)
    await wire.join()
    return wire


def test_the_numbers_are_those_of_the_protocol(settings):
    assert (settings.SOCKETS_PER_ADDRESS, settings.SOCKETS_PER_GUEST) == (60, 5)
    assert (settings.MESSAGES_PER_20S, settings.MESSAGES_PER_20S_PLAYING) == (50, 100)


# Frames


async def test_an_onlooker_may_send_fifty_frames_in_twenty_seconds(table, night, guest):
    wire = await connect(table, await in_thread(guest))
    await wire.join()
    for _ in range(48):
        await wire.send({"type": "away"})
    assert await wire.ask({"type": "ping", "seq": None}, "pong")
    await wire.send({"type": "away"})
    assert await wire.closed() == 4429
    assert wire.passed[-1]["code"] == "too_many"


async def test_a_seat_may_send_a_hundred_only_while_the_game_is_on(table, players):
    wire = await connect(table, players[0])
    await wire.join()
    for _ in range(70):
        await wire.send({"type": "away"})
    await command(wire, "table.end", {})
    assert (await wire.next("entry"))["table"]["status"] == "finished"
    await wire.send({"type": "away"})
    assert await wire.closed() == 4429


async def test_bad_frames_count_like_all_others(night, host):
    wire = await connect(night, host)
    for number in range(50):
        await wire.send("no json" if number % 4 else '{"type":"away"}')
    await wire.send('{"type":"away"}')
    assert await wire.closed() == 4429


def test_frames_are_counted_over_any_twenty_seconds():
    flood = Flood()
    times = [*range(50), 50]
    assert [flood.is_over(at, 20) for at in times].count(True) == 0
    assert not any(flood.is_over(100.0, 50) for _ in range(50))
    assert flood.is_over(119.9, 50)
    assert not flood.is_over(140.0, 50)
    assert not any(Flood().is_over(0.0, 0) for _ in range(1000))


async def test_a_flood_is_seen_while_an_earlier_frame_is_at_work(table, players, monkeypatch):
    wire, may_go = await connect(table, players[0]), asyncio.Event()
    await wire.join()

    async def slow(self, frame):
        await may_go.wait()

    monkeypatch.setattr(consumers.TableConsumer, "on_frame", slow)
    for _ in range(100):
        await wire.send({"type": "away"})
    assert await wire.closed() == 4429
    may_go.set()


async def test_who_says_something_and_goes_has_said_it(table, players):
    wire = await connect(table, players[0])
    frame = take(await wire.join(), "bid")
    await wire.send(frame)
    await wire.leave()
    last = await in_thread(LogEntry.objects.filter(table=table).latest, "seq")
    assert last.command_id.endswith(frame["id"])


# Connections


async def test_of_an_address_so_many_may_not_have_said_who_they_are_and_the_oldest_goes(table, players, settings):
    settings.SOCKETS_PER_ADDRESS, settings.SOCKETS_PER_GUEST = 3, 0
    first, *mine = [await from_address("192.0.2.1", table, players[0]) for _ in range(3)]
    newest = await from_address("192.0.2.1", table, players[1])
    assert await first.closed() == 4429
    assert first.passed[-1]["code"] == "too_many_sockets"
    for wire in (newest, *mine, await from_address("192.0.2.2", table, players[1])):
        assert await wire.join()


async def test_phones_of_a_pub_that_have_said_who_they_are_stay_however_long_the_house_takes(
    table, night, players, guest, settings, monkeypatch
):
    settings.SOCKETS_PER_ADDRESS, settings.SOCKETS_PER_GUEST = 2, 0
    people = [*players, *[await in_thread(guest, name) for name in ("Kari", "Jo", "Per")]]
    may_go, in_database = asyncio.Event(), consumers.in_database

    async def slow(*question):
        await may_go.wait()
        return await in_database(*question)

    monkeypatch.setattr(consumers, "in_database", slow)
    monkeypatch.setattr(batching, "in_database", slow)
    phones = [await from_address("192.0.2.1", table, player) for player in people[:2]]
    for phone in phones:
        await phone.send({"type": "hello", "protocol": 1, "seq": None})
    pages = [await from_address("192.0.2.1", night, player) for player in people]
    may_go.set()
    for phone in phones:
        assert await phone.next("welcome")
    for page in pages:
        assert await page.next("changed")


async def test_an_address_has_so_many_pages_beyond_everybodys_first(table, players, settings, guest):
    settings.SOCKETS_PER_ADDRESS, settings.SOCKETS_PER_GUEST = 2, 0
    people = [*players, await in_thread(guest, "Kari"), await in_thread(guest, "Jo")]
    firsts = [await joined("192.0.2.1", table, player) for player in people]
    further = [await joined("192.0.2.1", table, players[0]) for _ in range(2)]
    newest = await from_address("192.0.2.1", table, players[1])
    assert await newest.join()
    assert await firsts[1].closed() == 4403
    assert firsts[1].passed[-1]["code"] == "too_many_pages"
    await firsts[1].leave()
    await further[0].leave()
    await joined("192.0.2.1", table, players[1])
    for wire in (newest, firsts[0], firsts[2], firsts[3]):
        assert await wire.ask({"type": "ping", "seq": None}, "pong")


async def test_nothing_is_counted_for_lines_that_have_gone(table, players):
    for _ in range(3):
        wire = await from_address("192.0.2.7", table, players[0])
        await wire.join()
        await wire.leave()
    limits = hub.current().limits
    assert (limits._unknown, limits._people, limits._screens, dict(limits._further)) == ({}, {}, set(), {})


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        ([], [], "10.0.0.1"),
        ([], ["198.51.100.9"], "10.0.0.1"),
        (["10.0.0.2"], ["198.51.100.9"], "10.0.0.1"),
        (["10.0.0.1"], [], "10.0.0.1"),
        (["10.0.0.1"], ["198.51.100.9"], "198.51.100.9"),
        (["10.0.0.1"], ["1.1.1.1, 198.51.100.9"], "198.51.100.9"),
        (["10.0.0.1"], ["1.1.1.1", "198.51.100.9"], "198.51.100.9"),
        (["10.0.0.0/24"], ["1.1.1.1, 198.51.100.9 ,10.0.0.2"], "198.51.100.9"),
        (["10.0.0.0/24"], ["198.51.100.9"], "198.51.100.9"),
        (["10.0.0.0/24"], ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        (["10.0.0.1"], [""], "10.0.0.1"),
    ],
)
def test_behind_our_own_proxies_the_address_is_the_one_they_name(settings, proxies, forwarded, address):
    settings.PROXIES = proxies
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    assert client_address({"client": ["10.0.0.1", 4711], "headers": headers}) == address


def test_a_line_without_an_address_is_no_mistake():
    assert client_address({"client": None, "headers": []}) == ""


async def test_the_sixth_page_of_a_player_closes_the_oldest(table, players):
    first, *others = [await connect(table, players[0]) for _ in range(5)]
    for wire in (first, *others):
        await wire.join()
    page = await connect(table, players[0])
    await page.join()
    assert await first.closed() == 4403
    assert first.passed[-1]["code"] == "too_many_pages"
    for wire in (*others, page):
        assert await wire.ask({"type": "ping", "seq": None}, "pong")


async def test_five_pages_of_a_host_who_hears_of_the_door_at_each_close_none(table, night, players):
    """A host's page of a table has a connection to the night, too; the sixth of these closes the oldest of these."""
    wires = [await connect(place, players[0]) for _ in range(5) for place in (table, night)]
    for wire in wires[::2]:
        await wire.join()
    for wire in wires:
        assert await wire.ask({"type": "ping", "seq": None}, "pong")
    page = await connect(night, players[0])
    assert await wires[1].closed() == 4403
    for wire in (*wires[::2], page):
        assert await wire.ask({"type": "ping", "seq": None}, "pong")


async def test_a_page_that_nobody_looks_at_goes_before_those_that_are_shown(table, players):
    wires = [await connect(table, players[0]) for _ in range(5)]
    for wire in wires:
        await wire.join()
    await wires[3].send({"type": "away"})
    await wires[3].rest()
    await (await connect(table, players[0])).join()
    assert await wires[3].closed() == 4403
    assert await wires[0].ask({"type": "ping", "seq": None}, "pong")


async def test_two_tabs_and_two_phones_on_one_seat_all_work(table, players):
    wires = [await connect(table, players[0]) for _ in range(4)]
    states = [await wire.join() for wire in wires]
    for number, wire in enumerate(wires):
        await command(wire, "table.nudge", {"seat": 1, "sitter": players[1].pk}, command_id=f"n-{number}")
        for each in wires:
            entry = await each.next("entry")
            assert (entry["seq"], entry["id"]) == (2 + number, f"n-{number}")
    assert states[0]["choices"] == states[3]["choices"]
    frame = take(states[3], "bid")
    assert (await wires[2].ask(frame, "entry"))["id"] == frame["id"]
    again = await wires[1].ask({**frame, "id": "other"}, "error")
    assert again["code"] == "not_open"


async def test_who_is_shown_the_door_while_saying_hello_stays_out(table, players, night, host, monkeypatch):
    wire = await connect(table, players[1])
    answer_hellos = handshake.answer_hellos

    def just_before(hellos):
        found = answer_hellos(hellos)
        membership.remove(night, host, players[1].pk)
        return found

    monkeypatch.setattr(hub.current(), "hellos", Together(just_before))
    await wire.send({"type": "hello", "protocol": 1, "seq": None})
    assert await wire.closed() == 4403
    assert [frame["type"] for frame in wire.passed] == ["bye"]
