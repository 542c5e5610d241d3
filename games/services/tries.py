"""How often something was tried: counts that all processes share where the cache is shared.

Without REDIS_URL each process counts for itself. Adding is one atomic step of the cache, so
that tries at the same moment are all counted.
"""

from __future__ import annotations

import ipaddress
import math
import time

from django.core.cache import cache

from games.kernel.contract import Illegal

WINDOW_SECONDS = 60


def source(address: str) -> str:
    """Return what an address counts as: one of IPv6 as its network of 64 bits, for that is one line."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))
    return str(found)


def check(key: str, most: int) -> None:
    """Raise Illegal `too_many_tries` (with `seconds` to wait) once a key has had `most` tries.

    A window of 60 seconds begins with the first try that is noted.
    """
    if cache.get(key, 0) >= most:
        left = cache.get(f"{key}:until", 0.0) - time.time()
        raise Illegal("too_many_tries", seconds=min(max(1, math.ceil(left)), WINDOW_SECONDS))


def note(key: str) -> None:
    """Count a try."""
    if cache.add(key, 0, WINDOW_SECONDS):
        cache.set(f"{key}:until", time.time() + WINDOW_SECONDS, WINDOW_SECONDS)
    try:
        cache.incr(key)
    except ValueError:
        # The window ended between the two steps: this try is the first of the next one.
        cache.set(key, 1, WINDOW_SECONDS)
        cache.set(f"{key}:until", time.time() + WINDOW_SECONDS, WINDOW_SECONDS)
