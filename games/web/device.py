"""Going on, on another phone: pick your name, show the host a number, wait for the nod."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services import lobby, moves
from games.web import landing, throttle
from games.web.errors import pages_refusals, said, status_of
from games.web.home import settle
from games.web.night_acts import posted_id

SECRET = "move_secret"  # noqa: S105 (a session key's name)
NUMBER = "move_number"


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def move_ask(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """List who is in; a POST with a `player` asks to go on as that one."""
    night = lobby.find_by_token(public_id, token, "join")
    error, status = "", 200
    if request.method == "POST":
        try:
            _ask(request, night)
        except Illegal as refusal:
            error, status = said(refusal), status_of(refusal)
        else:
            return redirect("move_wait", public_id, token)
    context = {"night": night, "token": token, "members": _names(night), "error": error}
    return render(request, "move_ask.html", context, status=status)


def _names(night: Night) -> list[Player]:
    """Return the people who are in, by name."""
    inside = night.memberships.filter(status=Membership.Status.IN).select_related("player")
    return sorted((m.player for m in inside), key=lambda p: p.nickname.casefold())


def _ask(request: HttpRequest, night: Night) -> None:
    """Ask, and keep the secret that makes this browser the one that asked."""
    throttle.check(request, "join")
    throttle.note(request, "join")
    move, secret = moves.ask_move(night, posted_id(request))
    request.session[SECRET], request.session[NUMBER] = secret, move.number


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def move_wait(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show the number and wait; the page asks `move_use` every two seconds."""
    night = lobby.find_by_token(public_id, token, "join")
    if SECRET not in request.session:
        return redirect("move_ask", public_id, token)
    number = request.session.get(NUMBER, "")
    context = {"night": night, "token": token, "number": f"{number[:3]} {number[3:]}"}
    return render(request, "move_wait.html", context)


@require_POST
@pages_refusals
def move_use(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Use the move once it is approved: this browser becomes the player's."""
    night = lobby.find_by_token(public_id, token, "join")
    try:
        player = moves.use_move(request.session.get(SECRET, ""))
    except Illegal:
        return _go(request, "move_ask", public_id, token)
    if player is None:
        return HttpResponse(status=204) if _is_htmx(request) else redirect("move_wait", public_id, token)
    settle(request, player)
    for key in (SECRET, NUMBER):
        request.session.pop(key, None)
    return _go(request, landing.coming_back(night, player))


def _is_htmx(request: HttpRequest) -> bool:
    """Tell whether htmx asks, and not a form."""
    return request.headers.get("HX-Request") == "true"


def _go(request: HttpRequest, to: str, *args: str) -> HttpResponse:
    """Send the whole page elsewhere."""
    response = redirect(to, *args)
    if not _is_htmx(request):
        return response
    return HttpResponse(status=204, headers={"HX-Redirect": response["Location"]})
