"""Page threads: at most DATABASE_POOL pages are made at a time, each in a thread with its own connection.

Further requests wait, and too many are refused. A request gets a thread once its body has come, and gives it back
before its answer is sent: slow senders and readers block no thread. All middleware and the view of a request run in its
thread, in one call: each change between a thread and the event loop costs more than most middleware. Pages over many
results (and parts of files) first wait for one of HEAVY_PAGES permits, without a thread; so do, for REFRESHES,
the parts that open pages fetch by themselves after a change, so that a page that somebody opens never waits behind all
phones of a night. The threads stay, and so do their database connections. Moves come by sockets and need none of them.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any
from weakref import WeakKeyDictionary

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve

from games import scopes
from games.services import rate_limit

WAIT_SECONDS = 10.0
MOST_WAITING = 200
UNLIMITED = 1_000_000
REFRESHES = 1
REFRESH = "_live"
"""The end of the names of addresses from which open pages fetch what has changed."""
# In a request's scope: an event that is set while no page thread works for it.
ENDED = "games.page_ended"


class Permits:
    """A bounded number of permits of one event loop; a request waits at most `seconds` for one."""

    def __init__(self, count: int, seconds: float) -> None:
        self.seconds = seconds
        self._free = asyncio.Semaphore(count)
        self._waiting = 0

    async def take(self, seconds: float | None) -> bool:
        """Take a permit; return False if none was free within `seconds` or too many wait. None waits for ever."""
        if seconds is not None and self._free.locked() and self._waiting >= MOST_WAITING:
            return False
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self._free.acquire()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1
        return True

    def give_back(self) -> None:
        """Give a permit back; only in the event loop's thread."""
        self._free.release()


class PageThreads:
    """The page threads of one event loop, executors of one thread each, and the permits that some pages need first."""

    def __init__(self, count: int) -> None:
        self.heavy = Permits(settings.HEAVY_PAGES or UNLIMITED, settings.HEAVY_SECONDS)
        self.refreshes = Permits(REFRESHES, WAIT_SECONDS)
        self._loop = asyncio.get_running_loop()
        self._free = Permits(count, WAIT_SECONDS)
        self._idle = [ThreadPoolExecutor(1, thread_name_prefix="page") for _ in range(count)]

    def permits_for(self, request: HttpRequest) -> Permits | None:
        """Return the permits of which a request needs one before its thread; None for most pages."""
        try:
            found = resolve(request.path_info)
        except Resolver404:
            return None
        name = found.url_name or ""
        if rate_limit.is_heavy(request.method or "", name, found.kwargs):
            return self.heavy
        return self.refreshes if name.endswith(REFRESH) else None

    async def take(self, first: Permits | None = None) -> ThreadPoolExecutor | None:
        """Return a thread as soon as one is free; None if too many requests wait, or after waiting too long."""
        if first and not await first.take(first.seconds):
            return None
        has_thread = False
        try:
            has_thread = await self._free.take(self._free.seconds)
        finally:
            if first and not has_thread:
                first.give_back()
        return self._idle.pop() if has_thread else None

    def give_back(self, thread: ThreadPoolExecutor, first: Permits | None = None) -> asyncio.Future[None]:
        """Give a thread back; return the future that is done when it has finished its work."""
        end = self._loop.run_in_executor(thread, close_old_connections)
        end.add_done_callback(lambda _: self._put_back(thread, first))
        return end

    def _put_back(self, thread: ThreadPoolExecutor, first: Permits | None) -> None:
        self._idle.append(thread)
        self._free.give_back()
        if first:
            first.give_back()


_of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, PageThreads] = WeakKeyDictionary()


def page_threads() -> PageThreads:
    """Return the page threads of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _of_loop:
        _of_loop[loop] = PageThreads(settings.DATABASE_POOL)
    return _of_loop[loop]


class Application(ASGIHandler):
    """Django's ASGI application with our own requests, whose pages wait for a thread."""

    request_class = scopes.HouseRequest

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware as synchronous, also for this asynchronous application: see `answered`."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, and wait for its thread, also if the client has gone.

        The thread may still call the event loop, so a server that closes must wait for it.
        """
        scope = {**scope, ENDED: asyncio.Event()}
        scope[ENDED].set()
        try:
            # What this does beside the page has a thread of the request's own: parts of a file take their time.
            await super().__call__(scope, receive, send)
        finally:
            await scope[ENDED].wait()

    def create_request(self, scope: Any, body_file: Any) -> Any:
        """Make a request with a body of its own (at most 64 KiB, `body_limit`).

        Django closes `body_file` when the client goes, while the request's thread may still have to read it.
        """
        return super().create_request(scope, BytesIO(body_file.read()))

    async def get_response_async(self, request: Any) -> HttpResponseBase:
        """Make the page in a page thread; a request that gets none is refused (games/web/busy.py)."""
        ended: asyncio.Event = request.scope[ENDED]
        ended.clear()
        threads, thread = page_threads(), None
        first = threads.permits_for(request)
        try:
            thread = await threads.take(first)
            request.is_turned_away = thread is None
            if thread is None:
                return await self.answered(request)
            async with ThreadSensitiveContext(executor=thread):
                return await self.answered(request)
        finally:
            if thread is None:
                ended.set()
            else:
                threads.give_back(thread, first).add_done_callback(lambda _: ended.set())

    async def answered(self, request: Any) -> HttpResponseBase:
        """Return the answer, made by all middleware and the view, in one call in the request's thread."""
        return await sync_to_async(self.get_response)(request)
