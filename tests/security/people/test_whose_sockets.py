"""Every socket belongs to its session's player, whatever it watches; screens take nobody's place."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games.live.rooms import hub
from games.models import Membership, Night, Player, Table
from games.services.nights import membership
from games.services.people import bans, deletion
from tests.fixtures import guest as guest  # noqa: PLC0414 (a fixture)
from tests.live.servers.test_socket_limits import from_address
from tests.live.wire import Wire, connect, in_thread, tv_cookie

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def player(table) -> Player:
    return table.seats.get(index=1).player


async def screens(table: Table, night: Night, player: Player) -> list[Wire]:
    """Open all that a guest can open as a screen: with the TV link beside the session, and without."""
    found = [await connect(table, player), await connect(table, player, tv=(night,))]
    for wire in found:
        await wire.join(tv=True)
        assert wire.welcome["you"]["tv"]
    return found


async def test_a_kick_closes_the_sockets_that_watch_as_a_screen(table, night, host, player):
    wires = [*await screens(table, night, player), await connect(night, player, tv=(night,))]
    await in_thread(membership.remove, night, host, player.pk)
    for wire in wires:
        assert await wire.closed() == 4403
    for tv in ((), (night,)):
        again = await connect(table, player, tv=tv)
        await again.send({"type": "hello", "protocol": 1, "seq": None, "tv": True})
        assert await again.closed() == 4403
        page = await connect(night, player, tv=tv)
        assert await page.closed() == 4403


async def test_a_ban_closes_the_sockets_that_watch_as_a_screen(table, night, player):
    wires = await screens(table, night, player)
    chief = await in_thread(User.objects.create_user, "chief", is_staff=True)
    await in_thread(bans.ban, player, chief)
    for wire in wires:
        assert await wire.closed() in (4401, 4403)
    for tv in ((), (night,)):
        again = await connect(table, player, tv=tv)
        await again.send({"type": "hello", "protocol": 1, "seq": None, "tv": True})
        assert await again.closed() == 4403


async def test_deletion_closes_the_sockets_that_watch_as_a_screen(table, night, player):
    wires = await screens(table, night, player)
    await in_thread(deletion.delete, player)
    for wire in wires:
        assert await wire.closed() == 4401


async def test_a_screen_counts_as_a_page_of_its_player(table, night, player, settings):
    settings.SOCKETS_PER_GUEST = 3
    first, *others = [await connect(table, player, tv=(night,)) for _ in range(4)]
    for wire in (first, *others):
        await wire.join(tv=True)
    assert await first.closed() == 4403
    assert first.passed[-1]["code"] == "too_many_pages"


async def test_a_guest_of_another_night_who_shows_this_one_is_known_too(table, night, host, player, make_player):
    stranger = await in_thread(make_player, "Stranger")
    wire = await connect(table, stranger, tv=(night,))
    await wire.join()
    assert hub.current().limits._people.keys() == {stranger.pk}
    await in_thread(membership.join, night, stranger)
    await in_thread(membership.remove, night, host, stranger.pk)
    assert await wire.closed() == 4403


async def test_a_right_that_ended_without_a_word_is_found_at_the_next_ping(table, night, player):
    wire = await connect(table, player)
    await wire.join(tv=True)
    await in_thread(Membership.objects.filter(night=night, player=player).update, status="kicked")
    await wire.send({"type": "ping", "seq": None})
    assert await wire.closed() == 4403


async def test_sixty_screens_of_an_address_keep_no_guest_and_no_host_of_it_out(table, night, host, player):
    tv = {"cookie": f"tv={tv_cookie(night)}"}
    watching = [await from_address("192.0.2.1", table, player, **tv) for _ in range(60)]
    for wire in watching:
        await wire.join()
    one_more = await from_address("192.0.2.1", table, player, **tv)
    await one_more.send({"type": "hello", "protocol": 1, "seq": None})
    assert await one_more.closed() == 4429
    for each in (host, player):
        for _ in range(3):
            wire = await from_address("192.0.2.1", table, each)
            assert (await wire.join())["type"] == "state"
    elsewhere = await from_address("192.0.2.2", table, player, **tv)
    assert await elsewhere.join()


async def test_sockets_that_say_nothing_keep_nobody_of_their_address_out(table, host, player):
    silent = [await from_address("192.0.2.1", table, player, cookie="") for _ in range(70)]
    for each in (host, player):
        assert await (await from_address("192.0.2.1", table, each)).join()
    assert await silent[0].closed() == 4429
    assert len(hub.current().limits._unknown) <= 60


async def test_an_address_is_a_whole_ipv6_network(table, player, settings):
    settings.SOCKETS_PER_ADDRESS = 2
    first, *_ = [await from_address(f"2001:db8:0:1::{number}", table, player, cookie="") for number in range(3)]
    assert await first.closed() == 4429


async def test_silent_sockets_of_many_addresses_are_bounded_together(table, player, settings):
    settings.CONNECTIONS = 40
    first, *_ = [await from_address(f"192.0.2.{number}", table, player, cookie="") for number in range(11)]
    assert await first.closed() == 4429


def test_a_get_of_a_tv_link_stores_no_session(night):
    screen = Client()
    page = screen.get(reverse("tv", args=[night.public_id, night.token("tv")]))
    assert page.status_code == 200
    assert not Session.objects.exists()
    kept = page.cookies["tv"]
    assert kept["httponly"] and kept["samesite"] == "Lax"
    assert screen.get(reverse("tv", args=[night.public_id, "0" * 32])).status_code == 404


async def test_a_screens_cookie_opens_nothing_once_the_code_has_changed(table, night, host):
    old = tv_cookie(night)
    await in_thread(membership.rotate_code, night, host)
    for cookie in (old, old.replace(".", ""), f"{night.public_id}.", f"{night.public_id}.{'0' * 32}", "|" * 999):
        wire = await connect(table, None, cookie=f"tv={cookie}")
        await wire.send({"type": "hello", "protocol": 1, "seq": None})
        assert await wire.closed() == 4403
    client = Client()
    client.cookies["tv"] = old
    assert (await in_thread(client.get, f"/api/tables/{table.public_id}/")).status_code == 403
