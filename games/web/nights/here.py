"""Members who have gone home or are back, said by one tap: POST night/<id>/here/."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.models import Tournament
from games.services.tables import here
from games.web import fragments
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.links import night_url
from games.web.members import find_night, need_inside
from games.web.nights.acts import posted_id
from games.web.nights.page import PARTS, page_context


@require_POST
@pages_refusals
def night_here(request: HttpRequest, public_id: str) -> HttpResponse:
    """Note who has gone home (`gone`) or is back; answer with the night's new parts (htmx), or go back to the page."""
    found = find_night(public_id)
    player = need_inside(request, found)
    is_done = False
    with refusals_as_messages(request):
        about = posted_id(request)
        if "gone" in request.POST:
            here.go_home(found, player, about, is_sure="sure" in request.POST)
        else:
            here.come_back(found, player, about)
        is_done = True
    if fragments.is_htmx(request):
        context = page_context(request, find_night(public_id))
        return fragments.parts(request, PARTS, context, always=True, done=is_done)
    tournament = Tournament.objects.filter(night=found, public_id=request.POST.get("tournament", "")).first()
    return redirect(night_url(found)) if tournament is None else redirect("tournament", tournament.public_id)
