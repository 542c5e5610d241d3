"""What processes tell each other by, and count in: settings made of one address, REDIS_URL."""

from __future__ import annotations

from typing import Any

# A Redis that says nothing must not hold up what is committed.
_PATIENCE = {"socket_connect_timeout": 2, "socket_timeout": 4, "socket_keepalive": True}


def layer(redis_url: str) -> dict[str, Any]:
    """Return Channels' settings of the layer: Redis, or (without one) this process alone."""
    if not redis_url:
        return {
            "BACKEND": "channels.layers.InMemoryChannelLayer",
            "CONFIG": {"capacity": 2000},
        }
    return {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": redis_url, **_PATIENCE}]},
    }


def cache(redis_url: str) -> dict[str, Any]:
    """Return Django's settings of the cache, in which limits are counted."""
    if not redis_url:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    return {
        "BACKEND": "games.shared_cache.SharedCache",
        "LOCATION": redis_url,
        "OPTIONS": {
            "serializer": "games.shared_cache.JsonSerializer",
            "socket_connect_timeout": 1,
            "socket_timeout": 1,
        },
        "KEY_PREFIX": "stammtisch",
        # Before 2, what was kept could not be read as JSON.
        "VERSION": 2,
    }
