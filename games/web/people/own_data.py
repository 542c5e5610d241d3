"""The page of the player's own data: download and deletion."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.models import Player
from games.services import rate_limit
from games.services.people import accounts, deletion, erasure, players, two_people
from games.web.errors import forms_only, pages_refusals, refusal_text, status_of
from games.web.identity import account_of, is_banned, need_player, player_of
from games.web.people import kept_sheet
from games.web.people.claims import own_player


def _own_player(request: HttpRequest) -> Player:
    """Return the player of the request, also a banned one: they have a right to their data."""
    if is_banned(request) and (banned := players.session_player(request.session)) is not None:
        return banned
    user = account_of(request)
    if user is not None and player_of(request) is None:
        return own_player(user)
    return need_player(request)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def my_data(request: HttpRequest) -> HttpResponse:
    """Show a summary of the data, with the forms to download or delete it."""
    return _page(request, _own_player(request))


def _page(request: HttpRequest, player: Player, refusal: Illegal | None = None) -> HttpResponse:
    """Render the page, with a refusal at its own form."""
    user = account_of(request)
    if user is not None and accounts.undecided(player):
        return redirect("account_claim")
    act = request.resolver_match.url_name if request.resolver_match else ""
    context = {
        "who": player,
        "past": two_people.summary(player),
        "is_account": user is not None,
        "is_erased": erasure.is_needed_here(),
        "backup_weeks": 0 if settings.BACKUP_FOLDER is None else settings.KEEP_BACKUP_WEEKS + 1,
        "errors": {act: refusal_text(refusal)} if refusal else {},
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "account/my_data.html", context, status=status)


def _check_password(request: HttpRequest) -> None:
    """Raise Illegal `wrong_password`, `too_many_tries` if the account's password is wrong; pass without an account."""
    user = account_of(request)
    if user is None:
        return
    # Counted by account: other people cannot use up its attempts.
    counted_by = f"account-{user.pk}"
    rate_limit.check("password", counted_by)
    if not user.check_password(request.POST.get("password", "")):
        rate_limit.note("password", counted_by)
        raise Illegal("wrong_password")


@forms_only("my_data")
@never_cache
@pages_refusals
def my_data_file(request: HttpRequest) -> HttpResponse:
    """Return all data of the player as a JSON file, or as a sheet for paper."""
    player = _own_player(request)
    try:
        _check_password(request)
    except Illegal as refusal:
        return _page(request, player, refusal)
    if request.POST.get("as") == "sheet":
        return kept_sheet.page(request, player)
    response = JsonResponse(deletion.own_data(player), json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = 'attachment; filename="stammtisch-my-data.json"'
    return response


@forms_only("my_data")
@pages_refusals
def my_data_delete(request: HttpRequest) -> HttpResponse:
    """Delete the player and the account, and log this browser out."""
    player = _own_player(request)
    try:
        _check_password(request)
        if "sure" not in request.POST:
            raise Illegal("not_confirmed")
        deletion.delete(player)
    except Illegal as refusal:
        return _page(request, player, refusal)
    logout(request)
    messages.success(request, _("Your data are deleted. Thank you for playing."))
    return redirect("home")
