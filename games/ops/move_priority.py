"""Priority of moves: Python runs one thread at a time, and moves come before pages.

While a page is made or a bot thinks, the working thread yields twenty times as often as by Python's default; while the
writer carries out moves, it gets the processor back still sooner, because each of its statements gives it away; pages
make no query meanwhile. When only moves run, the switch interval stays Python's: a shorter one costs a quarter more
processor time for a move. Pages over many results are made one at a time (games/ops/requests/page_threads.py).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

SWITCH_SECONDS = 0.00025
"""Seconds that a thread works before a waiting one may run (`sys.setswitchinterval`)."""
SWITCH_SECONDS_FOR_MOVES = 0.00002
LONGEST_WAIT_SECONDS = 0.03
"""The longest that a page's query waits for moves: pages are made even if moves never end."""

_no_moves = threading.Event()
_no_moves.set()


class _Turns:
    """The switch interval of all threads, from the number of busy threads and whether moves are carried out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usual = sys.getswitchinterval()
        self._busy = 0
        self._moves = False

    def change(self, *, busy: int = 0, moves: bool | None = None) -> None:
        """Add to the number of threads that make pages or think, and note whether moves are carried out."""
        with self._lock:
            self._busy += busy
            self._moves = self._moves if moves is None else moves
            shorter = SWITCH_SECONDS_FOR_MOVES if self._moves else SWITCH_SECONDS
            sys.setswitchinterval(shorter if self._busy else self._usual)


_turns = _Turns()


@contextmanager
def short_turns() -> Iterator[None]:
    """Mark the calling thread as busy for long (a page, a bot), so that moves do not wait for it."""
    _turns.change(busy=1)
    try:
        yield
    finally:
        _turns.change(busy=-1)


@contextmanager
def moves_first() -> Iterator[None]:
    """Give the calling thread priority over threads that make pages; for one thread of a process, the writer."""
    _no_moves.clear()
    _turns.change(moves=True)
    try:
        yield
    finally:
        _turns.change(moves=False)
        _no_moves.set()


def after_moves(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Run a page's query when no move is being carried out (Django's `execute_wrapper`).

    Inside a transaction it runs at once: the writer may be waiting for the transaction's lock.
    """
    if not context["connection"].in_atomic_block:
        _no_moves.wait(LONGEST_WAIT_SECONDS)
    return execute(sql, params, many, context)


@contextmanager
def behind_moves() -> Iterator[None]:
    """Let the calling thread make a page, or a part of a file, with moves before it."""
    with short_turns(), connection.execute_wrapper(after_moves):
        yield


class AfterMoves:
    """Middleware: the queries of a page wait while moves are carried out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Call the view."""
        with behind_moves():
            return self.get_response(request)
