"""Who asks the API: the player of the browser's session, as everywhere else."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import SessionAuthentication
from rest_framework.throttling import SimpleRateThrottle

from games.models import Player


class PlayerAuthentication(SessionAuthentication):  # type: ignore[misc]
    """The session's player, found by the site's middleware; unsafe methods need CSRF."""

    def authenticate(self, request: Any) -> tuple[Player, None] | None:
        """Return the player, or None for a browser that has not joined anything."""
        player: Player | None = getattr(request._request, "player", None)
        if player is None:
            return None
        self.enforce_csrf(request)
        return player, None


class CommandThrottle(SimpleRateThrottle):  # type: ignore[misc]
    """So many commands a minute for each player, or each address without one."""

    scope = "command"

    def get_cache_key(self, request: Any, view: Any) -> str:
        """Return what the count is kept under."""
        ident = f"player-{request.user.pk}" if request.user else self.get_ident(request)
        return f"throttle_{self.scope}_{ident}"
