"""How often something was tried: counts that all processes share where the cache is shared.

Without REDIS_URL each process counts for itself. Adding is one atomic step of the cache, so
that tries at the same moment are all counted.
"""

from __future__ import annotations

import math
import time

from django.core.cache import cache

from games.kernel.contract import Illegal

WINDOW_SECONDS = 60


def check(key: str, most: int) -> None:
    """Raise Illegal `too_many_tries` (with `seconds` to wait) once a key has had `most` tries.

    A window of 60 seconds begins with the first try that is noted.
    """
    if cache.get(key, 0) >= most:
        raise Illegal("too_many_tries", seconds=seconds_left(key))


def spend(key: str, most: int) -> None:
    """Count something; raises Illegal `too_many` (with `seconds` to wait) when it is too much.

    What is refused counts, too: whoever goes on and on is not let in between.
    """
    if note(key) > most:
        raise Illegal("too_many", seconds=seconds_left(key))


def seconds_left(key: str) -> int:
    """Return how long the window of a key still lasts."""
    left: float = cache.get(f"{key}:until", 0.0) - time.time()
    return min(max(1, math.ceil(left)), WINDOW_SECONDS)


def note(key: str) -> int:
    """Count a try; return how many there were in its window."""
    if cache.add(key, 0, WINDOW_SECONDS):
        cache.set(f"{key}:until", time.time() + WINDOW_SECONDS, WINDOW_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:
        # The window ended between the two steps: this try is the first of the next one.
        cache.set(key, 1, WINDOW_SECONDS)
        cache.set(f"{key}:until", time.time() + WINDOW_SECONDS, WINDOW_SECONDS)
        return 1
