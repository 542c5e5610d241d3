"""Players of a fault run, written from docs/protocol.md, who keep a journal of what they heard.

A player says hello with the last seq, sends what was not acknowledged again under the same
id, comes back with back-off when the line breaks (to the next server, where there are
several), and answers open decisions at random. What they heard is proved in checks.py.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections import deque
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from games.kernel.dice import chains
from tests.frames import listed

Frame = dict[str, Any]

ASK: Frame = {"type": "ping", "seq": None}
FINAL = {4403, 4404}
WAITS = (0, 0.5, 1, 2, 4, 8)
PING_SECONDS = 8
# Below the server's limit (100 frames in 20 s): the players of this page are honest.
FRAMES, FRAMES_SECONDS = 80, 20.0
BUSY_SECONDS = 0.3

# The only choice of a game that gives up a seat. These players keep theirs: what they were told is held to it.
LEAVING = "leave_after"


class Pad:
    """The chain of a device, and what it gave: for each throw one link, however often it is asked."""

    def __init__(self, rng: random.Random) -> None:
        self._secret, self.top = rng.randbytes(32), 0
        self.given: dict[int, str] = {}
        self._asked: dict[int, tuple[Any, ...]] = {}

    def link(self, index: int) -> str:
        """Return a link of the chain; 0 is its tip."""
        return chains.link_of(chains.SEAT, self._secret, chains.SEAT_LENGTH, index).hex()

    def answered(self, ask: Frame) -> tuple[str | None, str | None]:
        """Return the link for a `dice_ask`, and what is wrong with being asked; None where there is none."""
        k, about = ask["k"], (ask["ctx"], ask["n"], ask["roller"], ask["commitment"])
        if self._asked.setdefault(k, about) != about:
            return None, f"asked for throw {k} with {about} and {self._asked[k]}"
        if k not in self.given:
            if ask["last"] != self.link(self.top):
                return None, None
            self.top += 1
            self.given[k] = self.link(self.top)
        return self.given[k], None


@dataclass(slots=True)
class Journal:
    """What one connection after another told a player."""

    acknowledged: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    told: dict[int, list[Frame]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    closes: list[int | None] = field(default_factory=list)
    busy: int = 0


class Player:
    """One device of one player at one table."""

    def __init__(
        self,
        urls: list[str],
        table: str,
        cookie: str,
        *,
        who: int,
        rng: random.Random,
        home: int = 0,
        pace: float = 0.05,
        twice: float = 0.1,
        source: str | None = None,
        has_pad: bool = False,
    ) -> None:
        self.pad = Pad(rng) if has_pad else None
        self.urls, self.table, self.cookie, self.who = urls, table, cookie, who
        # The ids of the players that were merged into `who`: the first commands are logged with these.
        self.earlier: set[int] = set()
        self.rng, self.home, self.pace, self.twice, self.source = rng, home, pace, twice, source
        self.journal = Journal()
        self.seq = 0
        self.seat: int | None = None
        self.status = ""
        self.choices: list[Frame] = []
        self.clocks_heard: list[int] = []
        self.minutes_off = 0
        self.pending: dict[str, Frame] = {}
        self.line: ClientConnection | None = None
        self.is_playing = True
        self.is_current = asyncio.Event()
        self.current_at = 0.0
        self.connections = 0
        self._tries = 0
        self._is_welcome = False
        self._sent: deque[float] = deque()
        self._name = f"{rng.getrandbits(48):x}"
        self._numbers = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    # The line

    async def live(self) -> None:
        """Stay at the table until cancelled, however often the line breaks."""
        acting = asyncio.create_task(self._act())
        try:
            while True:
                wait = WAITS[min(self._tries, len(WAITS) - 1)]
                await asyncio.sleep(wait * self.rng.uniform(0.5, 1))
                self._tries += 1
                await self._connect()
        finally:
            acting.cancel()

    async def _connect(self) -> None:
        url = self.urls[(self.home + self.connections) % len(self.urls)]
        address = f"{url.replace('http', 'ws', 1)}/ws/table/{self.table}/"
        bind = {"local_addr": (self.source, 0)} if self.source else {}
        # Of a device's clock nothing but this ever reaches a server.
        date = formatdate(time.time() + 60 * self.minutes_off, usegmt=True)
        headers = {"Cookie": self.cookie, "Date": date}
        try:
            async with connect(address, origin=url, additional_headers=headers, open_timeout=20, **bind) as self.line:
                self._sent.clear()
                await self._stay()
        except ConnectionClosed as closed:
            self.journal.closes.append(closed.rcvd.code if closed.rcvd else None)
            if self.journal.closes[-1] in FINAL:
                raise
        except (OSError, WebSocketException):
            pass
        finally:
            self.line = None
            self.is_current.clear()
            self._is_welcome = False
            # Where there are several servers the next one is tried.
            self.connections += 1

    async def _stay(self) -> None:
        await self.send(self._hello())
        while True:
            assert self.line is not None
            try:
                async with asyncio.timeout(PING_SECONDS):
                    text = await self.line.recv()
            except TimeoutError:
                await self.send({"type": "ping", "seq": self.seq})
                continue
            await self._take(json.loads(text))

    def _hello(self) -> Frame:
        return {"type": "hello", "protocol": 1, "seq": self.seq or None}

    async def send(self, frame: Frame) -> None:
        """Send a frame, unless the line has just broken: then what counts is sent again."""
        line = self.line
        if line is None:
            return
        self._sent.append(time.monotonic())
        try:
            await line.send(json.dumps(frame))
        except ConnectionClosed:
            return

    def drop(self) -> None:
        """Break the line, as a dead network would."""
        if self.line is not None:
            self.line.transport.abort()

    # What is heard

    async def _take(self, frame: Frame) -> None:
        match frame["type"]:
            case "welcome":
                await self._welcomed(frame)
            case "state":
                self._state(frame)
            case "entry":
                await self._entry(frame)
            case "pong":
                self._pong(frame)
            case "dice_ask" if self.pad is not None:
                await self._give(self.pad, frame)
            case "error":
                self._error(frame)

    async def _give(self, pad: Pad, ask: Frame) -> None:
        """Give the device's link for a throw."""
        link, wrong = pad.answered(ask)
        if wrong:
            self.journal.wrong.append(wrong)
        if link:
            await self.send({"type": "link", "k": ask["k"], "link": link})

    async def _welcomed(self, frame: Frame) -> None:
        self.seat, self.status, self._tries = frame["you"]["seat"], frame["table"]["status"], 0
        self._is_welcome = True
        for waiting in list(self.pending.values()):
            await self.send(waiting)
        known = frame.get("dice", {}).get("links", {}).get(str(self.seat), {}).get("link")
        if self.pad is not None and self.seat is not None and known != self.pad.link(self.pad.top):
            await self.send(self.command("table.dice_tip", {"tip": self.pad.link(self.pad.top)}, None))
        await self.send(ASK)

    def _pong(self, frame: Frame) -> None:
        """Note when everything that was stored at the time of the ping has been heard."""
        if frame["seq"] is not None and self.seq >= frame["seq"] and not self.is_current.is_set():
            self.current_at = time.monotonic()
            self.is_current.set()

    def _state(self, frame: Frame) -> None:
        if frame["seq"] < self.seq:
            self.journal.wrong.append(f"went back from {self.seq} to {frame['seq']}")
        self.seq = frame["seq"]
        self._show(frame)

    def _show(self, frame: Frame) -> None:
        self.choices = [choice for choice in frame["choices"] if choice["name"] != LEAVING]
        self.clocks_heard.extend(frame["clocks"].values())

    async def _entry(self, frame: Frame) -> None:
        if "id" in frame:
            self._acknowledge(frame)
        seq, events = frame["seq"], frame["events"]
        if self.journal.told.setdefault(seq, events) != events:
            self.journal.wrong.append(f"entry {seq} was told twice, differently")
        if seq == self.seq + 1:
            self.seq = seq
            self.status = frame.get("table", {}).get("status", self.status)
            if "view" in frame:
                self._show(frame)
        elif seq > self.seq:
            await self.send({"type": "ping", "seq": self.seq})

    def _acknowledge(self, frame: Frame) -> None:
        self.pending.pop(frame["id"], None)
        seq = self.journal.acknowledged.setdefault(frame["id"], frame["seq"])
        if seq != frame["seq"]:
            self.journal.wrong.append(f"{frame['id']} is entry {seq} and {frame['seq']}")

    def _error(self, frame: Frame) -> None:
        command = self.pending.get(frame.get("id", ""))
        if frame["code"] == "busy":
            self.journal.busy += 1
            if command is not None:
                self._later(command)
            elif not self.is_current.is_set():
                self._later(ASK if self._is_welcome else self._hello())
        elif command is not None:
            del self.pending[frame["id"]]
            self.journal.refused[frame["id"]] = frame["code"]
        else:
            self.journal.errors.append(frame["code"])

    def _later(self, frame: Frame) -> None:
        """Send a frame again after a moment, as `busy` asks."""

        async def again() -> None:
            await asyncio.sleep(BUSY_SECONDS * self.rng.uniform(1, 2))
            if frame.get("id") is None or frame["id"] in self.pending:
                await self.send(frame)

        task = asyncio.create_task(again())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # What is done

    async def _act(self) -> None:
        while True:
            await asyncio.sleep(self.pace * self.rng.uniform(0.5, 1.5))
            is_ready = self._is_welcome and not self.pending and self.may_send()
            if self.is_playing and self.choices and is_ready:
                required = [choice for choice in self.choices if choice["required"]]
                if required or self.rng.random() < 0.1:
                    await self.answer(self.rng.choice(required or self.choices))

    def may_send(self) -> bool:
        """Tell whether another frame keeps to the limit of docs/protocol.md §7."""
        now = time.monotonic()
        while self._sent and self._sent[0] < now - FRAMES_SECONDS:
            self._sent.popleft()
        return len(self._sent) < FRAMES

    async def answer(self, choice: Frame) -> None:
        """Answer an open decision with one of its options, sometimes twice."""
        args = self.rng.choice(listed(choice))
        frame = self.command(choice["name"], args, choice["basis"])
        await self.send(frame)
        if self.rng.random() < self.twice:
            await self.send(frame)

    def command(self, name: str, args: Frame, basis: int | None) -> Frame:
        """Return a new command; it is pending until its entry or its refusal comes."""
        command_id = f"{self._name}-{next(self._numbers)}"
        frame = {"type": "command", "id": command_id, "name": name, "args": args, "basis": basis}
        self.pending[command_id] = frame
        return frame
