"""Places: so many pages are made at a time, the next ones wait, and too many are turned away.

Each page takes a thread and, on PostgreSQL, a connection. A request gets its place once its
body has come, and gives it back before its answer is sent: who sends or reads slowly keeps
nobody out. Moves come by sockets and need no place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from games import database, scopes

WAIT_SECONDS = 10.0
MOST_WAITING = 200


class Gate:
    """The places of one event loop."""

    def __init__(self, places: int) -> None:
        self._room = asyncio.Semaphore(places)
        self._loop = asyncio.get_running_loop()
        self._waiting = 0

    async def enter(self) -> Place | None:
        """Return a place, as soon as one is free; None where too many wait, or for too long."""
        if self._room.locked() and self._waiting >= MOST_WAITING:
            return None
        self._waiting += 1
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._room.acquire()
        except TimeoutError:
            return None
        finally:
            self._waiting -= 1
        return Place(self)

    def leave(self) -> None:
        """Let the next one in; from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._room.release)
        except RuntimeError:
            return  # the loop has ended, and nobody waits


class Place:
    """A request's place. The thread that has begun to make the page gives it back at its end."""

    def __init__(self, gate: Gate) -> None:
        self._gate: Gate | None = gate
        self.is_in_use = False

    def leave(self) -> None:
        """Give the place back, once."""
        gate, self._gate = self._gate, None
        if gate is not None:
            gate.leave()


_gates: WeakKeyDictionary[asyncio.AbstractEventLoop, Gate] = WeakKeyDictionary()


def gate() -> Gate:
    """Return the places of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _gates:
        _gates[loop] = Gate(settings.DATABASE_POOL)
    return _gates[loop]


class Application(scopes.Handler):
    """Django's ASGI application, where pages wait for a place."""

    async def get_response_async(self, request: Any) -> HttpResponseBase:
        """Make the page once there is a place; without one the request is turned away."""
        request.place = place = await gate().enter()
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
            return self.get_response(request)
        finally:
            if getattr(connection.connection, "_pool", None) is not None:
                connection.close()
            if place is not None:
                place.leave()
