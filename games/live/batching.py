"""Batching: database queries of many sockets that wait at the same time are answered in one visit.

All connections of a process share one thread for the database (`in_database`). While it is busy, further queries
gather; one visit then answers up to `MOST_AT_ONCE` of them. Many phones that wake up at once therefore cost a few
statements, not some for each. Questions that come all the time can be kept for a moment, so that they share a visit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Any, Generic, TypeVar

from games.live.rooms.sockets import in_database

Question = TypeVar("Question")
Answer = TypeVar("Answer")

# Enough to share the cost of a visit; few enough that their answers, which are all in memory at once, do not make the
# process grow for good.
MOST_AT_ONCE = 16


class Together(Generic[Question, Answer]):
    """A queue of questions of one kind; `answer` takes some of them and returns as many answers, in order.

    A visit answers up to `most` questions, and begins no sooner than `apart` seconds after the one before it began.
    An answer that is an exception is raised in the `ask` of its question. An exception that `answer` itself raises is
    raised in all of them.
    """

    def __init__(
        self,
        answer: Callable[[Sequence[Question]], Sequence[Answer | Exception]],
        *,
        most: int = MOST_AT_ONCE,
        apart: float = 0.0,
    ) -> None:
        self._answer = answer
        self._most, self._apart = most, apart
        self._next_visit_at = 0.0
        self._waiting: list[tuple[Question, asyncio.Future[Any]]] = []
        self._asker_task: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer:
        """Return the answer to a question; raises the answer if it is an exception."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((question, waiting))
        if self._asker_task is None:
            self._asker_task = loop.create_task(self._ask_all(), context=Context())
        return await waiting

    async def _ask_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            if (early := self._next_visit_at - loop.time()) > 0:
                await asyncio.sleep(early)
            self._next_visit_at = loop.time() + self._apart
            now, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            try:
                answers = await in_database(self._answer, [question for question, _ in now])
            except Exception as error:
                answers = [error] * len(now)
            for (_, waiting), answer in zip(now, answers, strict=True):
                if waiting.done():  # the connection has gone
                    continue
                if isinstance(answer, Exception):
                    waiting.set_exception(answer)
                else:
                    waiting.set_result(answer)
        self._asker_task = None
