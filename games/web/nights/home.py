"""The home page: join with a code, or open a night; the guest's own name and language."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language as django_set_language

from games import plugin
from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.models.night import today
from games.services import house
from games.services.calendar import all_series, answers, rights
from games.services.hosting import claims, device_transfer, practice
from games.services.mails import wishes
from games.services.nights import agreement, night_rights, room_codes, venues
from games.services.people import accounts, players
from games.services.seasons import proposals
from games.web import links
from games.web.errors import forms_only, pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.guests import DRAFT, NOT_MINE, become_for_good, guest, known_nickname
from games.web.history import results
from games.web.identity import account_of, is_banned, need_player, player_of
from games.web.seasons import next_seasons

DRAFT_SECONDS = 3600
BACK_TO = timedelta(days=7)
"""The time for which the front page leads back to a night that is closed; *Your name and language* has older ones."""


@require_http_methods(["GET", "HEAD"])
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page."""
    return front_door(request)


def front_door(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """Render the home page, with values already typed and their errors."""
    player = player_of(request)
    context.setdefault("nickname", known_nickname(request))
    context |= {
        "nights": _recent(nights_of(player)),
        "nights_waiting": nights_waiting(player),
        "venues": venues.listed(),
    }
    context |= {"practising": practice.running(player), "games": [g for g in plugin.all_games().values() if g.practice]}
    context |= own_date(request, player)
    context["is_first_evening"] = house.is_first_evening(account_of(request))
    context |= {"past_questions": results.questions(player), "spoken_for": results.spoken_for(player)}
    context["coming_dates"] = all_series.listed()
    context |= next_seasons.asked_context(player)
    context["is_asked_by_season"] = player is not None and bool(proposals.asked_of(player))
    return render(request, "nights/home.html", context, status=status)


def own_date(request: HttpRequest, player: Player | None) -> dict[str, Any]:
    """Return the next date for which this device, or its player, has answered, with the way into its open night."""
    hidden = request.session.get(NOT_MINE, []) if player is not None else []
    own = answers.next_own(player, links.answer_secrets(request), hidden)
    if own is None:
        return {}
    night = own.date.night
    is_open = night is not None and night.status != Night.Status.CLOSED
    is_inside = is_open and night is not None and night_rights.is_inside(night, player)
    return {
        "own": own,
        "series": own.date.series,
        "own_name": answers.shown_name(own),
        "open_night": night if is_open else None,
        "is_inside": is_inside,
        "comes_in": is_open and not is_inside and rights.comes_straight_in(own.date.series, player),
    }


def nights_of(player: Player | None) -> list[Night]:
    """Return the newest twelve nights of this browser's player, open ones first."""
    if player is None:
        return []
    inside = Membership.Status.IN, Membership.Status.WAITING
    nights = Night.objects.filter(memberships__player=player, memberships__status__in=inside, is_practice=False)
    found = list(nights.select_related("host").order_by("-day", "-created_at")[:12])
    return sorted(found, key=lambda n: n.status == Night.Status.CLOSED)


def _recent(nights: list[Night]) -> list[Night]:
    """Return the nights to which the front page leads back: open ones, and those of the last week."""
    return [each for each in nights if each.status != Night.Status.CLOSED or each.day >= today() - BACK_TO]


def nights_waiting(player: Player | None) -> list[Night]:
    """Return the nights, also closed ones, where the player as host has a transfer or claim to answer."""
    if player is None:
        return []
    return [
        night for night in agreement.nights_waiting(player) if device_transfer.waiting(night) or claims.waiting(night)
    ]


@forms_only("home")
def host(request: HttpRequest) -> HttpResponse:
    """Open a night; the browser becomes its host."""
    name, nickname = request.POST.get("name", ""), request.POST.get("nickname", "")
    try:
        night = open_night(request, name, nickname, request.POST.get("venue", ""))
    except Illegal as refusal:
        fields = {"night_name": "name", "too_many_nights": "name", "no_such_venue": "venue"}
        field = fields.get(refusal.code, "nickname")
        errors = {f"host_{field}": refusal_text(refusal)}
        return front_door(request, status_of(refusal), errors=errors, name=name, nickname=nickname)
    return redirect(links.night_url(night))


def open_night(request: HttpRequest, name: str, nickname: str, venue: str) -> Night:
    """Open a night for the browser's player; nothing is kept if a name is refused."""
    with transaction.atomic():
        player = guest(request, nickname)
        night = room_codes.host_night(player, name, venue, client_address(request))
    become_for_good(request, player)
    return night


@require_http_methods(["GET", "HEAD", "POST"])
def me(request: HttpRequest) -> HttpResponse:
    """Show and change the guest's own name; the page also has language and theme."""
    nickname, errors, status = request.POST.get("nickname", known_nickname(request)), {}, 200
    if request.method == "POST":
        try:
            become_for_good(request, guest(request, nickname))
        except Illegal as refusal:
            errors["nickname"] = refusal_text(refusal)
            status = 429 if status_of(refusal) == 429 else 400
        else:
            messages.success(request, _("Saved."))
            return redirect("me")
    player = player_of(request)
    context = {
        "nickname": nickname,
        "errors": errors,
        "nights": nights_of(player),
        "account": account_of(request),
        "is_banned": is_banned(request),
        "sends_mail": wishes.are_sent(),
        "mail_address": wishes.address_of(player) if player is not None else "",
        "is_undecided": accounts.undecided(player),
        "is_asked": agreement.has_request(player),
        "past_questions": results.questions(player),
        "spoken_for": results.spoken_for(player),
    }
    return render(request, "people/me.html", context, status=status)


@forms_only("me")
@pages_refusals
def be_listed(request: HttpRequest) -> HttpResponse:
    """Set whether the player is shown in leaderboards."""
    players.set_listed(need_player(request), "listed" in request.POST)
    messages.success(request, _("Saved."))
    return redirect("me")


@forms_only("me")
@pages_refusals
def hide_grades(request: HttpRequest) -> HttpResponse:
    """Set whether the player's grades are hidden from everybody else."""
    players.set_hides_grades(need_player(request), "hidden" in request.POST)
    messages.success(request, _("Saved."))
    return redirect("me")


@forms_only("me")
@pages_refusals
def want_mail(request: HttpRequest) -> HttpResponse:
    """Set whether the account gets mails about dates of series."""
    with refusals_as_messages(request):
        wishes.set_wanted(need_player(request), "wanted" in request.POST)
        messages.success(request, _("Saved."))
    return redirect(links.onward(request, reverse("me")))


@forms_only("home")
def set_language(request: HttpRequest) -> HttpResponse:
    """Switch the language; a nickname that is being typed is kept.

    It is kept in a cookie if the browser has no player yet: the server stores nothing for strangers.
    """
    draft = request.POST.get("nickname", "")[:96]
    response = django_set_language(request)
    if draft and player_of(request) is not None:
        request.session[DRAFT] = draft
    elif draft:
        is_secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(
            DRAFT, quote(draft), DRAFT_SECONDS, secure=is_secure, httponly=True, samesite="Lax", path=settings.BASE_PATH
        )
    return response
