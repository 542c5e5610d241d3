"""Guessing is made slow: a few tries a minute for each address (room codes: services.doors)."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from games.services import doors, tries


def client_address(request: HttpRequest) -> str:
    """Return who asks; behind our own TLS proxy the last hop that it vouches for."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.BEHIND_TLS and forwarded:
        return str(forwarded.rsplit(",", 1)[-1].strip())
    return str(request.META.get("REMOTE_ADDR", ""))


def check(request: HttpRequest, scope: str) -> None:
    """Raise Illegal `too_many_tries` (with `seconds`) while an address has none left."""
    tries.check(_key(request, scope), doors.allowed(scope))


def note(request: HttpRequest, scope: str) -> None:
    """Count an attempt."""
    tries.note(_key(request, scope))


def _key(request: HttpRequest, scope: str) -> str:
    """Return the cache key of an address and a kind of attempt."""
    return f"tries:{scope}:{tries.source(client_address(request))}"
