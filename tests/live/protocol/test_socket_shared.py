"""A device that several share: whose seat it is shown, and when."""

from __future__ import annotations

import json

import pytest

from games.models import Player, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import device_transfer
from games.services.nights import membership
from games.services.tables.commit import submit
from tests.live.wire import Wire, connect, in_thread, take
from tests.tables.host.host_commands import named
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(kept_table) -> Table:
    return kept_table


@pytest.fixture
def guest(table) -> Player:
    return table.seats.get(index=1).player


async def hand(wire: Wire, seat: int | None) -> dict:
    """Hand the device to the person of a seat and return the state that follows."""
    assert (await wire.ask({"type": "hand", "seat": seat}, "hand"))["seat"] == seat
    return await wire.next("state")


def bid(state: dict, seat: int) -> dict:
    return {**take(state, "bid"), "seat": seat}


async def test_a_kept_seats_secrets_come_after_the_hand_over_and_go_again(table, host, guest):
    wire, other = await connect(table, host), await connect(table, guest)
    own, theirs = await wire.join(), await other.join()
    assert wire.welcome["you"]["keeps"] == [2]
    assert own["kept"] == [{"seat": seat, "asked": True, "secret": True} for seat in (0, 2)]
    assert "kept" not in theirs
    assert own["view"]["die"] is not None
    between = await hand(wire, None)
    assert (between["view"]["die"], between["choices"]) == (None, [])
    held = await hand(wire, 2)
    assert {choice["seat"] for choice in held["choices"]} == {2}
    entry = await wire.ask(bid(held, 2), "entry")
    assert {event["type"] for event in entry["events"]} >= {"table.entered", "bid_sealed"}
    assert entry["view"]["bid"] is not None
    assert all(event["private"] for event in entry["events"] if event["type"] == "table.entered")
    again = await hand(wire, 0)
    assert again["view"]["bid"] is None
    seen = await other.next("entry")
    assert "Hanna" not in json.dumps(seen), "that somebody has answered in secret is told to nobody else"


async def test_a_seat_that_one_does_not_keep_is_not_shown(table, host, guest):
    wire = await connect(table, guest)
    state = await wire.join()
    for seat in (0, 2, 9):
        assert (await wire.ask({"type": "hand", "seat": seat}, "error"))["code"] == "not_keeper"
        assert (await wire.ask({**take(state, "bid"), "seat": seat}, "error"))["code"] in ("not_keeper", "bad_argument")
    # A hello that says so gets what spectators get.
    again = await connect(table, guest)
    assert (await again.join(hand=2))["view"]["die"] is None
    screen = await connect(table, host)
    await screen.join(tv=True)
    assert (await screen.ask({"type": "hand", "seat": 2}, "error"))["code"] == "not_seated"


async def test_a_broken_line_comes_back_to_the_hands_that_held_the_device(table, host):
    wire = await connect(table, host)
    await wire.join()
    await hand(wire, 2)
    again = await connect(table, host)
    assert {choice["seat"] for choice in (await again.join(hand=2))["choices"]} == {2}
    passed_on = await connect(table, host)
    assert (await passed_on.join(hand=None))["view"]["die"] is None


async def test_what_is_asked_of_kept_seats_is_told_with_every_entry(table, host, guest):
    wire, other = await connect(table, host), await connect(table, guest)
    own, theirs = await wire.join(), await other.join()
    await wire.ask(take(own, "bid"), "entry")
    await other.ask(take(theirs, "bid"), "entry")
    entry = await wire.next("entry")
    assert [each["asked"] for each in entry["kept"]] == [False, True]


async def test_the_dot_says_no_phone(table, host):
    wire = await connect(table, host)
    await wire.join()
    assert wire.welcome["presence"]["2"] == "no_phone"


async def test_who_takes_the_seat_over_is_read_by_nobody_else(table, night, host):
    kari = (await in_thread(lambda: table.seats.select_related("player").get(index=2))).player
    wire = await connect(table, host)
    await wire.join()
    await hand(wire, 2)
    move, secret = await in_thread(device_transfer.request_move, night, kari.pk)
    await in_thread(device_transfer.approve_move, night, host, kari.pk, move.number)
    assert await in_thread(device_transfer.use_move, secret) == kari
    welcome = await wire.next("welcome")
    assert "keeps" not in welcome["you"]
    state = await wire.next("state")
    assert (state["view"]["die"], state["choices"]) == (None, [])
    # At a table on the screen nobody acts for somebody with a phone, the host neither.
    await wire.send({"type": "hand", "seat": 2})
    assert (await wire.next("error"))["code"] == "not_keeper"


def test_a_stranger_to_a_seat_is_refused_its_commands_and_its_view_by_api(table, host, guest):
    address = f"/api/tables/{table.public_id}/"
    keeper, other = browser_of(host), browser_of(guest)
    state = keeper.get(f"{address}?seat=2").json()["state"]
    assert {choice["seat"] for choice in state["choices"]} == {2}
    assert other.get(f"{address}?seat=2").json()["code"] == "not_keeper"
    frame = {key: value for key, value in bid(state, 2).items() if key != "type"}
    refused = other.post(f"{address}commands/", frame, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_keeper")
    done = keeper.post(f"{address}commands/", frame, content_type="application/json")
    assert (done.status_code, done.json()["view"]["bid"] is not None) == (200, True)


@pytest.mark.parametrize("is_broken", [False, True])
async def test_a_kept_seat_that_passes_to_another_person_is_shown_when_the_device_was_handed_on(
    table, host, night, is_broken
):
    wire = await connect(table, host)
    await wire.join()
    await hand(wire, 2)
    if is_broken:
        await wire.leave()
    per = await in_thread(membership.bring, night, host, "Per")
    given = await in_thread(named, table, "table.substitute", {"seat": 2, "player": per.pk})
    await in_thread(submit, table.pk, Actor(host.pk), Request("table.substitute", given, new_command_id()))
    if is_broken:
        wire = await connect(table, host)
        await wire.send({"type": "hello", "protocol": 1, "seq": 1, "hand": 2})
    assert (await wire.next("hand"))["seat"] is None
    await wire.next("welcome")
    shown = await wire.rest()
    assert [frame["choices"] for frame in shown if "choices" in frame] == [[]]
    assert {choice["seat"] for choice in (await hand(wire, 2))["choices"]} == {2}


async def test_a_kept_seat_goes_on_over_a_break_in_the_hands_of_the_same_person(table, host, guest):
    wire = await connect(table, host)
    await wire.join()
    await hand(wire, 2)
    await wire.leave()
    await in_thread(
        submit,
        table.pk,
        Actor(host.pk),
        Request("table.nudge", {"seat": 1, "sitter": guest.pk}, new_command_id()),
    )
    wire = await connect(table, host)
    await wire.hello(1, hand=2)
    assert wire.passed == []
    assert {choice["seat"] for choice in (await wire.next("entry"))["choices"]} == {2}
