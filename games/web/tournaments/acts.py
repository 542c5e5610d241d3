"""Acts at a tournament, as the services declare them: POST tournament/<id>/do/<act>/."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.models import Tournament
from games.services import arguments
from games.services.tournaments.acts import carry_out
from games.services.tournaments.rights import ACTS
from games.web import fragments
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.tournaments.page import PARTS, asked_context, found_for


@require_POST
@pages_refusals
def tournament_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act; answer with the page's new parts (htmx) or go back to the page."""
    found, player = found_for(request, public_id)
    if act not in ACTS:
        raise Http404
    is_done = False
    with refusals_as_messages(request):
        if done := carry_out(found, player, act, request.POST, arguments.typed):
            messages.success(request, done)
        is_done = True
    if not Tournament.objects.filter(pk=found.pk).exists():
        return redirect("night", found.night.public_id)
    if fragments.is_htmx(request):
        context = asked_context(found, player, _asked_by_page(request))
        return fragments.parts(request, PARTS, context, always=True, done=is_done)
    return redirect("tournament", public_id)


def _asked_by_page(request: HttpRequest) -> QueryDict:
    """Return the query of the page that an act was sent from, by htmx's header."""
    return QueryDict(request.headers.get("HX-Current-URL", "").partition("#")[0].partition("?")[2])
