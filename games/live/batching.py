"""Batching: questions of many sockets to the database that wait together are asked in one statement.

All connections of a process share one thread to the database (`in_database`). While it is
busy the next questions gather; then one visit answers them all, and a cellar of phones that
wake up at once costs a few statements and not some for each.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Any, Generic, TypeVar

from games.live.rooms.sockets import in_database

Question = TypeVar("Question")
Answer = TypeVar("Answer")

# Enough to share the price of a visit; few enough that their answers, which are all in
# memory at once, do not make the process grow for good.
MOST_AT_ONCE = 16


class Together(Generic[Question, Answer]):
    """Questions of one kind; `answer` takes some and returns as many answers, in order.

    An answer that is an exception is raised to the one who asked. What `answer` itself
    raises is raised to all of them.
    """

    def __init__(self, answer: Callable[[Sequence[Question]], Sequence[Answer | Exception]]) -> None:
        self._answer = answer
        self._waiting: list[tuple[Question, asyncio.Future[Any]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer:
        """Return the answer to a question, or raise it."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((question, waiting))
        if self._asking is None:
            self._asking = loop.create_task(self._ask_all(), context=Context())
        return await waiting

    async def _ask_all(self) -> None:
        while self._waiting:
            now, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                answers = await in_database(self._answer, [question for question, _ in now])
            except Exception as error:
                answers = [error] * len(now)
            for (_, waiting), answer in zip(now, answers, strict=True):
                if waiting.done():  # who asked has gone
                    continue
                if isinstance(answer, Exception):
                    waiting.set_exception(answer)
                else:
                    waiting.set_result(answer)
        self._asking = None
