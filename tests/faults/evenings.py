"""Evenings on which servers are killed, and people merged and deleted: `python -m tests.faults.evenings 60`.

An evening has a table of each game, whose people play at random over sockets. Meanwhile the acts come in any order,
two at once now and then. Afterwards the journals are held against the log, and the rows against the laws of
tests/collisions/laws.py: no acknowledged move is lost or doubled, nobody has rights or a name after being gone.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.faults.connections.crowd import Crowd
from tests.faults.houses import checks
from tests.faults.houses.backends import Backends
from tests.faults.houses.clients import Player
from tests.faults.houses.houses import House
from tests.faults.kills import show

TABLES: list[dict[str, Any]] = [
    {"game": "dummygame", "preset": "endless", "seats": 3, "devices": 2},
    {"game": "chicago", "preset": "classic", "seats": 4, "watchers": 1},
    {"game": "chouette", "preset": "german", "seats": 5, "watchers": 1},
]
ACTS = ("kill", "merge", "delete")


class Evening:
    """One evening in an open house; `figures` counts what has happened."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.rng, self.seed = house, random.Random(seed), seed
        self.figures: Counter[str] = Counter()
        self.names: list[str] = []
        self.gone: list[Player] = []
        self.bereft: set[str] = set()
        self.merged: set[int] = set()

    async def pass_by(self) -> None:
        """Play, with each act twice in any order, and prove what is left."""
        self.world = await asyncio.to_thread(self.house.world, "make", TABLES)
        hosts = {table["players"][0]["id"] for table in self.world}
        async with Crowd(self.house.urls, self.world, self.seed, has_pad=True) as self.crowd:
            await self.crowd.all_current()
            self.free = {player.who: player.table for player in self.crowd.players if player.who not in hosts}
            acts = [*ACTS, *ACTS]
            self.rng.shuffle(acts)
            while acts:
                await self.crowd.goes_on(2)
                at_once = [acts.pop() for _ in range(min(len(acts), self.rng.choice((1, 1, 2))))]
                await asyncio.gather(*(self._do(act) for act in set(at_once)))
                await self.crowd.all_current()
            await self.crowd.goes_on(2)
            await self.crowd.hush()
            self.figures["acknowledged"] = self.crowd.acknowledged
            await asyncio.to_thread(self._prove)

    async def _do(self, act: str) -> None:
        await asyncio.sleep(self.rng.uniform(0, 0.5))
        await getattr(self, f"_{act}")()
        self.figures[act] += 1

    async def _kill(self) -> None:
        server = self.rng.choice(self.house.servers)
        await asyncio.to_thread(server.stop, signal.SIGKILL)
        await asyncio.to_thread(server.start)

    async def _merge(self) -> None:
        who = self.rng.choice(sorted(set(self.free) - self.merged))
        table = self.free.pop(who)
        now = await asyncio.to_thread(self.house.world, "merge", who)
        for player in self.crowd.players:
            if player.who == who:
                player.who, player.earlier = now, {who}
        self.free[now] = table
        self.merged.add(now)

    async def _delete(self) -> None:
        """One of a table's people goes: those who stay can play on."""
        who = self.rng.choice(sorted(who for who, table in self.free.items() if table not in self.bereft))
        self.bereft.add(self.free.pop(who))
        self.names += await asyncio.to_thread(self.house.world, "delete", who)
        self.gone += await self.crowd.part(who)

    def _prove(self) -> None:
        logs = checks.prove(self.house, self.crowd.players)
        for player in self.gone:
            # What was never answered was lost with the person; what was, is held as everybody's is.
            player.pending.clear()
            player.seq = logs[player.table]["seq"]
            found = checks.faults(player, logs[player.table], set(player.journal.acknowledged))
            assert found == [], found[:20]
        assert (broken := self.house.world("broken", self.names)) == [], broken


async def pass_by(house: House, seed: int, *, minutes: float = 0.0) -> Counter[str]:
    """Spend one evening in an open house, or as many as the minutes hold."""
    figures: Counter[str] = Counter()
    end = time.monotonic() + 60 * minutes
    while True:
        evening = Evening(house, seed)
        try:
            await evening.pass_by()
        except BaseException:
            print(f"seed {seed}")
            raise
        figures += evening.figures
        figures["evenings"] += 1
        seed += 1
        if time.monotonic() >= end:
            return figures


def main() -> None:
    """Spend the minutes of the command line in a house on SQLite, or of two servers on PostgreSQL and Redis."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--scaled", action="store_true")
    asked = parser.parse_args()
    print(f"seed {asked.seed}")
    backends = Backends() if asked.scaled else None
    if backends is not None:
        backends.start()
    with tempfile.TemporaryDirectory(prefix="stammtisch-evenings-") as folder:
        house = House(Path(folder), 2, **backends.environment) if backends is not None else House(Path(folder))
        house.open()
        try:
            show(dict(asyncio.run(pass_by(house, asked.seed, minutes=asked.minutes))))
        finally:
            house.close()
            if backends is not None:
                backends.stop()


if __name__ == "__main__":
    main()
