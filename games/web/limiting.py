"""The site's limits: every form and page counts for who asks (games/limits.py); the API counts itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from games import limits
from games.addresses import client_address
from games.kernel.contract import Illegal
from games.web.errors import refusal_page
from games.web.identity import account_of, player_of


class Limits:
    """Counts a request before its view is run, and answers 429 where it is too many."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Go on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        """Count, or refuse."""
        if request.path_info.startswith(("/api/", f"/{settings.ADMIN_PATH}")):
            return None
        who = whose(request)
        name = getattr(request.resolver_match, "url_name", None) or ""
        method = request.method or ""
        try:
            limits.spend(limits.general(method, name, who), who)
            for limit in limits.of(method, name, kwargs):
                limits.spend(limit, who)
        except Illegal as refusal:
            return refusal_page(request, refusal)
        return None


def whose(request: HttpRequest) -> str:
    """Return who asks, as the limits count."""
    return limits.whose(player_of(request), account_of(request), client_address(request))


def spend(request: HttpRequest, name: str) -> None:
    """Count something that a request does; raises Illegal `too_many`."""
    limits.spend(name, whose(request))
