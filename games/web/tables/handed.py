"""The page that takes games of another address along: played without the house, by a device that is nobody here.

Games and table stand behind the "#" of its address, which the page's script alone reads, and proposes by one tap.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games.web.errors import pages_refusals


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def handed_games(request: HttpRequest) -> HttpResponse:
    """Show whoever comes how many games they bring along; it knows of no table."""
    return render(request, "tables/handed.html")
