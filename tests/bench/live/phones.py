"""Phones that note when their moves were made and when each of them saw an entry, and what follows from that.

They are the players of the fault runs (tests/faults/houses/clients.py), who come back and send again as the page's
script does, and whose journals are held to the house's logs.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.faults.connections.crowd import Crowd
from tests.faults.houses.checks import Logs
from tests.faults.houses.clients import PING_SECONDS, Frame, Player

PONG_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class Sight:
    """A move at one phone: the seconds from its storing until it was there; `is_cut`: the phone was away meanwhile."""

    seconds: float
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Move:
    """An acknowledged move: the seconds from the tap to the last phone, and its sight at each phone of the table.

    A throw takes longer by a way to all phones and back: each gives its link for the dice.
    """

    seconds: float
    is_throw: bool
    sights: tuple[Sight, ...]


class Phone(Player):
    """A player's phone with a watch, which asks the house whether it is there as often as the page does."""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self.tapped: dict[str, float] = {}
        self.seen: list[tuple[int, float]] = []
        self.away: list[tuple[float, float]] = []
        """From when to when the phone had no line, or had not been greeted."""
        self._left = self._heard = time.time()

    async def live(self) -> None:
        """Stay at the table until cancelled, however often the line breaks."""
        beat = asyncio.create_task(self._beat())
        try:
            await super().live()
        finally:
            beat.cancel()

    async def _beat(self) -> None:
        """Check the line every few seconds (games/static/games/shell/connection/connection.js)."""
        while True:
            await asyncio.sleep(PING_SECONDS - PONG_SECONDS)
            asked, line = time.time(), self.line
            await self.send({"type": "ping", "seq": self.seq})
            await asyncio.sleep(PONG_SECONDS)
            if self._heard < asked and self.line is line:
                self.drop()

    def command(self, name: str, args: Frame, basis: int | None) -> Frame:
        """Return a new command, and note when it was made."""
        frame = super().command(name, args, basis)
        # What the page says by itself, of the house's own kind, is no move.
        if not name.startswith("table."):
            self.tapped[frame["id"]] = time.time()
        return frame

    def saw(self, seq: int) -> float:
        """Return when the phone had an entry; infinity: never."""
        return next((at for shown, at in self.seen if shown >= seq), math.inf)

    def sight(self, seq: int, stored: float) -> Sight:
        """Return how the phone saw an entry that was stored at a moment."""
        seen = self.saw(seq)
        return Sight(seen - stored, any(left < seen and back > stored for left, back in self.away))

    async def _connect(self) -> None:
        try:
            await super()._connect()
        finally:
            # A try that was never greeted goes on with the absence that it was to end.
            self._left = self._left or time.time()

    async def _welcomed(self, frame: Frame) -> None:
        now = time.time()
        self.away.append((self._left, now))
        self._left = 0.0
        await super()._welcomed(frame)

    async def _take(self, frame: Frame) -> None:
        await super()._take(frame)
        self._heard = now = time.time()
        if not self.seen or self.seen[-1][0] < self.seq:
            self.seen.append((self.seq, now))


class Phones(Crowd):
    """The phones of the tables of a world, each with an address of its own, as in a pub."""

    kind = Phone
    players: list[Phone]  # type: ignore[assignment]

    def __init__(self, urls: list[str], world: list[dict[str, Any]], seed: int, **how: Any) -> None:
        super().__init__(urls, world, seed, **how)
        for number, phone in enumerate(self.players):
            phone.source = f"127.0.{2 + number // 250}.{1 + number % 250}"

    def moves(self, logs: Logs) -> list[Move]:
        """Return every acknowledged move, with the house's logs, which know when it was stored."""
        return [move for phone in self.players for move in self._moves(phone, logs[phone.table]["entries"])]

    def _moves(self, sender: Phone, entries: Sequence[dict[str, Any]]) -> list[Move]:
        table = [phone for phone in self.players if phone.table == sender.table]
        stored = {entry["seq"]: entry for entry in entries}
        found = []
        for command_id, seq in sender.journal.acknowledged.items():
            if command_id in sender.tapped and (entry := stored.get(seq)):
                sights = tuple(phone.sight(seq, entry["at"]) for phone in table)
                last = max(phone.saw(seq) for phone in table)
                found.append(Move(last - sender.tapped[command_id], bool(entry["throw"]), sights))
        return found


def within(seconds: Sequence[float], part: float) -> float:
    """Return the seconds within which so large a part came; 0 where nothing did."""
    return sorted(seconds)[min(len(seconds) - 1, int(part * len(seconds)))] if seconds else 0.0
