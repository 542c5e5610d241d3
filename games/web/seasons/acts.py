"""Acts of organisers and entrants of a season: POST season/<id>/do/<act>/."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.kernel.contract import Illegal
from games.models import Night, Player, Season
from games.row_ids import number, row_id
from games.services.seasons import entrants, proposals, requests, season_matches, season_nights, seasons, sheet_names
from games.services.sharing import links
from games.services.sheets import sheets
from games.web.drafts import posted_day
from games.web.errors import pages_refusals, refusals_as_messages
from games.web.identity import need_player


@require_POST
@pages_refusals
def season_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Carry out an act of an organiser or entrant, and go back to the season."""
    season, player = seasons.find(public_id), need_player(request)
    if act not in ACTS:
        raise Http404
    carry_out, done = ACTS[act]
    with refusals_as_messages(request):
        carry_out(request, season, player)
        messages.success(request, str(done))
    return redirect("season", public_id) if Season.objects.filter(pk=season.pk).exists() else redirect("seasons")


def _night(request: HttpRequest) -> Night:
    """Return the posted night; raises Illegal `no_such_night`."""
    night = Night.objects.filter(public_id=request.POST.get("night", "")).first()
    if night is None:
        raise Illegal("no_such_night")
    return night


def _past(request: HttpRequest, season: Season, player: Player) -> None:
    season_nights.attach_ticked(season, player, request.POST.getlist("night"))


def _weigh(request: HttpRequest, season: Season, player: Player) -> None:
    weight = number(request.POST.get("weight", ""))
    season_nights.weigh(season, player, _night(request), weight or 0)


def _day(request: HttpRequest, season: Season, player: Player) -> None:
    season_nights.set_day(season, player, _night(request), posted_day(request, "day", "bad_night_day"))


def _stage(request: HttpRequest, season: Season, player: Player) -> None:
    match_id = row_id(request.POST.get("match", ""))
    season_matches.set_stage(season, player, match_id, request.POST.get("stage", ""))


def _notice(request: HttpRequest, season: Season, player: Player) -> None:
    person = row_id(request.POST.get("player", ""))
    season_matches.give_notice(season, player, _night(request), person, request.POST.get("kind", ""))


def _second(request: HttpRequest, season: Season, player: Player) -> None:
    seasons.name_second(season, player, row_id(request.POST.get("player", "")))


def _take_out(request: HttpRequest, season: Season, player: Player) -> None:
    entrants.take_out(season, player, row_id(request.POST.get("player", "")))


def _stay(request: HttpRequest, season: Season, player: Player) -> None:
    seasons.set_stays_open(season, player, request.POST.get("stays") == "yes")


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


def _propose(request: HttpRequest, season: Season, player: Player) -> None:
    one, other = (row_id(request.POST.get(name, "")) for name in ("one", "other"))
    proposals.propose(season, player, one, other)


def _withdraw(request: HttpRequest, season: Season, player: Player) -> None:
    proposals.withdraw(season, player, row_id(request.POST.get("proposal", "")))


def _undo_sheet(request: HttpRequest, season: Season, player: Player) -> None:
    sheets.undo(season, player, row_id(request.POST.get("sheet", "")))


ACTS: Mapping[str, tuple[Callable[[HttpRequest, Season, Player], Any], Any]] = {
    "attach": (lambda r, s, p: season_nights.attach(s, p, _night(r)), _("The night is in the season.")),
    "past": (_past, _("The ticked nights are in the season.")),
    "detach": (lambda r, s, p: season_nights.detach(s, p, _night(r)), _("The night is out of the season.")),
    "weigh": (_weigh, _("Saved.")),
    "day": (_day, _("Saved.")),
    "part": (lambda r, s, p: season_nights.part(s, p, _night(r)), _("Saved.")),
    "ask": (lambda r, s, p: requests.ask(s, p, _night(r)), _("The host is asked.")),
    "stage": (_stage, _("Saved.")),
    "notice": (_notice, _("Saved.")),
    "second": (_second, _("Saved.")),
    "stay": (_stay, _("Saved.")),
    "undo_sheet": (_undo_sheet, _("Undone: everything that this spreadsheet gave is gone.")),
    "propose": (_propose, _("Proposed. Where all have agreed, the two are one person.")),
    "withdraw": (_withdraw, _("The proposal is gone.")),
    "share": (lambda _request, s, p: links.open_season(s, p), _("Whoever has the link reads the standing.")),
    "unshare": (lambda _request, s, p: links.close_season(s, p), _("The link is closed: it shows nothing any more.")),
    "renew_share": (
        lambda _request, s, p: links.renew_season(s, p),
        _("The link is a new one; the old one shows nothing any more."),
    ),
    "close": (lambda _request, s, p: seasons.close(s, p), _("The season is closed: its standing is final.")),
    "reopen": (lambda _request, s, p: seasons.reopen(s, p), _("The season is open again.")),
    "remove": (lambda _request, s, p: seasons.remove(s, p), _("Done.")),
    "open_entry": (lambda _request, s, p: entrants.open_entry(s, p), _("Whoever has the link can be counted in.")),
    "close_entry": (lambda _request, s, p: entrants.close_entry(s, p), _("The link is closed: it opens nothing.")),
    "enter": (lambda _request, s, p: entrants.enter(s, p), _("You are counted in.")),
    "take_out": (_take_out, _("Counted in no more. Their points stay.")),
    "leave": (lambda _request, s, p: entrants.leave(s, p), _("You are counted in no more. Your points stay.")),
}
"""Name of an act → what carries it out, and what is said then."""
