"""Device transfer: a guest picks their name on another phone and shows the host a number; the host approves.

The guest's own device, if it still runs, is asked on a page of its own (`my_moves`).
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services import rate_limit
from games.services.hosting import claims, device_transfer
from games.services.nights import agreement, membership
from games.services.people import name_order
from games.web import links
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.fragments import is_htmx
from games.web.guests import become_for_good
from games.web.identity import need_player, player_of
from games.web.nights.acts import posted_id, posted_number
from games.web.rate_limit import subject_of_address

SECRET = "move_secret"  # noqa: S105 (a session key's name)
NUMBER = "move_number"


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def request_move(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """List the guests of the night; a POST with a `player` asks to go on as that player."""
    night, _is_invited = membership.find_by_invitation(public_id, token)
    error, status = "", 200
    if request.method == "POST":
        try:
            _request_move(request, night)
        except Illegal as refusal:
            error, status = refusal_text(refusal), status_of(refusal)
        else:
            return redirect("move_wait", public_id, token)
    context = {"night": night, "token": token, "members": _names(night), "error": error}
    return render(request, "nights/device_transfer_ask.html", context, status=status)


def _names(night: Night) -> list[Player]:
    """Return the guests without an account except the host, by name."""
    inside = night.memberships.filter(status=Membership.Status.IN, player__user=None)
    guests = inside.exclude(player=night.host_id).select_related("player")
    return name_order.by_name((m.player for m in guests), lambda player: player.nickname)


def _request_move(request: HttpRequest, night: Night) -> None:
    """Ask for the transfer, and keep the secret that identifies this browser as the one that asked."""
    address = subject_of_address(request)
    rate_limit.check("join", address)
    rate_limit.note("join", address)
    move, secret = device_transfer.request_move(night, posted_id(request), request.session.get(SECRET, ""))
    request.session[SECRET], request.session[NUMBER] = secret, move.number


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def move_wait(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show the number and wait; the page requests `move_use` every two seconds."""
    night, _is_invited = membership.find_by_invitation(public_id, token)
    if SECRET not in request.session:
        return redirect("move_ask", public_id, token)
    number = request.session.get(NUMBER, "")
    context = {
        "night": night,
        "token": token,
        "number": f"{number[:3]} {number[3:]}",
        "others": device_transfer.missing_count(request.session[SECRET]),
    }
    return render(request, "nights/device_transfer_wait.html", context)


@require_POST
@pages_refusals
def move_use(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Carry out the transfer once it is approved: this browser becomes the player's."""
    night, _is_invited = membership.find_by_invitation(public_id, token)
    try:
        player = device_transfer.use_move(request.session.get(SECRET, ""))
    except Illegal:
        return _go(request, "move_ask", public_id, token)
    if player is None:
        return HttpResponse(status=204) if is_htmx(request) else redirect("move_wait", public_id, token)
    become_for_good(request, player)
    for key in (SECRET, NUMBER):
        request.session.pop(key, None)
    return _go(request, links.coming_back(night, player))


def _go(request: HttpRequest, to: str, *args: str) -> HttpResponse:
    """Redirect the whole page."""
    response = redirect(to, *args)
    if not is_htmx(request):
        return response
    return HttpResponse(status=204, headers={"HX-Redirect": response["Location"]})


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def my_moves(request: HttpRequest) -> HttpResponse:
    """Show the requests of other devices on the guest's own device; a POST approves or refuses one."""
    if request.method != "POST" and player_of(request) is None:
        # Nobody asks for somebody who is not known: the page of the own name says what this browser is.
        return redirect("me")
    player = need_player(request)
    if request.method == "POST":
        with refusals_as_messages(request):
            messages.success(request, _answer(request, player))
            if not agreement.has_request(player):
                return redirect("me")
        return redirect("my_moves")
    kept = list({move.player_id: move.player for move in agreement.kept_moves(player)}.values())
    context = {"moves": agreement.open_moves(player), "claims": agreement.open_claims(player), "kept": kept}
    return render(request, "people/device_transfers.html", context)


def _answer(request: HttpRequest, player: Player) -> str:
    """Carry out the answer of a guest's own device; return the message about it."""
    is_yes = request.POST.get("answer") == "yes"
    if "kept" in request.POST:
        return _answer_for(request, player, is_yes)
    if "claim" in request.POST:
        claims.answer_myself(player, posted_id(request, "claim"), is_yes)
        return _("Done: this history belongs to the account now. Log in to go on.") if is_yes else _("Refused.")
    if is_yes:
        device_transfer.agree_myself(player, posted_number(request))
        return _("Approved: you go on, on the other phone too.")
    device_transfer.refuse_myself(player)
    return _("Refused: nobody else goes on under your name.")


def _answer_for(request: HttpRequest, keeper: Player, is_yes: bool) -> str:
    """Carry out the keeper's answer for a person without a phone; return the message about it."""
    if not is_yes:
        device_transfer.refuse_for(keeper, posted_id(request, "kept"))
        return _("Refused.")
    if device_transfer.approve_for(keeper, posted_id(request, "kept"), posted_number(request)):
        return _("Approved: they go on, on the other phone.")
    return _("Noted. They have been at nights of other hosts: those must approve it as well, or their old phone.")
