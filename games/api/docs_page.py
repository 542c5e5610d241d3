"""The API's description (OpenAPI 3.1), and the page that shows it: offline, without inline code."""

from __future__ import annotations

from typing import Any

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.negotiation import DefaultContentNegotiation

from games.api.throttles import AnonymousThrottle, AskerThrottle


class Schema(SpectacularAPIView):
    """The description, in YAML or (`?format=json`) in JSON."""

    authentication_classes: list[Any] = []
    throttle_classes = [AnonymousThrottle, AskerThrottle]
    content_negotiation_class = DefaultContentNegotiation


class Docs(SpectacularSwaggerSplitView):
    """The page to read it and to try it out."""

    authentication_classes: list[Any] = []
    throttle_classes = [AnonymousThrottle, AskerThrottle]
    content_negotiation_class = DefaultContentNegotiation
    url_name = "api_schema"
    template_name = "api_docs.html"
