"""The rate limits of pages: each request counts for its player or address (games/services/rate_limit.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import Night
from games.services import rate_limit
from games.services.nights import membership, tv_screens
from games.services.screens import screen_letters
from games.web.errors import refusal_page
from games.web.identity import account_of, player_of


class RequestLimits:
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
        name = getattr(request.resolver_match, "url_name", None) or ""
        try:
            for limit, key in _limits(request, name, kwargs):
                rate_limit.spend(limit, key)
        except Illegal as refusal:
            return refusal_page(request, refusal)
        return None


def _limits(request: HttpRequest, name: str, kwargs: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the limits that a request counts for, each with its key to count by."""
    method, counted_by = request.method or "", subject(request)
    general = rate_limit.general(method, name, counted_by)
    if general != "stranger":
        yield general, counted_by
    elif (kind := rate_limit.LINKS.get(name)) is not None and (night := _night_of(kind, kwargs)) is not None:
        # Whatever else comes from a pub's address, its newcomers and screens come in.
        yield "link", rate_limit.link(night, kind, counted_by)
    elif name in rate_limit.SCREENS and (screen := screen_letters.find(tv_screens.digest_in(request.COOKIES))):
        # One that waits to be taken in is a stranger's as any other.
        yield ("link", f"screen-{screen.pk}") if screen.taken_at is not None else (general, counted_by)
    elif name not in rate_limit.KEPT:
        yield general, counted_by
    for limit in rate_limit.special(method, name, kwargs):
        yield limit, counted_by


def _night_of(kind: str, kwargs: Mapping[str, str]) -> Night | None:
    """Return the night of a link; None for a wrong token."""
    try:
        if kind == "tv":
            return membership.find_by_token(kwargs["public_id"], kwargs["token"], kind)
        return membership.find_by_invitation(kwargs["public_id"], kwargs["token"])[0]
    except Illegal:
        return None


def subject(request: HttpRequest) -> str:
    """Return the key by which a request is counted."""
    return rate_limit.subject(player_of(request), account_of(request), client_address(request))


def subject_of_address(request: HttpRequest) -> str:
    """Return the key by which a request's address is counted."""
    return rate_limit.subject(None, None, client_address(request))
