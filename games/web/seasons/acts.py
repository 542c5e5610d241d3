"""Acts of organisers and entrants of a season, as the services declare them: POST season/<id>/do/<act>/."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.models import Season
from games.services import arguments
from games.services.seasons import proposals, requests, seasons, sheet_names
from games.services.seasons.registry import ACTS
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.identity import need_player


@require_POST
@pages_refusals
def season_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act of an organiser or entrant, and go back to the season."""
    season, player = seasons.find(public_id), need_player(request)
    if act not in ACTS:
        raise Http404
    with refusals_as_messages(request):
        messages.success(request, ACTS.carry_out(season, player, act, request.POST, arguments.typed))
    return redirect("season", public_id) if Season.objects.filter(pk=season.pk).exists() else redirect("seasons")


@require_POST
@pages_refusals
def answer_request(request: HttpRequest, request_id: int) -> HttpResponse:
    """Answer as a night's host whether the night may be in somebody's season."""
    player = need_player(request)
    with refusals_as_messages(request):
        agrees = request.POST.get("answer") == "yes"
        requests.answer(request_id, player, agrees=agrees)
        done = _("The night is in the season.") if agrees else _("The night stays out of the season.")
        messages.success(request, str(done))
    return redirect("seasons")


@require_POST
@pages_refusals
def answer_name(request: HttpRequest, name_id: int) -> HttpResponse:
    """Say whether a name in a season's spreadsheet is one's own."""
    player = need_player(request)
    with refusals_as_messages(request):
        agrees = request.POST.get("answer") == "yes"
        sheet_names.answer(name_id, player, agrees=agrees)
        done = _("The points are yours in this season.") if agrees else _("The points stay with the name alone.")
        messages.success(request, str(done))
    return redirect("seasons")


@require_POST
@pages_refusals
def answer_proposal(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """Say whether two people of a season are one: as one of them, or as a host of their nights."""
    player = need_player(request)
    with refusals_as_messages(request):
        is_true = request.POST.get("answer") == "yes"
        if proposals.answer(proposal_id, player, is_true=is_true):
            done = _("The two are one person now.")
        else:
            done = _("Noted. Others are asked, too.") if is_true else _("Refused: nothing was joined.")
        messages.success(request, str(done))
    return redirect("seasons")
