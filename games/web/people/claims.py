"""Claims: an account claims a guest's history, on this device by itself, elsewhere with the host's approval."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.models import Player
from games.services.hosting import claims
from games.services.people import accounts, merging, players, two_people
from games.services.seasons import seasons
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages
from games.web.identity import account_of, become, find_night, is_banned, need_inside, need_player, player_of
from games.web.links import night_url, onward
from games.web.nights.acts import posted_id


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@pages_refusals
def account_claim(request: HttpRequest) -> HttpResponse:
    """Ask whether the history of this browser's guest belongs to the account; a POST answers."""
    user, guest = account_of(request), player_of(request)
    if user is None or guest is None or not accounts.undecided(guest):
        return redirect(onward(request, reverse("me")))
    if request.method == "POST":
        with refusals_as_messages(request):
            become(request, _answered(request, user, guest))
            return redirect(onward(request, reverse("me")))
    own = players.account_player(user)
    context = {
        "guest": guest,
        "own": own,
        "past": two_people.summary(guest),
        "refusal": _refusal(guest, own),
        "next": onward(request, reverse("me")),
    }
    return render(request, "account/claim.html", context)


def _answered(request: HttpRequest, user: Any, guest: Player) -> Player:
    """Return the browser's player after the answer "yes" (that was me) or "no"; raises Illegal `not_confirmed`."""
    answer = request.POST.get("answer", "")
    if answer == "yes":
        player = accounts.claim(user, guest)
        messages.success(request, _("Done: this history is kept by your account."))
        return player
    if answer == "no":
        return own_player(user)
    raise Illegal("not_confirmed")


def own_player(user: Any) -> Player:
    """Return an account's player; made now under its user name if it had none."""
    return accounts.own_player(user, players.name_for(user) or "?", get_language() or "")


def check_maker(request: HttpRequest) -> None:
    """Raise Illegal `no_account`, `banned`, `guests_only` unless the request's account may make seasons and series.

    A POST of an account that never played makes its player.
    """
    user = account_of(request)
    if user is not None and player_of(request) is None and not is_banned(request):
        if request.method == "POST":
            become(request, own_player(user))
        return
    seasons.check_maker(need_player(request))


def _refusal(guest: Player, own: Player | None) -> str:
    """Return why the guest cannot be merged into the account's player; "" if it can."""
    if own is None:
        return ""
    try:
        merging.check(guest, own)
    except Illegal as refusal:
        return refusal_text(refusal)
    return ""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@pages_refusals
def night_claim(request: HttpRequest, public_id: str) -> HttpResponse:
    """List a night's guests; a POST with a `player` asks the host to confirm "that was me"."""
    night = find_night(public_id)
    player = need_inside(request, night)
    if request.method == "POST":
        with refusals_as_messages(request):
            claim = claims.create(night, player, posted_id(request))
            text = _("The host is asked whether you were %(name)s.")
            messages.success(request, text % {"name": claim.guest.nickname})
            return redirect(night_url(night))
    guests = claims.claimable(night, player) if player.user_id else []
    claimed = {claim.guest_id for claim in claims.waiting(night) if claim.account_id == player.pk}
    context = {"night": night, "guests": guests, "asked": claimed}
    return render(request, "account/night_claim.html", context)
