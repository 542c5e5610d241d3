"""Answers while the house is busy: 503 with a sentence, as a page or as the API's JSON.

The database is away, its disk is full or somebody holds its lock; or all page threads are.
What was acknowledged is kept, and the same request may be sent again.
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
"""Errors that the database raises when it can't do now what it can do at other times."""


class Busy:
    """Turns away who has got no page thread, and answers for views that the database fails."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        """Go on, except without a page thread (games/ops/requests/page_threads.py)."""
        if getattr(request, "is_turned_away", False):
            return answer(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer for a view that met a database that was not ready."""
        return not_ready(request, error) if isinstance(error, NOT_READY) else None


def not_ready(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Log what the database said, and return the answer."""
    logger.warning("the database was not ready for a page: %s", error)
    return answer(request)


def answer(request: HttpRequest) -> HttpResponse:
    """Return the answer; it reads no database."""
    if request.path_info.startswith(settings.API_PATH):
        response: HttpResponse = JsonResponse(error_json("busy", {}), status=503)
    else:
        response = render(request, "error.html", _page(), status=503)
    response["Retry-After"] = AGAIN_SECONDS
    response._has_been_logged = True  # type: ignore[attr-defined]  # no fault of ours: Django would log an error
    return response


def _page() -> dict[str, Any]:
    text = _("The house can't do that right now: please try again in a moment. Nothing you played is lost.")
    return {"title": _("One moment, please"), "text": text, "status": 503}
