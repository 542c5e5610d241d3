"""Hosts who are gone, as several processes note it that share only the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from games.live.rooms.hub import Hub
from games.models import Night
from games.services import server_time
from games.services.nights import membership
from games.services.nights.attendance import HostNote
from games.services.people import players
from tests.live.wire import in_thread

pytestmark = pytest.mark.django_db(transaction=True)


class Processes:
    """Some processes of a house, each with its hub, and the time that has passed for all of them."""

    def __init__(self, count: int) -> None:
        self.hubs = [Hub(asyncio.get_running_loop()) for _ in range(count)]
        self.passed = 0.0

    @property
    def now(self) -> float:
        """The time of the loops."""
        return asyncio.get_running_loop().time() + self.passed

    def connect(self, process: int, night: Night, player_id: int | None) -> None:
        """Open a line to a process."""
        self.hubs[process].hosts.connected(night.pk, player_id, self.now)

    def leave(self, process: int, night: Night, player_id: int | None) -> None:
        """Close a line to a process."""
        self.hubs[process].hosts.left(night.pk, player_id, self.now)

    async def passes(self, seconds: int, *, dead: int | None = None) -> None:
        """Let time pass; each process that lives looks after its hosts every ten seconds."""
        for _ in range(seconds // 10):
            self.passed += 10
            server_time.set_time(server_time.now_ms() + 10_000)
            for index, hub in enumerate(self.hubs):
                if index != dead:
                    await hub._check_hosts(self.now)


@pytest.fixture
async def house() -> AsyncIterator[Processes]:
    """Two processes."""
    found = Processes(2)
    yield found
    server_time.set_time(server_time.now_ms() - 1000 * found.passed)


async def away_since(night: Night) -> datetime | None:
    """Return since when the host is noted as away."""
    return (await in_thread(Night.objects.get, pk=night.pk)).host_away_since


async def member(night: Night, name: str) -> int:
    """Let somebody in."""
    player = await in_thread(players.new_guest, name)
    await in_thread(membership.join, night, player)
    return int(player.pk)


async def test_a_new_host_without_a_page_is_noted_as_away_by_whatever_process_watches(house, night, host):
    kari, ola = await member(night, "Kari"), await member(night, "Ola")
    house.connect(0, night, host.pk)
    house.connect(1, night, ola)
    await house.passes(120)
    await in_thread(membership.give_host, night, host, kari)
    assert await away_since(night) is None
    await house.passes(50)
    assert await away_since(night) is None
    await house.passes(20)
    assert await away_since(night) is not None


async def test_a_host_with_a_page_at_one_process_is_never_noted_as_away_by_the_other(house, night, host):
    ola = await member(night, "Ola")
    house.connect(0, night, host.pk)
    house.connect(1, night, ola)
    for _ in range(30):
        await house.passes(10)
        assert await away_since(night) is None


async def test_a_host_whose_process_died_is_noted_as_away_by_another(house, night, host):
    ola = await member(night, "Ola")
    house.connect(0, night, host.pk)
    house.connect(1, night, ola)
    await house.passes(120)
    seen_at, died_at = (await in_thread(Night.objects.get, pk=night.pk)).host_seen_at, server_time.now()
    await house.passes(30, dead=0)
    assert await away_since(night) is None
    await house.passes(60, dead=0)
    found = await in_thread(Night.objects.get, pk=night.pk)
    assert found.host_away_since is not None
    # Who notes it counts back from now, on two clocks.
    assert abs(found.host_seen_at - seen_at) < timedelta(seconds=1)
    assert died_at < found.host_away_since


async def test_after_a_restart_of_the_house_a_host_who_stays_away_is_noted_and_one_who_is_back_is_not(
    house, night, host
):
    ola = await member(night, "Ola")
    house.connect(0, night, host.pk)
    house.connect(1, night, ola)
    await house.passes(60)
    house.hubs = Processes(2).hubs
    house.connect(1, night, ola)
    await house.passes(50)
    assert await away_since(night) is None
    await house.passes(30)
    assert await away_since(night) is not None
    house.connect(0, night, host.pk)
    await house.passes(10)
    assert await away_since(night) is None


async def test_a_host_who_closes_one_of_two_pages_is_here_by_the_other_process_before_pages_say_anything(
    house, night, host
):
    house.connect(0, night, host.pk)
    house.connect(1, night, host.pk)
    await house.passes(60)
    house.leave(0, night, host.pk)
    await house.passes(30)
    assert await away_since(night) is None


async def test_a_night_that_is_closed_has_no_host_who_comes_and_goes(house, night, host):
    house.connect(0, night, await member(night, "Ola"))
    await in_thread(membership.close, night, host)
    await house.passes(120)
    assert await away_since(night) is None


async def test_the_pages_of_a_night_are_told_at_each_minute_that_somebody_more_may_take_over(house, night):
    since, hosts = server_time.now(), house.hubs[0].hosts
    hosts.keep_away([HostNote(night.pk, 7, since)])
    told = [bool(hosts.next_may(since + timedelta(seconds=s))) for s in (0, 299, 300, 301, 359, 360, 420, 9999, 99_999)]
    assert told == [False, False, True, False, False, True, True, True, False]
