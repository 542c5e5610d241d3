"""The cache shared by all processes, in Redis: it counts for the limits.

While Redis is away each process counts for itself, and no request fails.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

try:
    from redis.exceptions import RedisError
except ModuleNotFoundError:  # a house of one process has no Redis
    RedisError = OSError  # type: ignore[misc, assignment]

logger = logging.getLogger(__name__)


class JsonSerializer:
    """A serializer that stores values as JSON in the shared cache: reading them runs no code."""

    def dumps(self, value: Any) -> Any:
        """Return a value as stored in Redis; whole numbers stay numbers, so that Redis can increment them."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, kept: bytes) -> Any:
        """Return a value; None, as if it were missing, if it is not JSON."""
        try:
            return json.loads(kept)
        except ValueError:
            return None


def _or_own(name: str) -> Any:
    """Return a method that calls the Redis cache, or this process's own cache while Redis is away."""

    def method(self: SharedCache, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(super(SharedCache, self), name)(*args, **kwargs)
        except (RedisError, OSError) as error:
            logger.warning("the shared cache is away: %s", error)
            return getattr(self._own, name)(*args, **kwargs)

    return method


class SharedCache(RedisCache):
    """Django's Redis cache, with a cache of this process for the time when Redis cannot be reached."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("while-redis-is-away", {})

    add, get, set = _or_own("add"), _or_own("get"), _or_own("set")
    incr, touch = _or_own("incr"), _or_own("touch")
    delete, has_key = _or_own("delete"), _or_own("has_key")
