"""The base of the API's views: strict query parameters, lists in pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.utils.encoding import iri_to_uri
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.auth import RequestAsker, asker_of
from games.api.fields import Body, Query, read_body, read_query, single
from games.api.rate_limit import RateThrottle
from games.models import Player

DEPRECATED_AT = "@1796083200"
"""From when on the path without a version is deprecated, as RFC 9745 writes it: 2026-12-01."""


class View(APIView):  # type: ignore[misc]
    """A view of the API. `queries` maps each method to its query parameters."""

    throttle_classes = [RateThrottle]
    queries: ClassVar[Mapping[str, type[Query]]] = {}
    query: Mapping[str, Any]

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        """Keep the browser's account: REST framework's `user` will be the player."""
        account = getattr(request, "user", None)
        found: Any = super().initialize_request(request, *args, **kwargs)
        found.account = account
        return found

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Set `asker` and `query` before the view runs."""
        super().initial(request, *args, **kwargs)
        self.asker: RequestAsker = asker_of(request)
        self.query = self.read_query(request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say at an address without its version (RFC 9745) where the same thing is from now on."""
        found: Any = super().finalize_response(request, response, *args, **kwargs)
        path: str = request.path
        if not path.startswith(settings.API_V1_PATH):
            found["Deprecation"] = DEPRECATED_AT
            successor = settings.API_V1_PATH + path.removeprefix(settings.API_PATH)
            found["Link"] = f'<{iri_to_uri(successor)}>; rel="successor-version"'
        return found

    def read_query(self, request: Request) -> Mapping[str, Any]:
        """Return the query parameters."""
        # A HEAD request takes the parameters of GET.
        method = "GET" if request.method == "HEAD" else request.method or ""
        query: Mapping[str, Any] = read_query(request, self.queries.get(method))
        return query

    def body(self, kind: type[Body]) -> Any:
        """Return the values of the request's body."""
        return read_body(self.request, kind)

    def player(self) -> Player:
        """Return the asking player; raises Illegal `banned`, `not_known`."""
        return self.asker.need_player()


class ListView(View, GenericAPIView):  # type: ignore[misc]
    """A list: filtered, ordered and in pages.

    `orderings` maps each value of `ordering` to fields of the rows; the first is the default.
    """

    filter_backends = [DjangoFilterBackend]
    orderings: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def read_query(self, request: Request) -> Mapping[str, Any]:
        """Return the query parameters; filters and pages read their own."""
        filters = getattr(self, "filterset_class", None)
        pages = self.paginator.names if self.paginator else ()
        known = {*(filters.base_filters if filters else ()), *pages}
        if self.orderings:
            known.add("ordering")
        return single(request.query_params, known)

    def page(self, rows: Any) -> Response:
        """Return the requested page of rows."""
        found = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(self.get_serializer(found, many=True).data)


class Nothing(View):
    """Every other address of the API: 404 in JSON."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise NotFound for every request."""
        raise NotFound
