"""Acts on what is owed at a night, as the services declare them: POST night/<id>/owed/do/<act>/."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from games.services import arguments
from games.services.payments.registry import ACTS
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.identity import find_night, need_inside


@sensitive_post_parameters("iban", "account_name", "street", "town")
@require_POST
@pages_refusals
def owed_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act of a member, and go back to the page."""
    night = find_night(public_id)
    player = need_inside(request, night)
    if act not in ACTS:
        raise Http404
    with refusals_as_messages(request):
        if done := ACTS.carry_out(night, player, act, request.POST, arguments.typed):
            messages.success(request, done)
    return redirect("night_owed", public_id)
