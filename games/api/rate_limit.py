"""REST framework's throttle, using the limits of the whole house (games/services/rate_limit.py)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.throttling import BaseThrottle

from games.addresses import client_address
from games.api.authentication import django_request
from games.api.fields import raw_body
from games.kernel.contract import Illegal
from games.live.protocol import Bad
from games.models import ApiToken
from games.services import rate_limit


class RateThrottle(BaseThrottle):  # type: ignore[misc]
    """Counts a request by player, else by account (its tokens are counted together), else by address."""

    seconds = 0

    def allow_request(self, request: Any, view: Any) -> bool:
        """Count a request for each of its limits; return False, with `seconds` set, if it is one too many."""
        account = request.auth.user if isinstance(request.auth, ApiToken) else getattr(request, "account", None)
        counted_by = rate_limit.subject(request.user or None, account, client_address(django_request(request)))
        try:
            for name in self.limits(request):
                rate_limit.spend(name, counted_by)
        except Illegal as refusal:
            self.seconds = refusal.params["seconds"]
            return False
        return True

    def limits(self, request: Any) -> list[str]:
        """Return the names of the limits that a request counts for."""
        is_known = request.user or request.auth
        reading = "asker" if is_known else "anonymous"
        found = request.resolver_match
        special = rate_limit.special(request.method, found.url_name or "", _with_act(request)) if found else ()
        return [reading if request.method in rate_limit.SAFE else "command", *special]

    def wait(self) -> float:
        """Return the number of seconds to wait."""
        return self.seconds


def _with_act(request: Any) -> dict[str, Any]:
    """Return the parts of a request's address, and the act that its body names where acts share one address."""
    found = request.resolver_match
    if request.method in rate_limit.SAFE or not (found.url_name or "").endswith("_acts"):
        return dict(found.kwargs)
    # A body that is none is refused by the view, which reads it for its answer.
    with suppress(UnsupportedMediaType, Bad):
        return {**found.kwargs, "act": raw_body(request).get("act")}
    return dict(found.kwargs)


class CodeThrottle(RateThrottle):
    """Counts attempts to enter a room code, successful ones too."""

    def limits(self, request: Any) -> list[str]:
        """Return the only limit: that of room codes."""
        return ["code"]
