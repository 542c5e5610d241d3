"""A small client for the live protocol, written only from docs/protocol.md.

It keeps the table as its player sees it, answers open decisions by a function of its owner,
sends unanswered commands again under the same id and comes back when the line breaks.
"""

import asyncio
import itertools
import json
import random
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.frames import whole

Frame = dict[str, Any]
Choose = Callable[[Frame, list[Frame]], tuple[Frame, Frame] | None]
"""(view, choices) → the choice to take and the arguments, or None to wait."""

FINAL = {4403, 4404}
WAITS = (0, 0.5, 1, 2, 4, 8)
PING_SECONDS = 8


class Client:
    """One player, screen or spectator at one table."""

    def __init__(self, server: str, table: str, cookie: str, choose: Choose) -> None:
        self.url = f"{server.replace('http', 'ws', 1)}/ws/table/{table}/"
        self.origin, self.cookie, self.choose = server, cookie, choose
        self.seq: int | None = None
        self.view: Frame | None = None
        self.choices: list[Frame] = []
        self.you: Frame = {}
        self.table: Frame = {"status": "lobby"}
        self.pending: dict[str, Frame] = {}
        self.line: ClientConnection | None = None
        self.seen: list[int] = []
        self.refusals: list[Frame] = []
        self.connections = 0
        self._numbers = itertools.count(1)
        self._name = random.randbytes(6).hex()

    async def play(self) -> None:
        """Stay at the table until its game is finished, however often the line breaks."""
        self._tries = 0
        while self.table["status"] != "finished":
            wait = WAITS[min(self._tries, len(WAITS) - 1)]
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))
            self._tries += 1
            try:
                await self._connect()
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in FINAL:
                    raise
            except (OSError, WebSocketException):
                continue

    async def _connect(self) -> None:
        headers = {"Cookie": self.cookie}
        async with connect(self.url, origin=self.origin, additional_headers=headers) as self.line:
            self.connections += 1
            await self._stay()

    async def _stay(self) -> None:
        """Say hello, then take frames until the game is finished."""
        await self._send({"type": "hello", "protocol": 1, "seq": self.seq})
        while self.table["status"] != "finished":
            try:
                async with asyncio.timeout(PING_SECONDS):
                    frame = json.loads(await self._line().recv())
            except TimeoutError:
                await self._send({"type": "ping", "seq": self.seq or 0})
                continue
            await self._take(frame)

    def _line(self) -> ClientConnection:
        assert self.line is not None
        return self.line

    async def _send(self, frame: Frame) -> None:
        await self._line().send(json.dumps(frame))

    async def _take(self, frame: Frame) -> None:
        """Act on a frame; kinds that a player need not know are let go by."""
        if frame["type"] == "welcome":
            self.you, self.table, self._tries = frame["you"], frame["table"], 0
            for waiting in self.pending.values():
                await self._send(waiting)
        elif frame["type"] == "state":
            self.seq = frame["seq"]
            await self._show(frame)
        elif frame["type"] == "entry":
            await self._entry(frame)
        elif frame["type"] == "table":
            self.table = frame["table"]
        elif frame["type"] == "error":
            await self._error(frame)

    async def _entry(self, frame: Frame) -> None:
        self.pending.pop(frame.get("id", ""), None)
        if frame["seq"] <= (self.seq or 0):
            return
        if frame["seq"] != (self.seq or 0) + 1:
            await self._send({"type": "ping", "seq": self.seq or 0})
            return
        self.seq = frame["seq"]
        self.seen.append(frame["seq"])
        self.table = frame.get("table", self.table)
        if "view" in frame:
            await self._show(frame)

    async def _show(self, frame: Frame) -> None:
        """Keep what is now true, and decide if something is open."""
        self.view, self.choices = whole(frame, self.view), frame["choices"]
        await self.wake()

    async def wake(self) -> None:
        """Decide now about what is open: the owner had waited, and nothing new has come."""
        if self.view is not None and self.choices and not self.pending:
            await self._decide()

    async def _decide(self) -> None:
        assert self.view is not None
        decision = self.choose(self.view, self.choices)
        if decision is not None:
            choice, args = decision
            await self.command(choice["name"], args, choice["basis"])

    async def command(self, name: str, args: Frame, basis: int | None = None) -> str:
        """Send a command; it stays pending until its entry or its refusal comes."""
        command_id = f"{self._name}-{next(self._numbers)}"
        frame = {"type": "command", "id": command_id, "name": name, "args": args, "basis": basis}
        self.pending[command_id] = frame
        await self._send(frame)
        return command_id

    async def _error(self, frame: Frame) -> None:
        command = self.pending.get(frame.get("id", ""))
        if frame["code"] == "busy" and command is not None:
            await asyncio.sleep(0.3)
            await self._send(command)
            return
        self.refusals.append(frame)
        refused = self.pending.pop(frame.get("id", ""), None)
        # Perhaps the table moved on meanwhile: then what is open now is not what it was.
        if refused and any(c["basis"] != refused["basis"] for c in self.choices):
            await self._decide()

    async def drop(self) -> None:
        """Break the line, as a dead network would."""
        if self.line is not None:
            self.line.transport.abort()
