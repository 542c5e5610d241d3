"""What the house stands on goes away for a while and comes back: the faults, one by one.

`python -m tests.faults.outages` takes everything away for the full time: PostgreSQL for
10 s, Redis for 30 s.
"""

from __future__ import annotations

import asyncio
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.faults.connections.crowd import Crowd, until
from tests.faults.houses import checks
from tests.faults.houses.backends import Backends
from tests.faults.houses.houses import House
from tests.faults.kills import ENDLESS, show

# While the database is away whoever needs it may say so in the log.
DATABASE_LINES = r"clock|OperationalError|InterfaceError|database"

# The library of the channel layer says so itself when Redis is away.
LAYER_LINES = r"channels_redis"


async def postgres_away(house: House, cellar: Backends, seconds: float) -> dict[str, float]:
    """Crash PostgreSQL under load and start it again after `seconds`; prove what is left."""
    async with Crowd(house.urls, house.world("make", ENDLESS), seed=2) as crowd:
        await crowd.all_current()
        await crowd.goes_on(20)
        await asyncio.to_thread(cellar.postgres.stop, signal.SIGQUIT)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(cellar.postgres.start)
        await crowd.goes_on(40)
        await crowd.hush()
        await asyncio.to_thread(checks.prove, house, crowd.players, allowed_errors=DATABASE_LINES)
        return {"away s": seconds, "busy": crowd.busy, "acknowledged": crowd.acknowledged}


async def redis_away(house: House, cellar: Backends, seconds: float) -> dict[str, float]:
    """Flush Redis, kill it under load, start it again; play goes on all the time."""
    async with Crowd(house.urls, house.world("make", ENDLESS), seed=3) as crowd:
        await crowd.all_current()
        await crowd.goes_on(20)
        await asyncio.to_thread(cellar.redis.flush)
        await crowd.goes_on(20)
        await asyncio.to_thread(cellar.redis.stop, signal.SIGKILL)
        before = crowd.acknowledged
        await asyncio.sleep(seconds)
        await crowd.goes_on(10)
        meanwhile = crowd.acknowledged - before
        await asyncio.to_thread(cellar.redis.start)
        await crowd.goes_on(20)
        await crowd.hush()
        await asyncio.to_thread(checks.prove, house, crowd.players, allowed_errors=LAYER_LINES)
        return {"away s": seconds, "acknowledged meanwhile": meanwhile}


SLEEPERS: list[dict[str, Any]] = [
    {"game": "dummygame", "preset": "endless", "seats": 3, "changes": {"turn_seconds": 1}},
    {"game": "chicago", "preset": "classic", "seats": 3, "changes": {"turn_seconds": 1}},
]
"""Tables where nobody answers, so that only the clock moves them on."""


async def deadlines_go_on(crowd: Crowd, more: int = 2) -> None:
    """Wait until the clock has answered for sleepers at every table `more` times."""
    start = {player: player.seq for player in crowd.players}
    await until(
        lambda: all(player.seq >= start[player] + more for player in crowd.players),
        "the clock acts at every table",
    )


async def clocks_killed(house: House, times: int) -> dict[str, float]:
    """Kill whichever process runs the clock, again and again; deadlines still happen."""
    async with Crowd(house.urls, house.world("make", SLEEPERS), seed=4) as crowd:
        for player in crowd.players:
            player.is_playing = False
        await crowd.all_current()
        await deadlines_go_on(crowd)
        for _ in range(times):
            pid = await asyncio.to_thread(house.world, "clock")
            await asyncio.to_thread(house.kill, pid)
            await deadlines_go_on(crowd)
            await asyncio.to_thread(house.revive)
        return await _wake(house, crowd)


async def _wake(house: House, crowd: Crowd) -> dict[str, float]:
    """Pause the sleepers' tables, so that they stand still, and prove them."""
    hosts = {player.table: player for player in reversed(crowd.players) if player.seat == 0}
    for host in hosts.values():
        await host.send(host.command("table.pause", {}, None))
    await crowd.hush()
    logs = await asyncio.to_thread(checks.prove, house, crowd.players)
    return {"entries by the clock": sum(logs[table]["seq"] - 2 for table in hosts)}


def main() -> None:
    """Let everything go wrong, one after the other, for the full time; each in a new house."""
    cellar = Backends()
    with tempfile.TemporaryDirectory(prefix="stammtisch-outages-") as folder:
        try:
            cellar.start()
            print("PostgreSQL restarted")
            with _opened(Path(folder) / "postgres", cellar) as house:
                show(asyncio.run(postgres_away(house, cellar, 10)))
            print("Redis flushed, killed, restarted")
            with _opened(Path(folder) / "redis", cellar) as house:
                show(asyncio.run(redis_away(house, cellar, 30)))
            print("Whoever runs the clock killed: deadlines")
            with _opened(Path(folder) / "clock", cellar) as house:
                house.start_clock()
                show(asyncio.run(clocks_killed(house, 10)))
        finally:
            cellar.stop()


@contextmanager
def _opened(folder: Path, cellar: Backends) -> Iterator[House]:
    """Open a house of two servers, whose log is its own."""
    folder.mkdir()
    house = House(folder, 2, **cellar.environment)
    house.open()
    try:
        yield house
    finally:
        house.close()


if __name__ == "__main__":
    main()
