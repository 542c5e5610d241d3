"""Answers while the house is busy: 503 with a sentence, as a page or as the API's JSON.

The database is away, its disk is full or another process holds its lock; or all page threads are busy. Everything that
was acknowledged is kept, and the same request may be sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.refusals import error_json

logger = logging.getLogger(__name__)

AGAIN_SECONDS = "5"
NOT_READY = (OperationalError, InterfaceError)
"""Errors of a database that is not available at the moment."""


class Busy:
    """Answers requests that got no page thread, and views whose database failed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        """Call the view, unless the request got no page thread (games/ops/requests/page_threads.py)."""
        if getattr(request, "is_turned_away", False):
            return answer(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the answer for a view whose database was not ready; None for any other error."""
        return not_ready(request, error) if isinstance(error, NOT_READY) else None


def not_ready(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Log the database's error and return the answer."""
    logger.warning("the database was not ready for a page: %s", error)
    return answer(request)


def answer(request: HttpRequest) -> HttpResponse:
    """Return the 503 answer, as JSON below the API's path; it reads no database."""
    if request.path_info.startswith(settings.API_PATH):
        response: HttpResponse = JsonResponse(error_json("busy", {}), status=503)
    else:
        response = render(request, "error.html", _page(), status=503)
    response["Retry-After"] = AGAIN_SECONDS
    response._has_been_logged = True  # type: ignore[attr-defined]  # not our fault: Django would log an error
    return response


def _page() -> dict[str, Any]:
    text = _("The house can't do that right now: please try again in a moment. Nothing you played is lost.")
    return {"title": _("One moment, please"), "text": text, "status": 503}
