"""An address of the API has one form, whatever a request would accept."""

from __future__ import annotations

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation


class OnlyJson(BaseContentNegotiation):  # type: ignore[misc]
    """An address has one form, whatever a request would accept."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        """Return the one parser."""
        return parsers[0]

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        """Return the one renderer."""
        return renderers[0], renderers[0].media_type
