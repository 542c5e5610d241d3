"""The outgoing frames of one browser: sent at once while none waits, in order, and never without bound."""

from __future__ import annotations

import asyncio
import logging
import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from typing import Any, TypeAlias

from games.live.servers import daphne
from games.ops import metrics
from games.refusals import close_of

logger = logging.getLogger(__name__)

Send: TypeAlias = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]

# A reader is too slow when this much waits for it: frames, and bytes in them.
LONGEST_QUEUE = 256
MOST_QUEUED = 512 * 1024
# A server that takes every frame at once may never report how much it still holds; so bytes sent since the last
# sign of life (a browser pings every 10 s) count as well.
MOST_UNANSWERED = 4 * 1024 * 1024


class Outbox:
    """The outgoing frames of one browser."""

    __slots__ = ("_line", "_queue", "_queued", "_send", "_task", "_unanswered", "is_closing")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._line = daphne.find(send)
        self._queue: deque[bytes | int] | None = None
        """Frames that wait behind one that the server has not taken yet; else None."""
        self._task: asyncio.Task[None] | None = None
        self._queued = self._unanswered = 0
        self.is_closing = False

    def put(self, text: bytes) -> None:
        """Send or queue a frame (JSON in UTF-8); close the connection of a reader that is too slow."""
        if self.is_closing:
            return
        if self._line is not None:
            if not self._line.write(text):
                self.close(close_of("too_slow"))
            return
        self._unanswered += len(text)
        if self._unanswered > MOST_UNANSWERED:
            self._give_up()
        elif self._queue is None:
            self._start(_message(text))
        else:
            self._wait(text)

    def _wait(self, text: bytes) -> None:
        """Queue a frame behind the waiting ones."""
        queue = self._queue or deque()
        self._queued += len(text)
        if len(queue) >= LONGEST_QUEUE or self._queued > MOST_QUEUED:
            self._give_up()
        else:
            queue.append(text)
            self._queue = queue

    def _give_up(self) -> None:
        if self._queue is not None:
            self._queue.clear()
        self.close(close_of("too_slow"))

    def close(self, code: int) -> None:
        """Close the connection after the queued frames; nothing is sent after the close."""
        if self.is_closing:
            return
        self.is_closing = True
        metrics.closed("house", code)
        if self._queue is None:
            self._start({"type": "websocket.close", "code": code})
        else:
            self._queue.append(code)

    def frame_received(self) -> None:
        """Note a sign of life: the reader has kept up."""
        self._unanswered = 0

    def end(self) -> None:
        """Send nothing more: the connection has gone."""
        self.is_closing = True
        if self._task is not None:
            self._task.cancel()

    def _start(self, message: dict[str, Any]) -> None:
        """Send a message: now if the server takes it at once, else in a task."""
        sending = self._send(message)
        try:
            awaited = sending.send(None)
        except StopIteration:
            return
        except Exception as error:
            self._broke(error)
            return
        self._queue, self._queued = deque(), 0
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._go_on(sending, awaited), context=Context())

    async def _go_on(self, sending: Coroutine[Any, Any, None], awaited: object) -> None:
        """Finish the send that the server held up, then send the frames queued meanwhile."""
        queue = self._queue or deque()
        try:
            await _resumed(sending, awaited)
            while queue:
                item = queue.popleft()
                if isinstance(item, int):
                    await self._send({"type": "websocket.close", "code": item})
                else:
                    self._queued -= len(item)
                    await self._send(_message(item))
        except Exception as error:
            self._broke(error)
        self._queue = self._task = None

    def _broke(self, error: Exception) -> None:
        """Note that the connection broke: an OSError under uvicorn, a RuntimeError under daphne."""
        self.is_closing = True
        if not isinstance(error, OSError | RuntimeError):
            logger.error("a frame could not be sent", exc_info=error)


def _message(text: bytes) -> dict[str, Any]:
    """Return the ASGI message of a text frame."""
    return {"type": "websocket.send", "text": text.decode()}


@types.coroutine
def _resumed(work: Coroutine[Any, Any, None], awaited: object) -> Generator[object, Any, None]:
    """Resume a coroutine that was started by hand and waits for `awaited`."""
    try:
        while True:
            try:
                result = yield awaited
            except BaseException as error:
                awaited = work.throw(error)
            else:
                awaited = work.send(result)
    except StopIteration:
        return
