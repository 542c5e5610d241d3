"""Acts at a night, as the services declare them: POST night/<id>/do/<act>/."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.kernel.contract import Illegal
from games.models import Night
from games.services import arguments
from games.services.nights.registry import NIGHT
from games.web import fragments
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.identity import find_night, need_inside
from games.web.links import night_url
from games.web.nights.page import PARTS, page_context


@require_POST
@pages_refusals
def night_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act; answer with the page's new parts (htmx) or redirect to the page."""
    found = find_night(public_id)
    player = need_inside(request, found)
    if act not in NIGHT:
        raise Http404
    done = ""
    with refusals_as_messages(request):
        if done := NIGHT.carry_out(found, player, act, request.POST, arguments.typed):
            messages.success(request, done)
    if fragments.is_htmx(request):
        context = page_context(request, find_night(public_id))
        return fragments.parts(request, PARTS, context, always=True, done=bool(done))
    return redirect(_back_to(request, found, to_results=_leads_to_results(act, bool(done))))


def _leads_to_results(act: str, is_done: bool) -> bool:
    """Tell whether the results are shown after an act: after sharing them, and after closing the night."""
    return act in {"share", "unshare", "renew_share"} or (act == "close" and is_done)


def _back_to(request: HttpRequest, night: Night, *, to_results: bool) -> str:
    """Return the address to go to after an act: the night's results, the table it came from, or the night."""
    if to_results:
        return reverse("night_results", args=[night.public_id])
    table = night.tables.filter(public_id=request.POST.get("table", "")).first()
    return reverse("table", args=[table.public_id]) if table else night_url(night)


def posted_id(request: HttpRequest, name: str = "player") -> int:
    """Return a posted row id; raises Illegal `no_such_player`."""
    try:
        return arguments.row_id(request.POST.get(name))
    except ValueError:
        raise Illegal("no_such_player") from None


def posted_number(request: HttpRequest) -> str:
    """Return the posted number of another phone, only its digits."""
    return arguments.digits(request.POST.get("number"))
