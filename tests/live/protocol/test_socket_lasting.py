"""Lasting members of a view travel over a connection only when they have changed."""

import pytest

from games import plugin
from games.models import Table
from tests.conftest import answer, choices_at
from tests.frames import whole
from tests.live.wire import Wire, connect, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(start_table) -> Table:
    return start_table("dummygame", "endless", seats=2)


async def bid(table: Table, wire: Wire) -> dict:
    """Let somebody bid, and return the entry as it comes."""
    await in_thread(lambda: answer(table, next(c for c in choices_at(table) if c.name == "bid")))
    return await wire.next("entry")


async def test_what_has_not_changed_is_left_out_and_named(table):
    assert plugin.game("dummygame").lasting == ("options", "last")
    wire = await connect(table, await in_thread(lambda: table.seats.first().player))
    state = await wire.join()
    assert "same" not in state and {"options", "last"} <= set(state["view"])
    first, second, third = [await bid(table, wire) for _ in range(3)]
    assert first["same"] == ["options", "last"], "a sealed bid changes neither"
    assert second["same"] == ["options"], "with the second one the bids are opened"
    assert second["view"]["last"] is not None
    assert third["same"] == ["options", "last"]
    view = state["view"]
    for frame in (first, second, third):
        view = whole(frame, view)
    again = await connect(table, await in_thread(lambda: table.seats.first().player))
    assert (await again.join())["view"] == view
    await wire.leave()
    await again.leave()


async def test_what_follows_a_hello_is_whole(table):
    player = await in_thread(lambda: table.seats.first().player)
    wire = await connect(table, player)
    seq = (await wire.join())["seq"]
    await bid(table, wire)
    late = await connect(table, player)
    await late.hello(seq)
    missed = await late.next("entry")
    assert "same" not in missed and "options" in missed["view"]
    assert (await bid(table, late))["same"] == ["options"]
    await wire.rest()
    await wire.hello(seq)
    told = [frame for frame in await wire.rest() if "view" in frame]
    assert all("options" in frame["view"] for frame in told), "told again on the same connection"
    assert len(told) == 1
    await wire.leave()
    await late.leave()
