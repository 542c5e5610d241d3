"""Seats that change while people are connected; being shown the door; chat; presence."""

import asyncio

import pytest

from games.live.consumers import NightConsumer
from games.live.rooms import hub, night_room
from games.live.rooms.outbox import Outbox
from games.live.rooms.presence import HostWatch, Presence, local
from games.live.rooms.sockets import Socket
from games.models import Night, Player, Table
from games.services import server_time
from games.services.clock import clock
from games.services.commands import Actor, Request, new_command_id
from games.services.nights import membership
from games.services.nights.attendance import HostNote, NightAccess
from games.services.tables import setup
from games.services.tables.commit import submit
from tests.live.wire import connect, follow, in_thread, take
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player")]


def as_host(table: Table, host: Player, name: str, **args: object) -> None:
    submit(table.pk, Actor(host.pk), Request(name, named(table, name, args), new_command_id()))


async def test_who_is_shown_the_door_hears_why_and_stays_out(table, players, night, host):
    wire, page = await connect(table, players[1]), await connect(night, players[1])
    other = await connect(table, players[0])
    await wire.join()
    await other.join()
    await in_thread(membership.remove, night, host, players[1].pk)
    for each in (wire, page):
        assert await each.closed() == 4403
        assert each.passed[-1]["code"] == "removed"
    entry = await other.next("entry")
    assert entry["table"]["seats"][1]["player"] is None
    again = await connect(table, players[1])
    await again.send({"type": "hello", "protocol": 1, "seq": None})
    assert await again.closed() == 4403


async def test_who_loses_the_seat_goes_on_as_a_spectator(table, players, host):
    wire = await connect(table, players[1])
    await wire.join()
    await in_thread(as_host, table, host, "table.kick", seat=1)
    assert (await wire.next("entry"))["choices"] == []
    assert (await wire.next("welcome"))["you"]["seat"] is None
    assert (await wire.next("state"))["choices"] == []


async def test_who_gets_a_seat_is_welcomed_to_it(table, players, night, host, make_player):
    guest = await in_thread(make_player, "Guest")
    await in_thread(membership.join, night, guest)
    wire = await connect(table, guest)
    await wire.join()
    await in_thread(as_host, table, host, "table.kick", seat=1)
    await in_thread(as_host, table, host, "table.substitute", seat=1, player=guest.pk)
    assert (await wire.next("welcome"))["you"]["seat"] == 1
    state = await wire.next("state")
    assert [c["name"] for c in state["choices"]] == ["bid"]
    assert (await wire.ask(take(state, "bid"), "error"))["code"] == "accept_first"
    await wire.ask({"type": "command", "id": "yes", "name": "table.accept", "args": {}}, "entry")
    again = {**take(state, "bid"), "id": "again"}
    assert (await wire.ask(again, "entry"))["events"][0]["type"] == "bid_sealed"


async def test_who_leaves_gets_the_receipt(table, players):
    wire = await connect(table, players[1])
    await wire.join()
    frame = {"type": "command", "id": "off", "name": "table.leave", "args": {}}
    assert (await wire.ask(frame, "entry"))["id"] == "off"
    assert (await wire.next("welcome"))["you"]["seat"] is None


async def test_a_new_host_is_told(table, players, night, host):
    wire = await connect(table, players[1])
    await wire.join()
    await in_thread(membership.give_host, night, host, players[1].pk)
    assert (await wire.next("welcome"))["you"]["host"]


async def test_seats_that_fill_before_the_start_are_shown(open_table, host, night, make_player):
    table = await in_thread(open_table, "dummygame", "quick", seats=1)
    wire = await connect(table, host)
    await wire.join()
    guest = await in_thread(make_player, "Guest")
    await in_thread(membership.join, night, guest)
    await in_thread(setup.sit, table, guest)
    frame = await wire.next("table")
    assert [seat["name"] for seat in frame["table"]["seats"]] == ["Hanna", "Guest"]
    assert not frame["table"]["seats"][1]["accepted"]


async def test_the_start_reaches_those_who_wait(open_table, host):
    table = await in_thread(open_table, "dummygame", "quick", seats=2)
    wire = await connect(table, host)
    await wire.join()
    await in_thread(setup.start, table, host, "go")
    entry = await wire.next("entry")
    assert (entry["seq"], entry["id"], entry["table"]["status"]) == (1, "go", "playing")
    assert entry["choices"][0]["name"] == "bid"


async def test_the_next_table_is_announced(table, players, host):
    wire = await connect(table, players[1])
    await wire.join()
    await in_thread(as_host, table, host, "table.end")
    assert (await wire.next("entry"))["table"]["status"] == "finished"
    following = await in_thread(setup.play_again, table, host)
    assert (await wire.next("table"))["table"]["successor"] == following.public_id


async def test_chat_reaches_all_and_newcomers_see_the_last_lines(table, players):
    kari, other = await connect(table, players[0]), await connect(table, players[1])
    await kari.join()
    await other.join()
    await kari.send({"type": "chat", "id": "m-1", "text": " Prost,  everybody "})
    for wire in (kari, other):
        message = (await wire.next("chat"))["message"]
        assert (message["name"], message["text"]) == ("Hanna", "Prost, everybody")
    late = await connect(table, players[1])
    await late.join()
    assert [m["text"] for m in late.welcome["chat"]] == ["Prost, everybody"]
    for text, code in (("  ", "chat_empty"), ("x" * 281, "chat_long")):
        error = await kari.ask({"type": "chat", "id": "m-2", "text": text}, "error")
        assert (error["code"], error["id"]) == (code, "m-2")


async def test_a_night_is_told_that_something_changed(night, host, table, make_player):
    page, screen = await follow(night, host), await follow(night, tv=(night,))
    guest = await in_thread(make_player, "Guest")
    await in_thread(membership.join, night, guest)
    for wire in (page, screen):
        assert await wire.next("changed") == {"type": "changed"}
    await in_thread(as_host, table, host, "table.end")
    await page.next("changed")
    assert await page.ask({"type": "ping", "seq": None}, "pong")


async def test_a_page_of_a_night_is_told_to_load_once_no_change_can_pass_it_by(night, host, make_player, monkeypatch):
    guest = await in_thread(make_player, "Guest")
    read, told = NightConsumer._right, []

    def joined_meanwhile(consumer: NightConsumer) -> NightAccess:
        """Return the right as it is read; a guest joins the night between the first reading and the room."""
        right = read(consumer)
        if not told:
            told.append(membership.join(night, guest))
        return right

    monkeypatch.setattr(NightConsumer, "_right", joined_meanwhile)
    page = await connect(night, host)
    assert await page.next("changed") == {"type": "changed"}
    assert hub.current().nights[night.pk].sockets
    assert told


async def test_a_page_of_a_night_whose_right_ends_while_it_opens_is_closed(night, host, make_player, monkeypatch):
    guest = await in_thread(make_player, "Guest")
    await in_thread(membership.join, night, guest)
    read = NightConsumer._right

    def removed_meanwhile(consumer: NightConsumer) -> NightAccess:
        right = read(consumer)
        membership.remove(night, host, guest.pk)
        return right

    monkeypatch.setattr(NightConsumer, "_right", removed_meanwhile)
    page = await connect(night, guest)
    assert await page.closed() == 4403
    assert [frame["type"] for frame in page.passed] == ["bye"]


async def test_a_crowd_that_comes_is_told_of_in_two_frames(monkeypatch):
    monkeypatch.setattr(night_room, "PAUSE_SECONDS", 600)
    told: list[dict] = []

    async def send(message: dict) -> None:
        told.append(message)

    room = night_room.NightRoom(1)
    room.sockets.add(Socket(Outbox(send), "en", 0.0))
    for _ in range(20):
        room.changed()
    assert len(told) == 1
    room._again()
    assert len(told) == 2
    room._again()
    assert len(told) == 2


@pytest.mark.parametrize(("who", "code"), [("nobody", 4403), ("stranger", 4403), ("nowhere", 4404)])
async def test_who_has_no_right_is_told_so(night, table, make_player, who, code):
    player = await in_thread(make_player, "Stranger") if who == "stranger" else None
    if who == "nowhere":
        table, night = Table(public_id="nothing22222"), Night(public_id="nothing22222")
    line, page = await connect(table, player), await connect(night, player)
    await line.send({"type": "hello", "protocol": 1, "seq": None})
    for wire in (line, page):
        assert await wire.closed() == code
        assert wire.passed[-1]["type"] == "bye"


async def test_who_waits_to_be_let_in_hears_the_night_and_sees_no_table(night, host, table, make_player):
    guest = await in_thread(make_player, "Guest")
    await in_thread(membership.set_admission, night, host, True, 60)
    await in_thread(membership.join, night, guest)
    page, line = await follow(night, guest), await connect(table, guest)
    await line.send({"type": "hello", "protocol": 1, "seq": None})
    assert await line.closed() == 4403
    await in_thread(membership.admit, night, host, guest.pk)
    await page.next("changed")


async def test_the_host_who_goes_is_noted_and_welcomed_back(night, host, table):
    async def away_since():
        return (await in_thread(Night.objects.get, pk=night.pk)).host_away_since

    here = hub.current()
    await in_thread(clock.set_host_presence, night.pk, host.pk, False)
    wire = await connect(table, host)
    await wire.join()
    await here._check_hosts(here.loop.time())
    assert await away_since() is None
    await wire.leave()
    await here._check_hosts(here.loop.time())
    assert await away_since() is None
    house_time = server_time.now_ms()
    server_time.set_time(house_time + 6000)
    try:
        await here._check_hosts(here.loop.time() + 6)
    finally:
        server_time.set_time(server_time.now_ms() - 6000)
    assert await away_since() is not None


# Dots, with a clock of the test's own.

TABLE = {
    "seats": [
        {"seat": 0, "player": 1, "bot": ""},
        {"seat": 1, "player": 2, "bot": ""},
        {"seat": 2, "player": None, "bot": "easy"},
        {"seat": 3, "player": None, "bot": ""},
    ]
}


async def nowhere(message: object) -> None:
    pass


def socket_of(player_id: int, now: float = 0.0) -> Socket:
    socket = Socket(Outbox(nowhere), "en", now)
    socket.player_id = player_id
    return socket


async def test_a_dot_is_grey_five_seconds_after_the_page_was_hidden_and_green_at_once():
    presence, phone = Presence(), socket_of(1)
    assert presence.seats(TABLE, [phone], 0) == {"0": "here", "1": "gone", "2": "here", "3": "gone"}
    phone.is_hidden = True
    assert presence.seats(TABLE, [phone], 4.9)["0"] == "here"
    assert presence.seats(TABLE, [phone], 5.1)["0"] == "away"
    assert presence.seats(TABLE, [], 6)["0"] == "gone"
    assert presence.seats(TABLE, [socket_of(1, 7)], 7)["0"] == "here"


async def test_a_connection_that_is_silent_for_25_seconds_is_away():
    presence, phone = Presence(), socket_of(1)
    assert presence.seats(TABLE, [phone], 24)["0"] == "here"
    assert presence.seats(TABLE, [phone], 31)["0"] == "away"
    phone.frame_received(32)
    assert presence.seats(TABLE, [phone], 32)["0"] == "here"


async def test_what_another_phone_of_the_player_heard_later_counts_more_than_the_silence_of_one():
    presence, silent, awake = Presence(), socket_of(1), socket_of(1)
    awake.frame_received(100)
    assert presence.seats(TABLE, [silent, awake], 100)["0"] == "here"
    presence.turns(awake, 101)
    assert presence.seats(TABLE, [silent], 102)["0"] == "here"
    assert presence.seats(TABLE, [silent], 107)["0"] == "away"


async def test_one_of_two_phones_that_is_awake_is_enough():
    sleeping = socket_of(1)
    sleeping.is_hidden = True
    assert local([sleeping, socket_of(1)], 0) == {1: "here"}
    assert local([socket_of(1), sleeping], 0) == {1: "here"}


async def test_another_process_may_have_the_connection():
    presence = Presence()
    presence.report("other", {2: "here"}, 0)
    assert presence.seats(TABLE, [], 29)["1"] == "here"
    assert presence.seats(TABLE, [], 60)["1"] == "gone"


async def test_a_host_whom_another_process_sees_is_not_called_gone_and_one_whom_none_sees_is_after_a_minute():
    watch = HostWatch()
    watch.connected(1, 8, 0.0)
    for ago, is_gone in ((0, False), (59, False), (61, True)):
        note = HostNote(night_id=1, host_id=7, seen_ago=ago)
        assert watch.gone([note], 100) == ([(note, ago)] if is_gone else [])


async def test_after_a_restart_a_host_has_a_minute_to_come_back():
    watch, note = HostWatch(), HostNote(night_id=1, host_id=7, seen_ago=4000)
    watch.connected(1, 8, 0.0)
    assert watch.gone([note], 59) == []
    assert watch.gone([note], 61) == [(note, 4000)]


async def test_a_host_who_closes_one_of_two_pages_in_two_processes_is_here_once_the_other_has_told():
    here, there = HostWatch(), HostWatch()
    for watch in (here, there):
        watch.connected(1, 7, 0.0)
    here.left(1, 7, 100)
    assert there.unseen([HostNote(1, 7, seen_ago=19)]) == []
    unseen = HostNote(1, 7, seen_ago=20)
    assert there.unseen([unseen]) == [unseen]
    assert here.gone([HostNote(1, 7, seen_ago=2)], 106) == []
    gone = HostNote(1, 7, seen_ago=30)
    assert here.gone([gone], 106) == [(gone, 6)]


async def test_dots_go_round(table, players):
    kari, other = await connect(table, players[0]), await connect(table, players[1])
    await kari.join()
    await other.join()
    frame = await kari.next("presence")
    while frame["presence"] != {"0": "here", "1": "here"}:
        frame = await kari.next("presence")
    await other.send({"type": "away"})
    await other.rest()
    room = hub.current().tables[table.pk]
    room.look_round(asyncio.get_running_loop().time() + 6)
    assert (await kari.next("presence"))["presence"]["1"] == "away"
    await other.send({"type": "back"})
    await other.rest()
    room.look_round(asyncio.get_running_loop().time())
    assert (await kari.next("presence"))["presence"]["1"] == "here"
