"""A server is killed at random points under load: `python -m tests.faults.kills 200`."""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.faults.connections.crowd import Crowd
from tests.faults.houses import checks
from tests.faults.houses.houses import House

ENDLESS: list[dict[str, Any]] = [
    *[{"game": "dummygame", "preset": "endless", "seats": 3}] * 3,
    *[{"game": "chicago", "preset": "classic", "seats": 4}] * 3,
    *[{"game": "chouette", "preset": "german", "seats": 4}] * 2,
]
"""Tables of every game that play until the host ends it."""


async def kill_often(house: House, kills: int, seed: int) -> dict[str, float]:
    """Kill a server of an open house again and again while a crowd plays; prove what is left.

    The seconds are counted from the start of the only server, or from the kill of one of two.
    """
    rng = random.Random(seed)
    world = house.world("make", ENDLESS)
    waits = []
    async with Crowd(house.urls, world, seed, has_pad=True) as crowd:
        await crowd.all_current()
        for _ in range(kills):
            await crowd.goes_on(1)
            await asyncio.sleep(rng.uniform(0, 1))
            server = rng.choice(house.servers)
            await asyncio.to_thread(server.stop, signal.SIGKILL)
            since = time.monotonic()
            await asyncio.to_thread(server.start)
            if len(house.servers) == 1:
                since = time.monotonic()
            await crowd.all_current()
            waits.append(max(0.0, max(p.current_at for p in crowd.players) - since))
        await crowd.goes_on(1)
        await crowd.hush()
        resent = sum(player.connections for player in crowd.players)
        logs = await asyncio.to_thread(checks.prove, house, crowd.players)
        levels = checks.levels(logs)
        assert levels.get("A"), f"no throw had both devices: {levels}"
        return {
            "kills": kills,
            "acknowledged": crowd.acknowledged,
            **{f"throws of level {level}": n for level, n in sorted(levels.items())},
            "connections lost": resent,
            "median s until all are current": sorted(waits)[len(waits) // 2],
            "longest s until all are current": max(waits),
        }


def show(figures: dict[str, float]) -> None:
    """Print figures, one a line."""
    for name, value in figures.items():
        print(f"{name}: {value:.2f}" if isinstance(value, float) else f"{name}: {value}")


def main() -> None:
    """Kill as often as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    print(f"seed {asked.seed}")
    with tempfile.TemporaryDirectory(prefix="stammtisch-kills-") as folder:
        house = House(Path(folder))
        house.open()
        try:
            show(asyncio.run(kill_often(house, asked.kills, asked.seed)))
        finally:
            house.close()


if __name__ == "__main__":
    main()
