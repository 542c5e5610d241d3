"""Heavy pages wait their turn (games/turns.py), before anything is asked of the database."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from games import limits
from games.turns import turn
from games.web.busy import answer


class HeavyPages:
    """Lets few heavy pages be made at a time; 503 with `busy` for who waits too long."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Go on, when it is this page's turn."""
        if not is_heavy(request):
            return self.get_response(request)
        with turn(settings.HEAVY_SECONDS) as has_come:
            return self.get_response(request) if has_come else answer(request)


def is_heavy(request: HttpRequest) -> bool:
    """Tell whether a request is for a heavy page."""
    try:
        found = resolve(request.path_info)
    except Resolver404:
        return False
    return limits.is_heavy(request.method or "", found.url_name or "", found.kwargs)
