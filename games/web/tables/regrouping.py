"""Splitting and joining tables for many, by the host on the night's page: POST night/<id>/tables/regroup/."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.row_ids import row_id
from games.services.draws import regrouping
from games.web import fragments
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.links import night_url
from games.web.members import find_night, need_inside
from games.web.nights.page import PARTS, page_context


@require_POST
@pages_refusals
def regroup(request: HttpRequest, public_id: str) -> HttpResponse:
    """Join two tables where a `target` is named, else split one; answer with the night's new parts, or its page."""
    night = find_night(public_id)
    host = need_inside(request, night)
    is_done = False
    with refusals_as_messages(request):
        source = request.POST.get("table", "")
        if target := request.POST.get("target"):
            regrouping.join(night, host, source, target)
        else:
            ids = [pk for pk in map(row_id, request.POST.getlist("players")) if pk is not None]
            regrouping.split(night, host, source, ids)
        is_done = True
    if fragments.is_htmx(request):
        context = page_context(request, find_night(public_id))
        return fragments.parts(request, PARTS, context, always=True, done=is_done)
    return redirect(night_url(night))
