"""Guessing is made slow: a few tries a minute for each address (room codes: services.doors)."""

from __future__ import annotations

from django.http import HttpRequest

from games.addresses import client_address, network_of
from games.services import doors, tries


def check(request: HttpRequest, scope: str) -> None:
    """Raise Illegal `too_many_tries` (with `seconds`) while an address has none left."""
    tries.check(_key(request, scope), doors.allowed(scope))


def note(request: HttpRequest, scope: str) -> None:
    """Count an attempt."""
    tries.note(_key(request, scope))


def _key(request: HttpRequest, scope: str) -> str:
    """Return the cache key of an address and a kind of attempt."""
    return f"tries:{scope}:{network_of(client_address(request))}"
