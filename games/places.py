"""Places: so many pages are made at a time, the next ones wait, and too many are turned away.

Each page takes a thread and, on PostgreSQL, a connection. A request gets its place once its
body has come, and gives it back before its answer is sent: who sends or reads slowly keeps
nobody out. Pages that go over many results (and pieces of files) wait for one of few further
places first, and while they wait they hold no other. Moves come by sockets and need no place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import Resolver404, resolve

from games import database, limits, scopes, turns

WAIT_SECONDS = 10.0
MOST_WAITING = 200
UNLIMITED = 1_000_000


class Gate:
    """The places of one kind in one event loop."""

    def __init__(self, places: int) -> None:
        self._room = asyncio.Semaphore(places)
        self._loop = asyncio.get_running_loop()
        self._waiting = 0

    async def wait(self) -> Place:
        """Return a place, however long it takes."""
        await self._room.acquire()
        return Place(self)

    async def enter(self, seconds: float = WAIT_SECONDS) -> Place | None:
        """Return a place, as soon as one is free; None where too many wait, or for too long."""
        if self._room.locked() and self._waiting >= MOST_WAITING:
            return None
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                return await self.wait()
        except TimeoutError:
            return None
        finally:
            self._waiting -= 1

    def leave(self) -> None:
        """Let the next one in; from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._room.release)
        except RuntimeError:
            return  # the loop has ended, and nobody waits


class Place:
    """A request's place. The thread that has begun to make the page gives it back at its end."""

    def __init__(self, *gates: Gate) -> None:
        self._gates = gates
        self.is_in_use = False

    def leave(self) -> None:
        """Give the place back, once."""
        gates, self._gates = self._gates, ()
        for gate in gates:
            gate.leave()


class Gates:
    """The places of one event loop: of all pages, and of those over many results besides."""

    def __init__(self) -> None:
        self.pages = Gate(settings.DATABASE_POOL)
        self.heavy = Gate(settings.HEAVY_PAGES or UNLIMITED)

    async def enter(self, request: HttpRequest) -> Place | None:
        """Return the place of a page."""
        if not is_heavy(request):
            return await self.pages.enter()
        if (heavy := await self.heavy.enter(settings.HEAVY_SECONDS)) is None:
            return None
        try:
            place = await self.pages.enter()
        except BaseException:
            heavy.leave()
            raise
        if place is None:
            heavy.leave()
            return None
        return Place(self.pages, self.heavy)


_gates: WeakKeyDictionary[asyncio.AbstractEventLoop, Gates] = WeakKeyDictionary()


def gates() -> Gates:
    """Return the places of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _gates:
        _gates[loop] = Gates()
    return _gates[loop]


def is_heavy(request: HttpRequest) -> bool:
    """Tell whether a request is for a page over many results."""
    try:
        found = resolve(request.path_info)
    except Resolver404:
        return False
    return limits.is_heavy(request.method or "", found.url_name or "", found.kwargs)


class Application(scopes.Handler):
    """Django's ASGI application, where pages wait for a place."""

    async def get_response_async(self, request: Any) -> HttpResponseBase:
        """Make the page once there is a place; without one the request is turned away."""
        request.place = place = await gates().enter(request)
        try:
            return await super().get_response_async(request)
        finally:
            # One who hangs up leaves the thread at work: the place stays its own until the end.
            if place is not None and not place.is_in_use:
                place.leave()


class Pages:
    """The outermost middleware: what a page has held is free before its answer is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        """Go on; then give back connection and place."""
        place: Place | None = getattr(request, "place", None)
        if place is not None:
            place.is_in_use = True
        database.mark_page()
        try:
            with connection.execute_wrapper(turns.after_moves):
                return self.get_response(request)
        finally:
            if getattr(connection.connection, "_pool", None) is not None:
                connection.close()
            if place is not None:
                place.leave()
