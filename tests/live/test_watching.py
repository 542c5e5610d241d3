"""Pages that watch a table of bots alone keep it awake, in whatever process they are connected."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from games.live.rooms import hub
from games.live.rooms.table_room import Room
from games.models import Table
from games.services.commands import new_command_id
from games.services.seats import bot_tables
from games.services.tables import setup
from tests.live.wire import PATIENCE, connect, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asleep(open_table, host) -> Table:
    """A table of bots that rests."""
    table = open_table("dummygame", "endless", seats=0)
    for _ in range(2):
        setup.add_bot(table, host, "low")
    setup.start(table, host, new_command_id())
    Table.objects.update(watched_at=None, due_at=None)
    table.refresh_from_db()
    return table


async def due_at(table: Table) -> datetime | None:
    """Return when the clock is to act."""
    return (await in_thread(Table.objects.get, pk=table.pk)).due_at


async def wakes(table: Table) -> None:
    """Wait until the clock is to act at a table."""
    async with asyncio.timeout(PATIENCE):
        while await due_at(table) is None:
            await asyncio.sleep(0.05)


def room_of(table: Table) -> Room:
    """Return the table's room in this process."""
    return hub.current().tables[table.pk]


async def test_the_page_of_a_player_wakes_a_resting_table(asleep, host):
    wire = await connect(asleep, host)
    await wire.join()
    await wakes(asleep)
    await wire.leave()


async def test_a_tv_screen_wakes_a_resting_table(asleep, night):
    screen = await connect(asleep, tv=(night,))
    await screen.join()
    await wakes(asleep)
    await screen.leave()


async def test_a_hidden_page_watches_nothing_until_it_is_shown_again(asleep, host):
    wire = await connect(asleep, host)
    await wire.join()
    await wakes(asleep)
    room, later = room_of(asleep), asyncio.get_running_loop().time() + bot_tables.NOTE_EVERY
    assert room.is_to_note(later)
    await wire.send({"type": "away"})
    await wire.rest()
    assert not room.is_to_note(later)
    await wire.send({"type": "back"})
    await wire.rest()
    assert room.is_to_note(later)
    await wire.leave()


async def test_a_page_is_noted_now_and_then_and_only_where_bots_are_alone(asleep, start_table, host):
    wire = await connect(asleep, host)
    await wire.join()
    await wakes(asleep)
    now = asyncio.get_running_loop().time()
    async with asyncio.timeout(PATIENCE):
        while room_of(asleep).is_to_note(now):
            await asyncio.sleep(0.05)
    with_people = await in_thread(start_table)
    other = await connect(with_people, host)
    await other.join()
    assert not room_of(with_people).is_to_note(now + 2 * bot_tables.NOTE_EVERY)
    await wire.leave()
    await other.leave()


async def test_a_line_that_never_says_anything_again_watches_nothing(asleep, host):
    wire = await connect(asleep, host)
    await wire.join()
    await wakes(asleep)
    assert not room_of(asleep).is_to_note(asyncio.get_running_loop().time() + 60)
    await wire.leave()
