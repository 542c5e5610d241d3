"""The API's failures as errors of docs/protocol.md §3, with an HTTP status."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import Error as DatabaseError
from django.http import Http404
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from games import plugin
from games.api.fields import Json, Shape
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import OptionErrors
from games.live.protocol import Bad
from games.refusals import error_json, refusal, translate_option

logger = logging.getLogger(__name__)

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
CHALLENGE = 'Bearer realm="api"'


class FieldErrorSerializer(Shape):
    """A mistake in a field."""

    code = serializers.CharField()
    message = serializers.CharField()


class ErrorSerializer(Shape):
    """A refusal. `fields` is present when single fields are wrong, by their path."""

    type = serializers.ChoiceField(["error"])
    code = serializers.CharField()
    message = serializers.CharField()
    params = Json()
    fields = serializers.DictField(child=FieldErrorSerializer(), required=False)


class BadOptions(Exception):
    """House rules of a game that are refused; `errors` has the code of each wrong option."""

    def __init__(self, game_id: str, found: OptionErrors) -> None:
        super().__init__(game_id, found)
        self.game_id, self.errors = game_id, found.errors


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to a failure; None (a 500) for an unexpected one."""
    if isinstance(error, Illegal):
        return _illegal(error, getattr(context.get("request"), "game_id", None))
    if isinstance(error, Bad):
        return Response(error_json(error.code, error.params), refusal(error.code).status)
    if isinstance(error, BadOptions):
        return Response(_options_json(error), 400)
    if isinstance(error, exceptions.ValidationError):
        return Response(_fields_json(error), 400)
    if isinstance(error, RequestDataTooBig):
        return Response(error_json("too_long", {}), refusal("too_long").status)
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
    status = refusal(error.code).status
    headers = {"WWW-Authenticate": CHALLENGE} if status == 401 else {}
    return Response(error_json(error.code, error.params, game_id), status, headers=headers)


def _fields_json(error: exceptions.ValidationError) -> JsonObject:
    """Return an error with the mistake in each field, by the field's path ("seats.0")."""
    detail = error.detail if isinstance(error.detail, Mapping) else {"": error.detail}
    fields = {path: {"code": str(first.code), "message": str(first)} for path, first in _flat(detail)}
    return {**error_json("bad_field", {"field": next(iter(fields), "")}), "fields": fields}


def _flat(detail: Mapping[Any, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each field's path with its first mistake."""
    for name, errors in detail.items():
        path = f"{before}{name}"
        if isinstance(errors, Mapping):
            yield from _flat(errors, f"{path}.")
        elif isinstance(errors, list) and errors and isinstance(errors[0], Mapping | list):
            found = {n: one for n, one in enumerate(errors) if one}
            yield from _flat(found, f"{path}.")
        else:
            yield path, errors[0] if isinstance(errors, list) else errors


def _options_json(error: BadOptions) -> JsonObject:
    """Return an error with the mistake in each option."""
    options = plugin.game(error.game_id).options
    fields = {
        f"options.{key}": {"code": code, "message": translate_option(options, key, code, params)}
        for key, (code, params) in error.errors.items()
    }
    return {**error_json("bad_options", {}), "fields": fields}
