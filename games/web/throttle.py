"""Guessing room codes is made slow: a few wrong ones a minute for each address.

Only wrong attempts count, so that a full pub behind one address can join at once.
"""

from __future__ import annotations

import math
import time
from typing import Any, cast

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from games.kernel.contract import Illegal

WINDOW_SECONDS = 60


def client_address(request: HttpRequest) -> str:
    """Return who asks; behind our own TLS proxy the last hop that it vouches for."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.BEHIND_TLS and forwarded:
        return str(forwarded.rsplit(",", 1)[-1].strip())
    return str(request.META.get("REMOTE_ADDR", ""))


def _allowed(scope: str) -> int:
    """Return how many attempts a minute the settings grant ("10/min")."""
    rates: dict[str, str] = cast("Any", settings.REST_FRAMEWORK)["DEFAULT_THROTTLE_RATES"]
    return int(rates[scope].split("/", 1)[0])


def _recent(key: str, now: float) -> list[float]:
    """Return the times of the attempts that still count, oldest first."""
    times: list[float] = cache.get(key, [])
    return [t for t in times if t > now - WINDOW_SECONDS]


def check(request: HttpRequest, scope: str) -> None:
    """Raise Illegal `too_many_tries` (with `seconds`) while an address has none left."""
    now = time.time()
    recent = _recent(_key(request, scope), now)
    if len(recent) >= _allowed(scope):
        wait = recent[-_allowed(scope)] + WINDOW_SECONDS - now
        raise Illegal("too_many_tries", seconds=max(1, math.ceil(wait)))


def note(request: HttpRequest, scope: str) -> None:
    """Count an attempt."""
    now = time.time()
    key = _key(request, scope)
    cache.set(key, [*_recent(key, now), now], WINDOW_SECONDS)


def _key(request: HttpRequest, scope: str) -> str:
    """Return the cache key of an address and a kind of attempt."""
    return f"tries:{scope}:{client_address(request)}"
