"""Votes on the position of a night."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.services.grades import position
from games.web.errors import pages_refusals
from games.web.members import find_night, need_inside


@require_http_methods(["POST"])
@pages_refusals
def night_position(request: HttpRequest, public_id: str) -> HttpResponse:
    """Note the vote of a form (`key`, `choice`), and go back to the night's results."""
    night = find_night(public_id)
    player = need_inside(request, night)
    given = request.POST
    position.vote(night, player, given.get("key", ""), given.get("choice", ""), datetime.now(UTC))
    return redirect(f"{reverse('night_results', args=[public_id])}#position")
