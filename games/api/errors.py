"""Every failure of the API as docs/protocol.md §3 has it, with an HTTP status."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import Error as DatabaseError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from games.kernel.contract import Illegal
from games.messages import error_json
from games.realtime.messages import Bad

logger = logging.getLogger(__name__)

STATUS = {
    "not_inside": 403,
    "removed": 403,
    "not_seated": 403,
    "not_host": 403,
    "no_such_table": 404,
    "stale": 409,
    "not_open": 409,
}
_DRF: list[tuple[type[Exception], str]] = [
    (exceptions.ParseError, "bad_json"),
    (exceptions.UnsupportedMediaType, "bad_json"),
    (exceptions.Throttled, "too_many"),
    (exceptions.NotFound, "not_found"),
    (Http404, "not_found"),
    (exceptions.PermissionDenied, "no_csrf"),
    (PermissionDenied, "no_csrf"),
    (exceptions.APIException, "not_allowed"),
]


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to a failure; None (a 500) for what nobody foresaw."""
    if isinstance(error, Illegal):
        game_id = getattr(context.get("request"), "game_id", None)
        body = error_json(error.code, error.params, game_id)
        return Response(body, STATUS.get(error.code, 400))
    if isinstance(error, Bad):
        return Response(error_json(error.code, error.params), 400)
    if isinstance(error, RequestDataTooBig):
        return Response(error_json("too_long", {}), 400)
    if isinstance(error, DatabaseError):
        logger.warning("the database was not ready for the API", exc_info=error)
        return Response(error_json("busy", {}), 503)
    response: Response | None = exception_handler(error, context)
    if response is not None:
        code = next(code for kind, code in _DRF if isinstance(error, kind))
        response.data = error_json(code, {})
    return response
