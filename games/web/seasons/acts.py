"""Acts of organisers and entrants of a season, as the services declare them: POST season/<id>/do/<act>/."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.models import Player, Season
from games.services import arguments
from games.services.seasons import proposals, requests, seasons, sheet_names
from games.services.seasons.registry import ACTS
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.identity import need_player
from games.web.seasons.claiming import ASKING, note_listed_asked


@require_POST
@pages_refusals
def season_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act of an organiser or entrant, and go back to the season."""
    season, player = seasons.find(public_id), need_player(request)
    if act not in ACTS:
        raise Http404
    with refusals_as_messages(request):
        done = ACTS.do(season, player, act, request.POST, arguments.typed)
        messages.success(request, ACTS.message(act, done))
        if act in ASKING:
            note_listed_asked(request)
        if isinstance(done, Season):
            return redirect("season", done.public_id)
    # Who is not counted in at a season that asks may not read it yet.
    is_left = act == "decline" or not Season.objects.filter(pk=season.pk).exists()
    return redirect("seasons") if is_left else redirect("season", public_id)


def _said_of_night(row_id: int, player: Player, agrees: bool) -> Any:
    """Answer as a night's host whether the night may be in somebody's season."""
    requests.answer(row_id, player, agrees=agrees)
    return _("The night is in the season.") if agrees else _("The night stays out of the season.")


def _said_of_name(row_id: int, player: Player, agrees: bool) -> Any:
    """Say whether a name in a season's spreadsheet is one's own."""
    sheet_names.answer(row_id, player, agrees=agrees)
    return _("The points are yours in this season.") if agrees else _("The points stay with the name alone.")


def _said_of_two(row_id: int, player: Player, agrees: bool) -> Any:
    """Say whether two people of a season are one: as one of them, or as a host of their nights."""
    if proposals.answer(row_id, player, is_true=agrees):
        return _("The two are one person now.")
    return _("Noted. Others are asked, too.") if agrees else _("Refused: nothing was joined.")


QUESTIONS: Mapping[str, Callable[[int, Player, bool], Any]] = {
    "asked": _said_of_night,
    "named": _said_of_name,
    "same": _said_of_two,
}
"""Question on the page of the seasons → the function that takes the answer, and returns the message then."""


@require_POST
@pages_refusals
def answer(request: HttpRequest, row_id: int, question: str) -> HttpResponse:
    """Take a yes or no to one of the questions, and go back to the page that asks."""
    player = need_player(request)
    with refusals_as_messages(request):
        messages.success(request, str(QUESTIONS[question](row_id, player, request.POST.get("answer") == "yes")))
    return redirect("seasons")
