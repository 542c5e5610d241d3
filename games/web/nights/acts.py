"""Acts at a night, as games/services/host_acts.py declares them: POST night/<id>/do/<act>/."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from games.kernel.contract import Illegal
from games.models import Night
from games.models.house import zone
from games.row_ids import number, row_id
from games.services.host_acts import NIGHT
from games.services.hosting import hosting
from games.web import fragments
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.links import night_url
from games.web.members import find_night, need_inside
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
        hosting.check_right(found, player, act)
        args = {name: POSTED[name](request) for name in NIGHT[act].args}
        if done := hosting.carry_out(found, player, act, **args):
            messages.success(request, done)
    if fragments.is_htmx(request):
        context = page_context(request, find_night(public_id))
        return fragments.parts(request, PARTS, context, always=True, done=bool(done))
    return redirect(_back_to(request, found, to_results=_leads_to_results(act, bool(done))))


def _leads_to_results(act: str, is_done: bool) -> bool:
    """Tell whether the results are shown after an act: they are what was shared, and what a closed night has."""
    return act in {"share", "unshare", "renew_share"} or (act == "close" and is_done)


def _back_to(request: HttpRequest, night: Night, *, to_results: bool) -> str:
    """Return the address to go to after an act: the night's results, the table it came from, or the night."""
    if to_results:
        return reverse("night_results", args=[night.public_id])
    table = night.tables.filter(public_id=request.POST.get("table", "")).first()
    return reverse("table", args=[table.public_id]) if table else night_url(night)


def posted_id(request: HttpRequest, name: str = "player") -> int:
    """Return a posted row id; raises Illegal `no_such_player`."""
    found = row_id(request.POST.get(name, ""))
    if found is None:
        raise Illegal("no_such_player")
    return found


def posted_number(request: HttpRequest) -> str:
    """Return the posted number of another phone, only its digits."""
    return "".join(c for c in request.POST.get("number", "")[:40] if c.isdecimal())


def _cap(request: HttpRequest) -> int:
    """Return the posted limit of people at the night; raises Illegal `bad_cap`."""
    found = number(request.POST.get("cap", ""))
    if found is None:
        raise Illegal("bad_cap")
    return found


def _since(request: HttpRequest) -> datetime:
    """Return the last time that the house's clocks showed a posted "21:40"; raises Illegal `bad_time`."""
    try:
        typed = time.fromisoformat(request.POST.get("since", "")[:8])
    except ValueError:
        raise Illegal("bad_time") from None
    now = timezone.localtime(timezone=zone())
    found = now.replace(hour=typed.hour, minute=typed.minute, second=0, microsecond=0)
    return found if found <= now else found - timedelta(days=1)


POSTED: Mapping[str, Callable[[HttpRequest], Any]] = {
    "player": posted_id,
    "claim": lambda request: posted_id(request, "claim"),
    "number": posted_number,
    "since": _since,
    "by_hand": lambda request: "by_hand" in request.POST,
    "cap": _cap,
    "wifi_name": lambda request: request.POST.get("wifi_name", ""),
    "wifi_password": lambda request: request.POST.get("wifi_password", ""),
    "phone_address": lambda request: request.POST.get("phone_address", ""),
}
"""Argument of an act → the function that reads it from a form."""
