"""One connection, as a room sees it: who it is, what it has been sent, and a bounded way out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from channels.db import database_sync_to_async
from django.utils import translation

from games.kernel.contract import JsonObject, Seat
from games.messages import error_json, translate
from games.services import metrics
from games.services.reading import Access

logger = logging.getLogger(__name__)

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]

CLOSE_COME_BACK = 4401
CLOSE_BAD = 4400
CLOSE_FORBIDDEN = 4403
CLOSE_NOT_FOUND = 4404
CLOSE_NO_HELLO = 4408
CLOSE_TOO_LONG = 4413
CLOSE_TOO_MANY = 4429
CLOSE_TOO_SLOW = 4430

# A reader is too slow when this much waits for it. Daphne takes every frame at once and
# never says how much it still holds, so characters sent since the last sign of life (a
# reader pings every 10 s) count as well.
LONGEST_QUEUE = 256
MOST_UNHEARD = 4 * 1024 * 1024
SILENCE_SECONDS = 25.0


async def in_database(function: Callable[..., Any], *args: Any) -> Any:
    """Run a function that reads or writes the database, in the thread that all sockets share.

    One call for all that belongs together: each one waits for its turn in that thread.
    """
    return await database_sync_to_async(function)(*args)


def encode(value: JsonObject | str | None) -> str:
    """Return a frame, or a part of one, as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def with_field(text: str, name: str, encoded: str) -> str:
    """Return an encoded object with a field added, without encoding it again."""
    return f'{text[:-1]},"{name}":{encoded}}}'


class Outbox:
    """Frames on their way to one browser, sent in order by `run`."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._frames: deque[str | int] = deque()
        self._wake = asyncio.Event()
        self._unheard = 0
        self.is_closing = False

    def put(self, text: str) -> None:
        """Queue a frame; a reader that is too slow is closed instead."""
        if self.is_closing:
            return
        self._unheard += len(text)
        if len(self._frames) >= LONGEST_QUEUE or self._unheard > MOST_UNHEARD:
            self._frames.clear()
            self.close(CLOSE_TOO_SLOW)
            return
        self._frames.append(text)
        self._wake.set()

    def close(self, code: int) -> None:
        """Close the connection after what is queued; nothing is queued behind it."""
        if not self.is_closing:
            self.is_closing = True
            self._frames.append(code)
            self._wake.set()

    def heard(self) -> None:
        """Note a sign of life: the reader has kept up."""
        self._unheard = 0

    async def run(self) -> None:
        """Send what is queued, until the connection closes or breaks."""
        # A line that broke meanwhile: an OSError under uvicorn, a RuntimeError under daphne.
        with contextlib.suppress(OSError, RuntimeError):
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._frames:
                    item = self._frames.popleft()
                    if isinstance(item, int):
                        metrics.closed("house", item)
                        await self._send({"type": "websocket.close", "code": item})
                        return
                    await self._send({"type": "websocket.send", "text": item})


class Socket:
    """A connection: language, signs of life, and its place in a room once it has one.

    `player_id` is None for a screen, and for everybody before their rights are known.
    `seq`, `you` and `table` are what it was last sent. While a snapshot is being read for
    it, `backlog` keeps what the room delivers meanwhile.
    """

    def __init__(self, outbox: Outbox, language: str, now: float) -> None:
        self.outbox = outbox
        self.language = language
        self.access: Access | None = None
        self.player_id: int | None = None
        self.seat: Seat | None = None
        self.seq = 0
        self.you: JsonObject | None = None
        self.table: JsonObject | None = None
        self.known_chat: set[int] = set()
        self.backlog: list[Callable[[Socket], None]] | None = None
        self.resync: Callable[[], None] = lambda: None
        self.is_hidden = False
        self.heard_at = now

    def is_awake(self, now: float) -> bool:
        """Tell whether somebody is looking: shown, and heard within the last 25 s."""
        return not self.is_hidden and now - self.heard_at < SILENCE_SECONDS

    def heard(self, now: float) -> None:
        """Note a frame from this connection."""
        self.heard_at = now
        self.outbox.heard()

    def deliver(self, delivery: Callable[[Socket], None]) -> None:
        """Let a delivery put its frames, or keep it while a snapshot is on its way."""
        if self.backlog is None:
            delivery(self)
        else:
            self.backlog.append(delivery)

    def put(self, frame: JsonObject) -> None:
        """Queue a frame for this connection alone."""
        self.outbox.put(encode(frame))

    def refuse(
        self, code: str, params: JsonObject | None = None, frame_id: str | None = None
    ) -> None:
        """Queue an `error`, in the connection's language."""
        game_id = self.access.game_id if self.access else None
        with translation.override(self.language):
            frame = error_json(code, params or {}, game_id)
        self.put(frame if frame_id is None else {**frame, "id": frame_id})

    def dismiss(self, code: str, close: int) -> None:
        """Say `bye` with the reason, and close."""
        with translation.override(self.language):
            message = translate(code, {})
        self.put({"type": "bye", "code": code, "message": message})
        self.outbox.close(close)
