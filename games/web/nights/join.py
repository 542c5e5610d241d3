"""Joining a night by code, QR code or link. Only a POST joins."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services.calendar import dates, expected
from games.services.nights import membership, night_rights, room_codes, without_phone
from games.web import drafts, links
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.guests import become_for_good, guest, known_nickname
from games.web.identity import come_in, player_of
from games.web.nights.home import front_door


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Take a room code and show the join page of its night; wrong codes are counted."""
    if request.method != "POST":
        return redirect("home")
    code = request.POST.get("code", "")
    try:
        night = room_codes.by_code(code, client_address(request), player_of(request))
    except Illegal as refusal:
        status = status_of(refusal)
        return front_door(request, status, errors={"code": refusal_text(refusal)}, code=code)
    return redirect("join_link", night.public_id, night.token("code"))


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def join_link(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show the join page of a link, or join; members are redirected to their table or the night."""
    night, is_invited = membership.find_by_invitation(public_id, token)
    player = player_of(request)
    following = dates.following(night) if night.status == Night.Status.CLOSED and is_invited else None
    if following is not None and not (player is not None and night_rights.is_inside(night, player)):
        # The code of an evening that is over leads on to the next one of its series.
        return redirect("series_date", following.series.key, following.planned.isoformat())
    if request.method == "POST":
        return _join(request, night, token, by_code=not is_invited)
    if player is not None and night_rights.is_inside(night, player):
        return redirect(links.coming_back(night, player))
    if _is_waiting(night, player):
        return redirect(links.night_url(night))
    return _page(request, night, token, known_nickname(request))


def _is_waiting(night: Night, player: Player | None) -> bool:
    """Tell whether the player already waits for the host."""
    waiting = night.memberships.filter(player=player, status=Membership.Status.WAITING)
    return player is not None and waiting.exists()


def _join(request: HttpRequest, night: Night, token: str, *, by_code: bool) -> HttpResponse:
    """Join under the typed nickname and redirect to a table or the night."""
    nickname = request.POST.get("nickname", "")
    try:
        with transaction.atomic():
            player = guest(request, nickname)
            is_expected = expected.is_expected(night, player, _secret(request, night))
            about = {"by_code": by_code, "is_expected": is_expected}
            member = room_codes.join(night, player, client_address(request), **about)
    except Illegal as refusal:
        field = "nickname" if refusal.code.startswith("nickname") else "join"
        errors = {field: refusal_text(refusal)}
        return _page(request, night, token, nickname, errors=errors, status=status_of(refusal))
    become_for_good(request, player)
    come_in(request)
    expected.come(night, player, _secret(request, night))
    if member.status == Membership.Status.WAITING or "no_table" in request.POST:
        # A browser that cannot show a table takes no seat by joining (templates/parts/too_old.html).
        return redirect(links.night_url(night))
    return redirect(links.after_joining(night, player))


def _secret(request: HttpRequest, night: Night) -> str:
    """Return the secret of the answer that this device gave for the night's date, "" for none."""
    date = dates.of_night(night)
    return "" if date is None else request.COOKIES.get(links.cookie_of(date), "")


def _page(
    request: HttpRequest,
    night: Night,
    token: str,
    nickname: str,
    *,
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the join page."""
    context = {
        "night": night,
        "token": token,
        "nickname": nickname,
        "form_id": drafts.new_form_id(),
        "errors": errors or {},
        "is_open": night.status == Night.Status.OPEN,
        "names": expected.names_at_door(night),
        "kept": [member.player for member in without_phone.people(night)],
    }
    return render(request, "nights/join.html", context, status=status)
