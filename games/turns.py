"""Turns: what goes over many results is done by few at a time, and never crowds out the moves.

Python runs one thread at a time. A few pages that work without a pause would have every move
wait for them again and again: so one such page is made at a time (HEAVY_PAGES), and a thread
that works gives way twenty times as often as Python's would by itself. Whoever waits for a turn
takes no processor time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

SWITCH_SECONDS = 0.00025
"""How long a thread works before another one that wants to gets its turn (`sys.setswitchinterval`)."""

_turns = threading.BoundedSemaphore(settings.HEAVY_PAGES or 1_000)


@contextmanager
def turn(seconds: float | None = None) -> Iterator[bool]:
    """Wait for a turn, at most `seconds`, and give it back; yields whether it came."""
    has_come = _turns.acquire(timeout=seconds)
    try:
        yield has_come
    finally:
        if has_come:
            _turns.release()
