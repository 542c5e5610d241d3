"""Memory returned to the system: cached answers are dropped, and memory freed by pages is released.

glibc keeps freed blocks between used ones for later: pages, files and compressed frames leave some 25 MB of them in
half an hour, permanently. `malloc_trim` returns whole free pages in some 20 ms. Other C libraries (musl, macOS) return
them by themselves or not at all: there nothing is done.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from games.kernel.data import records

TIDY_SECONDS = 300
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Numbers of glibc's settings (mallopt(3))."""
MOST_ARENAS, LARGE = 2, 128 * 1024


def trimmer() -> Callable[[int], int] | None:
    """Return glibc's `malloc_trim`; None if the C library has none."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return trim


def hold_together() -> None:
    """Let threads share a few heaps, and give each large block a mapping of its own that is returned when it is freed.

    By default each thread may get its own heap, and after a large block was freed glibc puts the next ones of that size
    into a heap, where small blocks behind them keep them there. Must be called before threads start.
    """
    with suppress(AttributeError, OSError, TypeError):
        setting = ctypes.CDLL(None).mallopt
        setting(_ARENA_MAX, MOST_ARENAS)
        setting(_MMAP_THRESHOLD, LARGE)


def start_tidying() -> None:
    """Release memory every few minutes, in a thread of its own, as long as the process lives."""
    threading.Thread(target=_run, name="memory", daemon=True).start()


def _run() -> None:
    while True:
        time.sleep(TIDY_SECONDS)
        tidy()


def tidy() -> None:
    """Drop the cached answers, and release freed memory if the C library can."""
    records.forget_answers()
    if (trim := trimmer()) is not None:
        trim(0)
