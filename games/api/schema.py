"""The API's own description (OpenAPI 3.1): each address with its answers, refusals, examples.

The examples are in games/api/answers.json, by operation; a test compares them with the API's answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from django.conf import settings
from django.utils.translation import override
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from games.api.errors import ErrorSerializer
from games.api.fields import Body, Query
from games.ops.at_start import files
from games.refusals import error_json, refusal

F = TypeVar("F", bound=Callable[..., Any])
Shape: TypeAlias = Any
"""A serializer, or a mapping of (status, media type) to serializers."""

# Refusals of every address, and further refusals of every POST.
ALWAYS = ("bad_field", "unknown_param", "bad_token", "banned", "too_many", "busy")
WRITES = ("bad_json", "not_an_object", "too_deep", "too_long", "token_reads", "no_csrf")
SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "bad_field": {"field": "page_size"},
    "unknown_param": {"name": "colour"},
    "rules_broken": {"name": "Thursday rules"},
    "rules_fixed": {"name": "Thursday rules"},
    "not_accepted": {"names": "Kari"},
    "too_few_seats": {"few": 2},
    "too_many_bots": {"most": 8},
    "too_many_nights": {"most": 12},
    "too_many_seats": {"many": 8},
    "too_many_tables": {"most": 200},
    "night_full": {"cap": 60},
}
DESCRIPTION = """Everything that the house knows, for programs: docs/api.md shows it by example.

Send a token as `Authorization: Bearer <token>`; those who have an account make them on the
site, under *Your name and language*. A browser that is at a night may ask with its cookies.
Refusals have a `code` that stays, and a `message` in the language of `Accept-Language`."""


@cache
def examples() -> dict[str, Any]:
    """Return the example of each operation: {"request", "response"}."""
    found: dict[str, Any] = json.loads(files.text(Path(__file__).with_name("answers.json")))
    return found


def described(
    operation: str,
    summary: str,
    answer: Shape,
    *,
    tag: str,
    codes: str = "",
    description: str = "",
    query: type[Query] | None = None,
    body: type[Body] | None = None,
    status: int = 200,
) -> Callable[[F], F]:
    """Describe a method of a view; `codes` are its own refusals, separated by blanks."""
    answers = answer if isinstance(answer, dict) else {(status, "application/json"): answer}
    refusals = (*codes.split(), *ALWAYS, *(WRITES if body is not None else ()))
    decorate: Callable[[F], F] = extend_schema(
        operation_id=operation,
        summary=summary,
        description=description,
        tags=[tag],
        parameters=[query] if query else [],
        request={"application/json": body} if body else None,
        responses={**answers, **_refused(refusals, body is not None)},
    )
    return decorate


def _refused(codes: tuple[str, ...], has_body: bool) -> dict[Any, OpenApiResponse]:
    """Return the refusals by status, each with its codes and an example of each code."""
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        by_status.setdefault(refusal(code).status, []).append(code)
    if has_body:
        by_status[415] = ["bad_json"]
    return {
        (status, "application/json"): OpenApiResponse(
            ErrorSerializer,
            description=", ".join(f"`{code}`" for code in found),
            examples=[_refusal(code) for code in found],
        )
        for status, found in sorted(by_status.items())
    }


def _refusal(code: str) -> OpenApiExample:
    """Return the example of a refusal."""
    with override("en"):
        return OpenApiExample(code, value=error_json(code, SAMPLES.get(code, {})))


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Authentication by token, for OpenAPI."""

    target_class = "games.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme."""
        return {"type": "http", "scheme": "bearer"}


class PlayerScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """Authentication by the browser's session, for OpenAPI."""

    target_class = "games.api.authentication.PlayerAuthentication"
    name = "session"


class BodyExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Schemas of bodies: they have the named fields and no others."""

    target_class = "games.api.fields.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the schema of a body: that of its fields, with what the body itself says of them (`schema`)."""
        found: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        plain = {**found, "additionalProperties": False}
        return self.target.schema(plain) if hasattr(self.target, "schema") else plain


def only_versioned(endpoints: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the addresses with the version in their path; the same views without it are not described."""
    return [each for each in endpoints if each[0].startswith(settings.API_V1_PATH)]


def finish(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Add the house's description and the examples to a finished schema."""
    result["info"]["description"] = DESCRIPTION
    for methods in result["paths"].values():
        for operation in methods.values():
            _show(operation, examples().get(operation["operationId"], {}))
    return result


def _show(operation: dict[str, Any], example: Mapping[str, Any]) -> None:
    """Add an operation's example to its body and its answer, where they are JSON."""
    if "request" in example:
        content = operation["requestBody"]["content"]["application/json"]
        content["examples"] = {"Example": {"value": example["request"]}}
    for status, answer in operation["responses"].items():
        if status < "300" and "response" in example:
            content = answer["content"]["application/json"]
            content["examples"] = {"Example": {"value": example["response"]}}
