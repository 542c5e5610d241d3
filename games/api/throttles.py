"""How much may be asked: so many requests a minute for each token, player or address.

The rates are REST_FRAMEWORK's DEFAULT_THROTTLE_RATES; docs/api.md names them.
"""

from __future__ import annotations

from typing import Any

from rest_framework.throttling import SimpleRateThrottle

from games.models import ApiToken
from games.services import tries


class _Throttle(SimpleRateThrottle):  # type: ignore[misc]
    """Counts by token, else by player, else by address."""

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """Return what the count is kept under."""
        return f"throttle_{self.scope}_{self.whose(request)}"

    def get_ident(self, request: Any) -> str:
        """Return the address that is counted."""
        return tries.source(str(super().get_ident(request)))

    def whose(self, request: Any) -> str:
        """Return who is counted."""
        if isinstance(request.auth, ApiToken):
            return f"token-{request.auth.pk}"
        return f"player-{request.user.pk}" if request.user else str(self.get_ident(request))


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


class CodeThrottle(_Throttle):
    """Room codes that are tried."""

    scope = "code"
