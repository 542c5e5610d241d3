"""A storm of commands on tables of eight: `python -m tests.faults.storm 100000`.

Every seat has several devices on several servers. They send legal answers, answers to what
is past, other seats' answers and nonsense; many commands twice, late, out of order, from
two devices at once. What was accepted must be what a serial run of it gives.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.faults.connections.crowd import Crowd
from tests.faults.houses import checks
from tests.faults.houses.backends import Backends
from tests.faults.houses.clients import Frame, Player
from tests.faults.houses.houses import House
from tests.faults.kills import show
from tests.frames import listed

TABLES: list[dict[str, Any]] = [
    {"game": "chouette", "preset": "german", "changes": {"max_players": 8}},
    {"game": "chicago", "preset": "classic", "changes": {"rounds": 0}},
]
LONGEST_DELAY = 0.5
# Of one device: a storm, but not one that takes minutes to be answered.
MOST_UNANSWERED = 4
NONSENSE = ("throw", "table.close", "table.kick", "table.nowhere", "no such thing", "table.nudge")


class Storm:
    """The commands of one run: `left` are still to be thought of, `frames` have been sent."""

    def __init__(self, crowd: Crowd, commands: int, seed: int) -> None:
        self.crowd, self.left, self.frames = crowd, commands, 0
        self.rng = random.Random(seed)
        self.past: dict[int, list[Frame]] = {}
        self.devices: dict[int, list[Player]] = {}
        for player in crowd.players:
            player.is_playing = False
            self.devices.setdefault(player.who, []).append(player)

    async def rage(self) -> None:
        """Send until nothing is left, from all devices at once."""
        await asyncio.gather(*[self._device(player) for player in self.crowd.players])

    async def _device(self, player: Player) -> None:
        while self.left > 0:
            await asyncio.sleep(player.pace * self.rng.uniform(0.5, 1.5))
            if player.line is None or not player.may_send():
                continue
            if len(player.pending) >= MOST_UNANSWERED:
                continue
            # Who has nothing to say says something now and then all the same.
            if not player.choices and self.rng.random() < 0.7:
                continue
            if self.rng.random() < 0.002:
                player.drop()
            elif self.rng.random() < 0.15 and self.past.get(player.who):
                await self._send(player, self.rng.choice(self.past[player.who]))
            else:
                await self._new(player)

    async def _new(self, player: Player) -> None:
        """Send a new command, now or later, perhaps from another device too."""
        name, args, basis = self._thought(player)
        frame = player.command(name, args, basis)
        self.left -= 1
        self.past.setdefault(player.who, []).append(frame)
        await self._late()
        await self._send(player, frame)
        if self.rng.random() < 0.3:
            other = self.rng.choice(self.devices[player.who])
            await self._late()
            await self._send(other, frame)

    async def _late(self) -> None:
        if self.rng.random() < 0.2:
            await asyncio.sleep(self.rng.uniform(0, LONGEST_DELAY))

    async def _send(self, player: Player, frame: Frame) -> None:
        self.frames += 1
        await player.send(frame)

    def _thought(self, player: Player) -> tuple[str, Frame, int | None]:
        """Return a command: mostly an answer to an open decision, whosever it is."""
        dice = self.rng.random()
        if dice < 0.02:
            return "table.pause", {}, None
        if dice < 0.10 and player.seat == 0:
            return "table.resume", {}, None
        if dice < 0.15:
            # A host who closes the table is obeyed, and the storm is over there.
            nonsense = NONSENSE if player.seat else tuple(n for n in NONSENSE if n != "table.close")
            return self.rng.choice(nonsense), {"seat": 99}, self.rng.randrange(1, 99)
        if dice < 0.25 and (past := self.past.get(player.who)):
            old = self.rng.choice(past[-20:])
            return old["name"], old["args"], old["basis"]
        peers = [p for p in self.crowd.players if p.table == player.table and p.choices]
        asked = player if player.choices and dice < 0.9 else self.rng.choice(peers or [player])
        if not asked.choices:
            return "table.resume", {}, None
        choice = self.rng.choice(asked.choices)
        return choice["name"], self.rng.choice(listed(choice)), choice["basis"]


async def storm(house: House, commands: int, tables: int, seed: int) -> dict[str, float]:
    """Let a storm pass over an open house; prove what is left."""
    specs = [TABLES[number % 2] | {"seats": 8, "devices": 4, "is_sealed": True} for number in range(tables)]
    world = house.world("make", specs)
    async with Crowd(house.urls, world, seed, pace=0.1) as crowd:
        await crowd.all_current()
        storm = Storm(crowd, commands, seed)
        start = time.monotonic()
        await storm.rage()
        await crowd.hush()
        seconds = time.monotonic() - start
        logs = await asyncio.to_thread(checks.prove, house, crowd.players)
        for table in world:
            differences = await asyncio.to_thread(house.world, "again", table["table"])
            assert differences == [], differences[:20]
        return {
            "commands": commands,
            "frames": storm.frames,
            "accepted": sum(logs[table["table"]]["seq"] - 1 for table in world),
            "seconds": seconds,
            "frames a second": storm.frames / seconds,
        }


def main() -> None:
    """Send as many commands as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", type=int)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    print(f"seed {asked.seed}")
    backends = Backends()
    with tempfile.TemporaryDirectory(prefix="stammtisch-storm-") as folder:
        try:
            backends.start()
            house = House(Path(folder), 2, **backends.environment)
            house.open()
            try:
                show(asyncio.run(storm(house, asked.commands, asked.tables, asked.seed)))
            finally:
                house.close()
        finally:
            backends.stop()


if __name__ == "__main__":
    main()
