"""Open lines follow the person: joined, logged out, banned or deleted, they come back as that."""

import pytest
from django.contrib.auth import get_user_model

from games.models import Player
from games.services import publication
from games.services.nights import membership
from games.services.people import bans, deletion, merging, players
from tests.live.wire import connect, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table):
    return start_table("dummygame", "endless", seats=2)


@pytest.fixture
def guest(table) -> Player:
    return table.seats.get(index=1).player


async def test_a_guest_who_was_joined_comes_back_to_the_same_seat(table, guest, make_player):
    account = await in_thread(make_player, "Kari")
    wire = await connect(table, guest)
    await wire.join()
    await in_thread(merging.merge, guest, account)
    assert await wire.closed() == 4401
    again = await connect(table, guest)  # the session still says who it was
    assert (await again.hello())["you"] == {
        "player": account.pk,
        "name": "Kari",
        "seat": 1,
        "host": False,
        "tv": False,
    }
    await again.leave()


async def test_a_session_of_a_guest_who_got_an_account_is_outside(table, guest):
    def give_account() -> None:
        guest.user = get_user_model().objects.create_user("kari")
        guest.save()
        players.come_back(guest)

    wire = await connect(table, guest)
    await wire.join()
    await in_thread(give_account)
    assert await wire.closed() == 4401
    again = await connect(table, guest)
    await again.send({"type": "hello", "protocol": 1, "seq": None})
    assert await again.closed() == 4403


async def test_a_ban_closes_every_line_at_once(table, night, guest):
    chief = await in_thread(get_user_model().objects.create_superuser, "chief")
    lines = [await connect(table, guest), await connect(night, guest)]
    await lines[0].join()
    await in_thread(bans.ban, guest, chief)
    for wire in lines:
        assert await wire.closed() == 4403
        assert wire.passed[-1]["code"] == "removed"
    again = await connect(table, guest)
    await again.send({"type": "hello", "protocol": 1, "seq": None})
    assert await again.closed() == 4403


async def test_who_deletes_is_gone_from_the_others_screens(table, guest, host):
    other, own = await connect(table, host), await connect(table, guest)
    await other.join()
    await own.join()
    await in_thread(deletion.delete, guest)
    assert await own.closed() == 4401
    told = await other.next("entry")
    while told.get("table", {}).get("seats", [{}, {}])[1].get("name") != "Deleted player":
        told = await other.any()
    await other.leave()


async def test_a_kick_rotates_nothing_and_holds(table, night, host, guest):
    token = night.token("join")
    await in_thread(membership.remove, night, host, guest.pk)
    await in_thread(night.refresh_from_db)
    assert night.token("join") == token
    wire = await connect(night, guest)
    assert await wire.closed() == 4403


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "ping", "seq": None},
        {"type": "command", "id": "c-1", "name": "table.nudge", "args": {"seat": 0}, "basis": None},
    ],
    ids=["ping", "command"],
)
async def test_a_guest_who_was_just_joined_is_not_shown_the_door(table, guest, make_player, monkeypatch, frame):
    """The news of it may come after a frame that the phone has sent meanwhile."""
    other = await in_thread(make_player, "Kari")
    wire = await connect(table, guest)
    await wire.join()
    monkeypatch.setattr(publication, "publish", lambda news: None)
    await in_thread(merging.merge, guest, other)
    await wire.send(frame)
    assert await wire.closed() == 4401
    assert not any(each["type"] == "bye" for each in wire.passed)
