"""The page that takes games of another address along: played without the house, by a device that is nobody here.

The games stand behind the "#" of its address, which the page's script alone reads, and proposes by one tap.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games.web.errors import pages_refusals
from games.web.tables.page import find_table


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def handed_games(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show whoever has the table's address how many games they bring along; it tells nothing of the table."""
    return render(request, "tables/handed.html", {"table": find_table(public_id)})
