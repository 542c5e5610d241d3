"""The rate limits of pages: each request counts for its player or address (games/services/rate_limit.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from games.addresses import client_address
from games.kernel.contract import Illegal
from games.services import rate_limit
from games.web.errors import refusal_page
from games.web.people.identity import account_of, player_of


class Limits:
    """Counts each request before its view runs, and answers 429 to one too many. The API counts its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Call the view."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        """Count the request; return the refusal's page if it is one too many."""
        if request.path_info.startswith((settings.API_PATH, settings.ADMIN_PATH)):
            return None
        counted_by = subject(request)
        name = getattr(request.resolver_match, "url_name", None) or ""
        method = request.method or ""
        try:
            for limit in (rate_limit.general(method, name, counted_by), *rate_limit.special(method, name, kwargs)):
                rate_limit.spend(limit, counted_by)
        except Illegal as refusal:
            return refusal_page(request, refusal)
        return None


def subject(request: HttpRequest) -> str:
    """Return the key by which a request is counted."""
    return rate_limit.subject(player_of(request), account_of(request), client_address(request))


def subject_of_address(request: HttpRequest) -> str:
    """Return the key by which a request's address is counted."""
    return rate_limit.subject(None, None, client_address(request))
