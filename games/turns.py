"""Heavy pages: pages over many results are made HEAVY_PAGES at a time, and never crowd out the moves.

Python runs one thread at a time. A few pages that work without a pause would have every move
wait for them again and again: so they wait for a turn, without using the processor, and a thread
that works gives way twenty times as often as Python's would by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from games.services import rate_limit
from games.web.busy import answer

SWITCH_SECONDS = 0.00025
"""How long a thread works before another one that wants to gets its turn (`sys.setswitchinterval`)."""

_turns = threading.BoundedSemaphore(settings.HEAVY_PAGES or 1_000)
# A page that waits holds a page thread (games/places.py), and half of them are left to all other pages.
_waiting = threading.BoundedSemaphore(max(1, settings.DATABASE_POOL // 2))


def _has_come(seconds: float | None) -> bool:
    if seconds is None:
        return _turns.acquire()
    if not _waiting.acquire(blocking=False):
        return False
    try:
        return _turns.acquire(timeout=seconds)
    finally:
        _waiting.release()


@contextmanager
def turn(seconds: float | None = None) -> Iterator[bool]:
    """Wait for a turn, yield whether it came, and give it back.

    A page waits at most `seconds`, and not at all where half of the page threads wait already; a piece
    of a file (None) waits as long as it takes.
    """
    has_come = _has_come(seconds)
    try:
        yield has_come
    finally:
        if has_come:
            _turns.release()


class HeavyPages:
    """Middleware that has heavy pages wait for their turn; 503 with `busy` after HEAVY_SECONDS."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Go on, when it is this page's turn."""
        if not is_heavy(request):
            return self.get_response(request)
        with turn(settings.HEAVY_SECONDS) as has_come:
            return self.get_response(request) if has_come else answer(request)


def is_heavy(request: HttpRequest) -> bool:
    """Tell whether a request is for a heavy page."""
    try:
        found = resolve(request.path_info)
    except Resolver404:
        return False
    return rate_limit.is_heavy(request.method or "", found.url_name or "", found.kwargs)
