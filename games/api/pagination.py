"""Lists in pages of at most 100 rows: by a cursor where lists grow without end, else by number."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError as BadValue
from rest_framework.exceptions import ErrorDetail, NotFound, ValidationError
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.serializers import Field, IntegerField

from games.api.fields import WHOLE
from games.refusals import translate

USUAL, MOST = 25, 100
CURSOR = re.compile(r"[A-Za-z0-9+/=_-]+", re.ASCII)
LAST_PAGE = 1_000_000
SIZE = {
    "name": "page_size",
    "in": "query",
    "required": False,
    "description": "How many rows a page has.",
    "schema": {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
}


def number(request: Request, name: str, usual: int, most: int) -> int:
    """Return a number of the query from 1 to `most`, or `usual` without one; raises ValidationError."""
    raw = request.query_params.get(name)
    if raw is None:
        return usual
    if not WHOLE.fullmatch(raw):
        raise ValidationError({name: [_detail(IntegerField, "invalid")]})
    if int(raw) < 1:
        raise ValidationError({name: [_detail(IntegerField, "min_value", min_value=1)]})
    if int(raw) > most:
        raise ValidationError({name: [_detail(IntegerField, "max_value", max_value=most)]})
    return int(raw)


def _detail(kind: type[Field], code: str, **params: Any) -> ErrorDetail:
    """Return one of REST framework's own error messages."""
    return ErrorDetail(str(kind.default_error_messages[code]).format(**params), code)


def described(schema: Any, **more: Any) -> dict[str, Any]:
    """Return the schema of a page of rows."""
    link = {"type": ["string", "null"], "format": "uri"}
    fields = {**more, "next": link, "previous": link, "results": schema}
    return {"type": "object", "required": list(fields), "properties": fields}


class Pages(PageNumberPagination):  # type: ignore[misc]
    """Pages by number: `page`, from 1."""

    page_size_query_param = "page_size"
    names = ("page", "page_size")

    def get_page_size(self, request: Request) -> int:
        """Return the number of rows of a page."""
        return number(request, "page_size", USUAL, MOST)

    def get_page_number(self, request: Request, paginator: Any) -> int:
        """Return the number of the requested page."""
        return number(request, "page", 1, LAST_PAGE)

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a page."""
        return described(schema, count={"type": "integer"})

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the schema of the parameters."""
        bounds = {"type": "integer", "minimum": 1, "maximum": LAST_PAGE, "default": 1}
        description = "Which page; one that is not there is answered with 404."
        page = {"name": "page", "in": "query", "required": False, "description": description}
        return [{**page, "schema": bounds}, SIZE]


class Cursor(CursorPagination):  # type: ignore[misc]
    """Pages by a cursor: each page links to the next, even if rows are added meanwhile."""

    page_size_query_param = "page_size"
    names = ("cursor", "page_size")

    def get_page_size(self, request: Request) -> int:
        """Return the number of rows of a page."""
        return number(request, "page_size", USUAL, MOST)

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the fields by which the list is ordered; raises ValidationError."""
        usual = next(iter(view.orderings))
        ordering = request.query_params.get("ordering", usual)
        if ordering not in view.orderings:
            raise ValidationError({"ordering": [ErrorDetail(_words(view), "invalid_choice")]})
        found: tuple[str, ...] = view.orderings[ordering]
        return found

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """Return the rows of a page; raises NotFound for an invalid cursor."""
        if not CURSOR.fullmatch(request.query_params.get("cursor", "-")):
            raise NotFound
        try:
            return super().paginate_queryset(queryset, request, view)
        except (BadValue, ValueError, OverflowError):
            raise NotFound from None

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a page."""
        return described(schema)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the schema of the parameters."""
        description = "Where a page begins, as `next` and `previous` of another page say."
        cursor = {"name": "cursor", "in": "query", "required": False, "description": description}
        choices = {"type": "string", "enum": list(view.orderings)}
        order = {"name": "ordering", "in": "query", "required": False}
        return [
            {**cursor, "schema": {"type": "string", "pattern": f"^{CURSOR.pattern}$"}},
            {**order, "schema": {**choices, "default": next(iter(view.orderings))}},
            SIZE,
        ]


def _words(view: Any) -> str:
    """Return the message that refuses an ordering."""
    return translate("not_a_choice", {"choices": ", ".join(view.orderings)})
