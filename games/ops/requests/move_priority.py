"""Turns: which thread works. Python runs one at a time, and moves come before pages.

A thread that works gives way twenty times as often as Python's would by itself. While the writer
carries out moves it gets the processor back still sooner, as each of its statements gives it away;
and pages make no query meanwhile. Pages over many results are made one at a time (games/ops/requests/page_threads.py).
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
"""Seconds that a thread works before a waiting one gets its turn (`sys.setswitchinterval`)."""
SWITCH_SECONDS_FOR_MOVES = 0.00002
LONGEST_WAIT_SECONDS = 0.03
"""Seconds that a query of a page waits for moves at most: pages are made even where moves never end."""

_no_moves = threading.Event()
_no_moves.set()


@contextmanager
def moves_first() -> Iterator[None]:
    """Let the calling thread go before those that make pages; for one thread of a process, the writer."""
    usual = sys.getswitchinterval()
    _no_moves.clear()
    sys.setswitchinterval(min(usual, SWITCH_SECONDS_FOR_MOVES))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
        _no_moves.set()


def after_moves(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Make a page's query when no move is being carried out (Django's `execute_wrapper`).

    In a transaction at once: the writer may be waiting for its lock.
    """
    if not context["connection"].in_atomic_block:
        _no_moves.wait(LONGEST_WAIT_SECONDS)
    return execute(sql, params, many, context)


class AfterMoves:
    """Middleware: the queries of a page wait while moves are carried out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Make the page."""
        with connection.execute_wrapper(after_moves):
            return self.get_response(request)
