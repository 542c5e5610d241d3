"""Heavy pages wait their turn (games/turns.py), before anything is asked of the database."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from games import limits
from games.messages import error_json
from games.turns import turn

RETRY_SECONDS = 5


class HeavyPages:
    """Lets few heavy pages be made at a time; 503 with `busy` for who waits too long."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Go on, when it is this page's turn."""
        if not is_heavy(request):
            return self.get_response(request)
        with turn(settings.HEAVY_SECONDS) as has_come:
            return self.get_response(request) if has_come else busy(request)


def is_heavy(request: HttpRequest) -> bool:
    """Tell whether a request is for a heavy page."""
    try:
        found = resolve(request.path_info)
    except Resolver404:
        return False
    return limits.is_heavy(request.method or "", found.url_name or "", found.kwargs)


def busy(request: HttpRequest) -> HttpResponse:
    """Return the answer to who waited too long."""
    error = error_json("busy", {})
    if request.path_info.startswith("/api/"):
        return JsonResponse(error, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
    text = _("Many are looking at results just now. Try again in a moment.")
    context = {"title": _("Slow down a little"), "text": text, "status": 503}
    response = render(request, "error.html", context, status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    response._has_been_logged = True  # type: ignore[attr-defined]  # no fault of ours: Django would log an error
    return response
