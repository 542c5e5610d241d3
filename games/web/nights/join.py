"""Joining a night by code, QR code or link. Only a POST joins."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services.calendar import answers, dates, expected
from games.services.nights import membership, night_rights, room_codes, without_phone
from games.web import drafts, languages, links
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
        return come_in_by(request, night, token, by_code=not is_invited)
    return way_on(night, player) or show(request, night, token, name_said(request, night))


def way_on(night: Night, player: Player | None) -> HttpResponse | None:
    """Return the way of who is in already, or waits for the host; None for everybody else."""
    if player is not None and night_rights.is_inside(night, player):
        return redirect(links.coming_back(night, player))
    waiting = night.memberships.filter(player=player, status=Membership.Status.WAITING)
    return redirect(links.night_url(night)) if player is not None and waiting.exists() else None


def come_in_by(
    request: HttpRequest, night: Night, token: str, *, by_code: bool, is_known: bool = False
) -> HttpResponse:
    """Join under the typed or tapped nickname and redirect to a table or the night; `token` is the link's, "" for none.

    With `is_known` somebody comes back who is taken for expected.
    """
    nickname = request.POST.get("nickname", "")
    try:
        with transaction.atomic():
            player = guest(request, nickname)
            is_expected = is_known or expected.is_expected(night, player, _secret(request, night))
            about = {"by_code": by_code, "is_expected": is_expected}
            member = room_codes.join(night, player, client_address(request), **about)
    except Illegal as refusal:
        field = "nickname" if refusal.code.startswith("nickname") else "join"
        errors = {field: refusal_text(refusal)}
        return show(request, night, token, nickname, errors=errors, status=status_of(refusal))
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


def _answered_name(request: HttpRequest, night: Night) -> str:
    """Return the name under which this device has answered for the night's date, "" for none."""
    date = dates.of_night(night)
    row = None if date is None else answers.of_secret(date, _secret(request, night))
    return "" if row is None else answers.shown_name(row)


def name_said(request: HttpRequest, night: Night) -> str:
    """Return the name that this device has: its player's, that of its answer for the night, or the one typed last."""
    own = player_of(request) is not None
    return (known_nickname(request) if own else _answered_name(request, night)) or known_nickname(request)


def _names(request: HttpRequest, night: Night, shown: str) -> list[str]:
    """Return the names to tap beside the `shown` one: this device's, and where the list is open those expected."""
    own = [known_nickname(request), _answered_name(request, night)]
    return [name for name in dict.fromkeys([*own, *expected.names_at_door(night)]) if name and name != shown]


def show(
    request: HttpRequest,
    night: Night,
    token: str,
    nickname: str,
    *,
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the join page."""
    at_door, more = languages.at_door(request)
    context = {
        "night": night,
        "token": token,
        "nickname": nickname,
        "form_id": drafts.new_form_id(),
        "errors": errors or {},
        "is_open": night.status == Night.Status.OPEN,
        "names": _names(request, night, nickname),
        "kept": [member.player for member in without_phone.people(night)] if token else [],
        "languages": at_door,
        "more_languages": more,
    }
    return render(request, "nights/join.html", context, status=status)
