"""Whatever is no address of the API."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from games.api.base import View


class Nothing(View):
    """An address that is none; said in JSON as all the rest."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse, whatever is asked."""
        raise NotFound
