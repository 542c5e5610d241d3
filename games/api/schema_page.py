"""The API's description (OpenAPI 3.1), and its page: offline, without inline code."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from games.api.rate_limit import RateThrottle

# The generator keeps state in globals: two runs at once break each other.
_one_at_a_time = threading.Lock()


@cache
def _texts() -> dict[str, bytes]:
    """Return the description by format ("yaml", "json"); it is the same for every reader."""
    generator: Any = SchemaGenerator
    made = generator().get_schema(request=None, public=True)
    kinds: list[Any] = list(Schema.renderer_classes)
    by_format = {kind.format: kind for kind in reversed(kinds)}
    return {name: kind().render(made, renderer_context={}) for name, kind in by_format.items()}


def texts() -> dict[str, bytes]:
    """Return the description by format, made once in a process even if several requests come at once.

    The first one takes a second of processor, after the moves; a house in which nobody asks starts without it.
    """
    with _one_at_a_time:
        return _texts()


class Schema(SpectacularAPIView):
    """The description, in YAML or (`?format=json`) in JSON."""

    authentication_classes: list[Any] = []
    throttle_classes = [RateThrottle]
    content_negotiation_class = DefaultContentNegotiation

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the description; it is made once in a process."""
        kind = request.accepted_renderer
        charset = f"; charset={kind.charset}" if kind.charset else ""
        headers = {"Content-Disposition": f'inline; filename="Stammtisch.{kind.format}"'}
        return HttpResponse(texts()[kind.format], content_type=f"{kind.media_type}{charset}", headers=headers)


class Docs(SpectacularSwaggerSplitView):
    """The page to read the API's description and try the API out."""

    authentication_classes: list[Any] = []
    throttle_classes = [RateThrottle]
    content_negotiation_class = DefaultContentNegotiation
    url_name = "api_schema"
    template_name = "api_docs.html"
