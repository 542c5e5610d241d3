"""Every failure of the API as docs/protocol.md §3 has it, with an HTTP status."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import Error as DatabaseError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import OptionErrors
from games.messages import error_json, translate_option
from games.realtime.messages import Bad

logger = logging.getLogger(__name__)

STATUS = {
    "not_known": 401,
    "bad_token": 401,
    "banned": 403,
    "host_stays": 403,
    "not_asked": 403,
    "not_host": 403,
    "not_inside": 403,
    "not_met": 403,
    "not_seated": 403,
    "not_your_rules": 403,
    "removed": 403,
    "no_csrf": 403,
    "token_reads": 403,
    "not_found": 404,
    "no_odds": 404,
    "no_replay": 404,
    "no_such_correction": 404,
    "no_such_file": 404,
    "no_such_game": 404,
    "no_such_night": 404,
    "no_such_preset": 404,
    "no_such_rules": 404,
    "no_such_table": 404,
    "no_such_unit": 404,
    "no_such_venue": 404,
    "wrong_code": 404,
    "not_allowed": 405,
    "already_started": 409,
    "card_changed": 409,
    "night_closed": 409,
    "night_full": 409,
    "night_locked": 409,
    "not_accepted": 409,
    "not_finished": 409,
    "not_open": 409,
    "rules_moved_on": 409,
    "stale": 409,
    "table_full": 409,
    "too_few_seats": 409,
    "too_many_nights": 409,
    "too_many_seats": 409,
    "too_many_tables": 409,
    "too_long": 413,
    "too_many": 429,
    "too_many_tries": 429,
    "busy": 503,
}
_DRF: list[tuple[type[Exception], str]] = [
    (exceptions.ParseError, "bad_json"),
    (exceptions.UnsupportedMediaType, "bad_json"),
    (exceptions.Throttled, "too_many"),
    (exceptions.NotFound, "not_found"),
    (Http404, "not_found"),
    (exceptions.AuthenticationFailed, "bad_token"),
    (exceptions.PermissionDenied, "no_csrf"),
    (PermissionDenied, "no_csrf"),
    (exceptions.APIException, "not_allowed"),
]
WHO_ARE_YOU = 'Bearer realm="api"'


class BadOptions(Exception):
    """House rules of a game that are refused, each at its option."""

    def __init__(self, game_id: str, refusal: OptionErrors) -> None:
        super().__init__(game_id, refusal)
        self.game_id, self.errors = game_id, refusal.errors


def status_of(code: str) -> int:
    """Return the HTTP status of a refusal."""
    return STATUS.get(code, 400)


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to a failure; None (a 500) for what nobody foresaw."""
    if isinstance(error, Illegal):
        return _illegal(error, getattr(context.get("request"), "game_id", None))
    if isinstance(error, Bad):
        return Response(error_json(error.code, error.params), status_of(error.code))
    if isinstance(error, BadOptions):
        return Response(_options_json(error), 400)
    if isinstance(error, exceptions.ValidationError):
        return Response(_fields_json(error), 400)
    if isinstance(error, RequestDataTooBig):
        return Response(error_json("too_long", {}), status_of("too_long"))
    if isinstance(error, DatabaseError):
        logger.warning("the database was not ready for the API", exc_info=error)
        return Response(error_json("busy", {}), 503)
    response: Response | None = exception_handler(error, context)
    if response is not None:
        code = next(code for kind, code in _DRF if isinstance(error, kind))
        response.data = error_json(code, {})
    return response


def _illegal(error: Illegal, game_id: str | None) -> Response:
    """Return the answer to a refusal of the house or of a game."""
    status = status_of(error.code)
    headers = {"WWW-Authenticate": WHO_ARE_YOU} if status == 401 else {}
    return Response(error_json(error.code, error.params, game_id), status, headers=headers)


def _fields_json(error: exceptions.ValidationError) -> JsonObject:
    """Return an error with what is wrong at each field, by its path ("seats.0")."""
    detail = error.detail if isinstance(error.detail, Mapping) else {"": error.detail}
    fields = {path: {"code": str(first.code), "message": str(first)} for path, first in _flat(detail)}
    return {**error_json("bad_field", {"field": next(iter(fields), "")}), "fields": fields}


def _flat(detail: Mapping[Any, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each field's path with the first thing that is wrong there."""
    for name, what in detail.items():
        path = f"{before}{name}"
        if isinstance(what, Mapping):
            yield from _flat(what, f"{path}.")
        elif isinstance(what, list) and what and isinstance(what[0], Mapping | list):
            found = {n: one for n, one in enumerate(what) if one}
            yield from _flat(found, f"{path}.")
        else:
            yield path, what[0] if isinstance(what, list) else what


def _options_json(error: BadOptions) -> JsonObject:
    """Return an error with what is wrong at each option."""
    options = plugin.game(error.game_id).options
    fields = {
        f"options.{key}": {"code": code, "message": translate_option(options, key, code, params)}
        for key, (code, params) in error.errors.items()
    }
    return {**error_json("bad_options", {}), "fields": fields}
