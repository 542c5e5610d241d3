"""Many sockets, deaf readers, several devices (`python -m tests.faults.crowds 1000`)."""

import asyncio

import pytest

from tests.faults.connections.crowd import Crowd
from tests.faults.crowds import MEGABYTE, all_die, deaf_readers
from tests.faults.houses import checks
from tests.faults.houses.houses import House
from tests.faults.kills import show

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]


@pytest.mark.day(parts=17, turn=11)
def test_all_who_die_at_once_are_current_again_and_nothing_is_logged(laptop):
    show(asyncio.run(all_die(laptop, 200)))


@pytest.mark.day(parts=17, turn=11)
def test_readers_who_never_read_are_closed_and_cost_little(laptop):
    figures = asyncio.run(deaf_readers(laptop, 50, silent=False))
    show(figures)
    assert figures["growth MB"] * MEGABYTE <= 50 * MEGABYTE


@pytest.mark.day(parts=17, turn=13)
def test_two_tabs_and_two_phones_are_one_player(laptop):
    """Each decision of the seat is answered by all four devices at once, and taken once."""

    async def play(house: House) -> None:
        specs = [{"game": "dummygame", "preset": "endless", "seats": 3, "devices": 2}]
        async with Crowd(house.urls, house.world("make", specs), 11, tabs=2, pace=0.02) as crowd:
            assert len(crowd.players) == 12
            await crowd.all_current()
            await crowd.goes_on(90)
            await crowd.hush()
            logs = await asyncio.to_thread(checks.prove, house, crowd.players)
            refused = [code for p in crowd.players for code in p.journal.refused.values()]
            assert {*refused} <= {"stale", "not_open"}
            assert refused, "no two devices ever answered at once"
            entries = logs[crowd.players[0].table]["entries"]
            taken = [
                (entry["seat"], entry["command"]["basis"]) for entry in entries if entry["command"]["name"] == "bid"
            ]
            assert len(set(taken)) == len(taken)

    asyncio.run(play(laptop))


@pytest.mark.day(parts=17, turn=13)
def test_no_clock_but_the_servers_counts(laptop):
    """Devices ten minutes ahead and behind get the time that is left, and play in time."""
    table = {"game": "chicago", "preset": "classic", "seats": 2, "changes": {"turn_seconds": 60}}

    async def play(house: House) -> None:
        world = house.world("make", [table])
        async with Crowd(house.urls, world, 12) as crowd:
            for player, minutes in zip(crowd.players, (10, -10), strict=True):
                player.minutes_off = minutes
            await crowd.all_current()
            await crowd.goes_on(20)
            await crowd.hush()
            logs = await asyncio.to_thread(checks.prove, house, crowd.players)
            left = [ms for player in crowd.players for ms in player.clocks_heard]
            assert left
            assert all(0 < ms <= 60_000 for ms in left)
            entries = logs[world[0]["table"]]["entries"]
            assert not [e for e in entries if e["command"]["name"] == "timeout"]

    asyncio.run(play(laptop))
