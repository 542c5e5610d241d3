"""Playing over the socket: docs/protocol.md §2, §3 and §7."""

import pytest
from django.db import OperationalError

from games.models import LogEntry, Player, Table
from games.services.tables import commit
from tests.live.wire import Wire, connect, in_thread, settled, take

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "quick", seats=2)


@pytest.fixture
def players(table) -> list[Player]:
    return [seat.player for seat in table.seats.select_related("player")]


async def refused(wire: Wire, frame: dict) -> dict:
    error = await wire.ask({"type": "command", "id": "c-1", "args": {}, "basis": 1, **frame}, "error")
    assert error["id"] == "c-1"
    assert error["message"]
    return error


async def test_an_accepted_command_is_an_entry_with_its_id_for_its_sender_alone(table, players):
    kari, other, second_phone = [await connect(table, players[i]) for i in (0, 1, 0)]
    state = await kari.join()
    await other.join()
    await second_phone.join()
    entry = await kari.ask({**take(state, "bid"), "id": "mine"}, "entry")
    assert (entry["seq"], entry["id"]) == (2, "mine")
    assert (await second_phone.next("entry"))["id"] == "mine"
    assert "id" not in await other.next("entry")


async def test_what_a_seat_may_not_read_stays_hidden_and_keeps_its_number(table, players, night):
    kari, other, screen = [
        await connect(table, players[0]),
        await connect(table, players[1]),
        await connect(table, tv=(night,)),
    ]
    state = await kari.join()
    await other.join()
    assert (await screen.join())["choices"] == []
    own = await kari.ask(take(state, "bid", 2), "entry")
    assert own["events"][0] == {"type": "bid_sealed", "data": {"seat": 0, "number": 3}, "v": 1, "private": True}
    assert own["view"]["bid"] == 3
    for wire in (other, screen):
        entry = await wire.next("entry")
        assert entry["seq"] == 2
        assert entry["events"][0] == {"type": "hidden"}
        assert entry["view"]["bid"] is None
    await screen.send({"type": "ping", "seq": 2})
    assert (await screen.any()) == {"type": "pong", "seq": 2, "clocks": {}}


async def test_a_repeated_id_is_answered_with_its_entry_and_carried_out_once(table, players):
    wire = await connect(table, players[0])
    frame = take(await wire.join(), "bid")
    first = await wire.ask(frame, "entry")
    again = await wire.ask(frame, "entry")
    assert (again["seq"], again["id"]) == (first["seq"], first["id"])
    assert again["events"] == first["events"]
    assert await in_thread(LogEntry.objects.filter(table=table).count) == 2


async def test_an_answer_to_an_earlier_decision_is_stale(table, players):
    kari, other = await connect(table, players[0]), await connect(table, players[1])
    frame, others = take(await kari.join(), "bid"), take(await other.join(), "bid")
    await kari.ask(frame, "entry")
    await other.ask(others, "entry")
    await kari.next("entry")
    assert (await refused(kari, {**frame, "id": "c-1"}))["code"] == "stale"


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"name": "take_back"}, "not_open"),
        ({"name": "bid", "args": {"number": 7}}, "bad_args"),
        ({"name": "bid", "args": {"number": 1.0}}, "bad_args"),
        ({"name": "bid", "args": {"number": 1}, "basis": None}, "no_basis"),
        ({"name": "throw"}, "not_open"),
        ({"name": "timeout", "args": {"seat": 0}}, "not_open"),
        ({"name": "table.drink"}, "unknown_command"),
        ({"name": "table.resume"}, "not_host"),
        ({"name": "table.end"}, "not_host"),
    ],
)
async def test_a_refusal_changes_nothing_and_says_why(table, players, frame, code):
    wire = await connect(table, players[1])
    await wire.join()
    assert (await refused(wire, frame))["code"] == code
    assert (await wire.ask({"type": "ping", "seq": None}, "pong"))["seq"] == 1


async def test_who_has_no_seat_plays_nobodys(table, players, make_player, night):
    from games.services.nights import membership

    guest = await in_thread(make_player, "Guest")
    await in_thread(membership.join, night, guest)
    wire = await connect(table, guest)
    state = await wire.join()
    assert wire.welcome["you"] == {
        "player": guest.pk, "name": "Guest", "seat": None, "host": False, "tv": False,
    }  # fmt: skip
    assert (state["choices"], state["view"]["bid"]) == ([], None)
    error = await refused(wire, {"name": "bid", "args": {"number": 1}})
    assert error["code"] == "not_seated"
    assert (await refused(wire, {"name": "table.leave"}))["code"] == "not_seated"


async def test_a_screen_only_looks(table, night):
    wire = await connect(table, tv=(night,))
    await wire.join()
    assert wire.welcome["you"]["tv"]
    for name, args in (("bid", {"number": 1}), ("table.pause", {}), ("timeout", {"seat": 0})):
        assert (await refused(wire, {"name": name, "args": args}))["code"] == "not_seated"
    for frame in ({"type": "chat", "id": "c-1", "text": "Hi"}, {"type": "hint", "id": "c-1"}):
        assert (await wire.ask(frame, "error"))["code"] == "not_seated"
    assert await in_thread(LogEntry.objects.filter(table=table).count) == 1


async def test_the_hosts_own_screen_shows_no_seat(table, players, night):
    wire = await connect(table, players[0], tv=(night,))
    assert (await wire.join())["choices"] != []
    screen = await connect(table, players[0], tv=(night,))
    assert (await screen.join(tv=True))["choices"] == []
    assert screen.welcome["you"]["tv"]


async def test_a_paused_table_takes_no_command_of_the_game_and_shows_the_time_left(start_table, host):
    table = await in_thread(start_table, "dummygame", "dicey", seats=2)
    wire = await connect(table, host)
    frame = take(await wire.join(), "bid")
    pause = {"type": "command", "id": "p", "name": "table.pause", "args": {}}
    entry = await wire.ask(pause, "entry")
    assert entry["table"]["status"] == "paused"
    assert entry["choices"] == []
    assert 0 < entry["clocks"]["0"] <= 20_000
    assert (await refused(wire, {**frame, "id": "c-1"}))["code"] == "paused"
    resume = {"type": "command", "id": "r", "name": "table.resume", "args": {}}
    entry = await wire.ask(resume, "entry")
    assert entry["table"]["status"] == "playing"
    assert 0 < entry["clocks"]["1"] <= 20_000
    assert (await wire.ask(take(entry, "bid"), "entry"))["events"][0]["type"] == "bid_sealed"


async def test_a_database_that_is_busy_asks_to_send_the_same_again(table, players, monkeypatch):
    wire = await connect(table, players[0])
    frame = take(await wire.join(), "bid")

    def locked(*args):
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(commit, "commit", locked)
        assert (await refused(wire, {**frame, "id": "c-1"}))["code"] == "busy"
    assert (await wire.ask({**frame, "id": "c-1"}, "entry"))["id"] == "c-1"


async def test_a_mistake_of_the_server_is_an_answer_and_not_the_end(table, players, monkeypatch):
    wire = await connect(table, players[0])
    frame = take(await wire.join(), "bid")
    with monkeypatch.context() as patch:
        patch.setattr(commit, "commit", lambda *args: 1 / 0)
        assert (await refused(wire, {**frame, "id": "c-1"}))["code"] == "failed"
    assert (await wire.ask(frame, "entry"))["seq"] == 2


async def test_a_game_without_hints_says_so_and_chicago_gives_them(table, players, start_table):
    wire = await connect(table, players[0])
    await wire.join()
    assert (await wire.ask({"type": "hint", "id": "h"}, "error"))["code"] == "no_hints"
    chicago = await in_thread(start_table, "chicago", "bavarian", seats=2)
    wires = [
        await connect(chicago, seat.player) for seat in await in_thread(list, chicago.seats.select_related("player"))
    ]
    states = [await each.join() for each in wires]
    turn = next(i for i, state in enumerate(states) if state["choices"])
    answer = await wires[turn].ask({"type": "hint", "id": "h"}, "hint")
    names = [choice["name"] for choice in states[turn]["choices"]]
    assert answer["id"] == "h"
    assert answer["hint"]["name"] in names
    assert (await wires[1 - turn].ask({"type": "hint", "id": "h"}, "error"))["code"] == "not_open"
    await settled()
