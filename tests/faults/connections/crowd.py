"""A crowd of players, at play together: waiting for them, stopping them, counting them."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.faults.houses.clients import Player

# Bounds of waiting, not of speed: a test machine may be busy.
PATIENCE = 60.0
AN_ADDRESS = 20


async def until(what: Callable[[], bool], why: str, seconds: float = PATIENCE) -> float:
    """Wait until something holds; return the seconds it took."""
    start = time.monotonic()
    while not what():
        assert time.monotonic() < start + seconds, f"not within {seconds} s: {why}"
        await asyncio.sleep(0.02)
    return time.monotonic() - start


class Crowd:
    """The players of a world (world.py), one for each device."""

    kind: type[Player] = Player

    def __init__(self, urls: list[str], world: list[dict[str, Any]], seed: int, tabs: int = 1, **how: Any) -> None:
        rng = random.Random(seed)
        self.players = [
            self.kind(
                urls,
                table["table"],
                cookie,
                who=person["id"],
                rng=random.Random(rng.random()),
                home=number,
                **how,
            )
            for table in world
            for person in table["players"] + table["watchers"]
            for number, cookie in enumerate(person["cookies"] * tabs, rng.randrange(len(urls)))
        ]
        for number, player in enumerate(self.players):
            # Few from each address: a house counts the sockets of one.
            player.source = f"127.0.{1 + number // AN_ADDRESS // 250}.{1 + number // AN_ADDRESS % 250}"
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Crowd:
        self._tasks = [asyncio.create_task(player.live()) for player in self.players]
        return self

    async def __aexit__(self, *exc: object) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def part(self, who: int) -> list[Player]:
        """Take a person out who was deleted; return the devices.

        A process beside the servers deleted: no server has heard of it. Each device comes back, and is refused.
        """
        gone = [player for player in self.players if player.who == who]
        tasks = [self._tasks[self.players.index(player)] for player in gone]
        for player in gone:
            player.drop()
        await until(lambda: all(task.done() for task in tasks), "who is gone is refused")
        self.players = [player for player in self.players if player not in gone]
        self._tasks = [task for task in self._tasks if task not in tasks]
        for task in tasks:
            assert isinstance(task.exception(), ConnectionClosed), task.exception()
        return gone

    def check(self) -> None:
        """Raise what has ended a player's life at the table, if anything has."""
        for task in self._tasks:
            if task.done():
                task.result()

    @property
    def acknowledged(self) -> int:
        """Return how many commands have been acknowledged."""
        return sum(len(player.journal.acknowledged) for player in self.players)

    @property
    def busy(self) -> int:
        """Return how many answers said `busy`."""
        return sum(player.journal.busy for player in self.players)

    async def all_current(self, seconds: float = PATIENCE) -> None:
        """Wait until everybody has heard all that was stored when they came."""
        await until(
            lambda: all(player.is_current.is_set() for player in self.players),
            "all players are current",
            seconds,
        )
        self.check()

    async def goes_on(self, more: int, seconds: float = PATIENCE) -> None:
        """Wait until `more` further commands have been acknowledged."""
        start = self.acknowledged
        await until(lambda: self.acknowledged >= start + more, f"{more} more acknowledged", seconds)

    async def hush(self) -> None:
        """Stop playing and wait until every command is answered and everybody has all of it."""
        for player in self.players:
            player.is_playing = False
        await until(lambda: not any(player.pending for player in self.players), "all answered")
        await until(self._agree, "all devices of a table are at the same entry")
        self.check()

    def _agree(self) -> bool:
        heads: dict[str, set[int]] = {}
        for player in self.players:
            heads.setdefault(player.table, set()).add(player.seq if player.line else -1)
        return all(len(seqs) == 1 and -1 not in seqs for seqs in heads.values())
