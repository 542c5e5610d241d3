"""The base of seasons and series in the admin: a link to their own page, and their organisers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.base import Acts, ReadOnly
from games.services.regions import written


class Organised(ReadOnly, Acts):
    """A model whose rows have a page of the house, on which the staff may do what its organisers may."""

    show_full_result_count = False
    list_per_page = 50

    def address(self, row: Any) -> str:
        """Return the address of a row's page."""
        raise NotImplementedError

    def tools(self, request: HttpRequest, row: Any) -> list[tuple[str, Any]]:
        """Add the link to the row's page."""
        return [(self.address(row), _("To its page")), *super().tools(request, row)]

    @admin.display(description=_("organiser"), ordering="organiser__nickname")
    def organisers(self, row: Any) -> str:
        """Return the names of the organisers; a deleted person's is told in the reader's language."""
        return written.names(each.displayed_name for each in (row.organiser, row.second) if each is not None) or "–"
