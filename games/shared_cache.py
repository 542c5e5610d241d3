"""The cache that all processes share, in Redis: where limits are counted.

While Redis is away each process counts for itself, and nothing fails for it.
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
    """What is kept in the shared cache, as JSON: reading it runs nothing, whoever wrote it."""

    def dumps(self, value: Any) -> Any:
        """Return a value as Redis keeps it; whole numbers stay numbers, to be counted on."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, kept: bytes) -> Any:
        """Return a value; None, as if it were not there, for what is no JSON."""
        try:
            return json.loads(kept)
        except ValueError:
            return None


class SharedCache(RedisCache):
    """Django's Redis cache, with a cache of this process for when Redis can't be reached."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("while-redis-is-away", {})

    def _or_own(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the Redis cache, or the same one of this process's."""
        try:
            return getattr(super(), name)(*args, **kwargs)
        except (RedisError, OSError) as error:
            logger.warning("the shared cache is away: %s", error)
            return getattr(self._own, name)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> Any:
        """As in Django's caches."""
        return self._or_own("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """As in Django's caches."""
        return self._or_own("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """As in Django's caches."""
        self._or_own("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        """As in Django's caches."""
        return self._or_own("touch", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """As in Django's caches."""
        return self._or_own("delete", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        """As in Django's caches."""
        return self._or_own("incr", *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        """As in Django's caches."""
        return self._or_own("has_key", *args, **kwargs)
