"""Memory that is given back: kept answers are forgotten, and what pages have freed goes to the system.

glibc keeps freed blocks between others for later: pages, files and packed frames leave some 25 MB of
them in half an hour, for good. `malloc_trim` gives whole free pages back, in some 20 ms. Another
C library (musl, macOS) gives them back by itself, or not at all: there nothing is done.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from games.kernel import answers

TIDY_SECONDS = 300
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Numbers of glibc's settings (mallopt(3))."""
MOST_ARENAS, LARGE = 2, 128 * 1024


def trimmer() -> Callable[[int], int] | None:
    """Return glibc's `malloc_trim`; None where the C library has none."""
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return trim


def hold_together() -> None:
    """Let threads share few heaps, and let every large block be one of its own that goes back when it is freed.

    By default each thread may get a heap of its own, and a large block that was freed makes glibc put the next
    ones of its size into a heap, where small ones behind them hold them. Only before threads begin.
    """
    with suppress(AttributeError, OSError, TypeError):
        setting = ctypes.CDLL(None).mallopt
        setting(_ARENA_MAX, MOST_ARENAS)
        setting(_MMAP_THRESHOLD, LARGE)


def start_tidying() -> None:
    """Give memory back every few minutes, in a thread of its own, as long as the process lives."""
    threading.Thread(target=_run, name="memory", daemon=True).start()


def _run() -> None:
    while True:
        time.sleep(TIDY_SECONDS)
        tidy()


def tidy() -> None:
    """Forget the kept answers, and give freed memory back where the C library does that when asked."""
    answers.forget()
    if (trim := trimmer()) is not None:
        trim(0)
