"""How much may be asked of the API: it counts as the site does (games/limits.py), for the same people.

The rates are REST_FRAMEWORK's DEFAULT_THROTTLE_RATES; docs/api.md names them.
"""

from __future__ import annotations

from typing import Any

from rest_framework.throttling import SimpleRateThrottle

from games import limits
from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import ApiToken
from games.services import doors, tries


class _Throttle(SimpleRateThrottle):  # type: ignore[misc]
    """Counts by player, else by account, else by address."""

    seconds = 0

    def allow_request(self, request: Any, view: Any) -> bool:
        """Count a request; tell whether it is one of those that a minute has."""
        who = self.get_cache_key(request, view)
        return who is None or self.count(self.scope, who, self.num_requests)

    def count(self, name: str, who: str, most: int) -> bool:
        """Count what has a name; note how long to wait where it is too much."""
        try:
            tries.spend(f"limit:{name}:{who}", most)
        except Illegal as refusal:
            self.seconds = refusal.params["seconds"]
            return False
        return True

    def wait(self) -> float:
        """Return how many seconds to wait."""
        return self.seconds

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Return who is counted; None where this limit is not for them."""
        return self.whose(request)

    def whose(self, request: Any) -> str:
        """Return who asks, as the limits count: ten tokens of an account are one asker."""
        account = request.auth.user if isinstance(request.auth, ApiToken) else getattr(request, "account", None)
        return limits.whose(request.user or None, account, client_address(request._request))


class AnonymousThrottle(_Throttle):
    """Requests of an address that says nothing of itself."""

    scope = "anonymous"

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Return what the count is kept under; None for those who are known."""
        is_known = request.user or request.auth
        return None if is_known else super().get_cache_key(request, view)


class AskerThrottle(_Throttle):
    """Requests of a token or a player."""

    scope = "asker"

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Return what the count is kept under; None for strangers."""
        is_known = request.user or request.auth
        return super().get_cache_key(request, view) if is_known else None


class CommandThrottle(_Throttle):
    """Commands, and whatever else changes something."""

    scope = "command"


class AddressThrottle(_Throttle):
    """What an address of the API counts as by itself: files, heavy lists, nights, tables."""

    scope = "command"

    def allow_request(self, request: Any, view: Any) -> bool:
        """Count each limit that the address has."""
        found = request.resolver_match
        names = limits.of(request.method, found.url_name or "", found.kwargs) if found else ()
        who = self.whose(request)
        return all(self.count(name, who, doors.allowed(name)) for name in names)


class CodeThrottle(_Throttle):
    """Room codes that are tried."""

    scope = "code"
