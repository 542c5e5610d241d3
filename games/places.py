"""Page threads: DATABASE_POOL pages are made at a time, each in a thread with a connection of its own.

The next ones wait, and too many are turned away. A request gets a thread once its body has come, and
gives it back before its answer is sent: who sends or reads slowly keeps nobody out. The threads stay,
and so do their connections to the database. Moves come by sockets and need none of them.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import WeakKeyDictionary

from asgiref.sync import ThreadSensitiveContext
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpResponseBase

from games import scopes

WAIT_SECONDS = 10.0
MOST_WAITING = 200
# In a request's scope: set while no page thread works for it.
ENDED = "games.page_ended"


class PageThreads:
    """The page threads of one event loop, each an executor of one thread."""

    def __init__(self, count: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._free = asyncio.Semaphore(count)
        self._idle = [ThreadPoolExecutor(1, thread_name_prefix="page") for _ in range(count)]
        self._waiting = 0

    async def take(self) -> ThreadPoolExecutor | None:
        """Return a thread as soon as one is free; None where too many wait, or for too long."""
        if self._free.locked() and self._waiting >= MOST_WAITING:
            return None
        self._waiting += 1
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._free.acquire()
        except TimeoutError:
            return None
        finally:
            self._waiting -= 1
        return self._idle.pop()

    def give_back(self, thread: ThreadPoolExecutor) -> asyncio.Future[None]:
        """Let another page have a thread once it has done its work; return what is done by then."""
        end = self._loop.run_in_executor(thread, close_old_connections)
        end.add_done_callback(lambda _: self._put_back(thread))
        return end

    def _put_back(self, thread: ThreadPoolExecutor) -> None:
        self._idle.append(thread)
        self._free.release()


_of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, PageThreads] = WeakKeyDictionary()


def page_threads() -> PageThreads:
    """Return the page threads of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _of_loop:
        _of_loop[loop] = PageThreads(settings.DATABASE_POOL)
    return _of_loop[loop]


class Application(ASGIHandler):
    """Django's ASGI application, with requests of ours, where pages wait for a thread."""

    request_class = scopes.Request

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, and wait for its thread, also where nobody waits for the answer any more.

        The thread may ask the loop for something, so a server that closes has to know of it.
        """
        scope = {**scope, ENDED: asyncio.Event()}
        scope[ENDED].set()
        try:
            await super().__call__(scope, receive, send)
        finally:
            await scope[ENDED].wait()

    async def get_response_async(self, request: Any) -> HttpResponseBase:
        """Make the page in a page thread; without one the request is turned away (games/web/busy.py)."""
        ended: asyncio.Event = request.scope[ENDED]
        ended.clear()
        threads, thread = page_threads(), None
        try:
            thread = await threads.take()
            request.is_turned_away = thread is None
            if thread is None:
                return await super().get_response_async(request)
            async with ThreadSensitiveContext(executor=thread):
                return await super().get_response_async(request)
        finally:
            if thread is None:
                ended.set()
            else:
                threads.give_back(thread).add_done_callback(lambda _: ended.set())
