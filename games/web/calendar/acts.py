"""Acts of organisers of a series, at the series and at one of its dates, and answers for a date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, timedelta
from urllib.parse import quote

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import Night, Player, SeriesDate
from games.services import arguments
from games.services.calendar import answers
from games.services.calendar.answers import Said
from games.services.calendar.rights import DATE, SERIES
from games.web import links
from games.web.calendar import page
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.guests import DRAFT, NOT_MINE, become_for_good, guest
from games.web.identity import account_of, is_banned, need_player, player_of
from games.web.links import cookie_of

COOKIE_LASTS = timedelta(days=2)
"""The time after its date for which a device keeps the secret of an answer."""
NAME_LASTS = timedelta(days=30)
"""The time after its date for which a device keeps the name of an answer, to propose it for the next one."""


@require_POST
@pages_refusals
def series_act(request: HttpRequest, key: str, act: str) -> HttpResponse:
    """Carry out an act at a series, most of them an organiser's, and go back to it."""
    series, player = page.open_series(key), need_player(request)
    if act not in SERIES:
        raise Http404
    with refusals_as_messages(request):
        messages.success(request, SERIES.carry_out(series, player, act, request.POST, arguments.typed))
    return redirect("series_list") if series.ended_at is not None else redirect("series", key)


@require_POST
@pages_refusals
def date_act(request: HttpRequest, key: str, planned: str, act: str) -> HttpResponse:
    """Carry out an act at a date, and go back to its page."""
    date, player = page.find_date(key, planned), need_player(request)
    if act not in DATE:
        raise Http404
    with refusals_as_messages(request):
        done = DATE.do(date, player, act, request.POST, arguments.typed, address=client_address(request))
        if isinstance(done, Night):
            return redirect(links.night_url(done))
        messages.success(request, DATE.message(act, done))
    if act == "along" and date.night is not None:
        return redirect(links.night_url(date.night))
    return redirect("series_date", key, planned)


def _posted(request: HttpRequest) -> Said:
    """Return the posted answer; a number that is none is refused by the service."""
    extra = arguments.any_number(request.POST.get("extra") or "0")
    return Said(request.POST.get("says", ""), extra, request.POST.get("word", ""))


@require_POST
@pages_refusals
def date_answer(request: HttpRequest, key: str, planned: str) -> HttpResponse:
    """Answer for a date: as the browser's player, else by a name, with a secret in a cookie and a link."""
    date = page.find_date(key, planned)
    return _answer(request, date, request.COOKIES.get(cookie_of(date), ""))


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def date_own(request: HttpRequest, key: str, planned: str, secret: str) -> HttpResponse:
    """Show the answer of a link, for another device; only a POST changes it."""
    date = page.find_date(key, planned)
    if answers.of_secret(date, secret) is None:
        raise Illegal("no_such_answer")
    if request.method == "POST":
        return _answer(request, date, secret)
    return page.date_page(request, date, secret)


def _answer(request: HttpRequest, date: SeriesDate, secret: str) -> HttpResponse:
    if is_banned(request):
        raise Illegal("banned")
    name = request.POST.get("name", "")
    try:
        player = _answering(request, name)
        if player is not None:
            answers.take(date, secret, player)
            answers.answer(date, player, _posted(request))
            secret = ""
        else:
            secret = answers.answer_by_name(date, name, _posted(request), secret)[1]
    except Illegal as refusal:
        field = "name" if refusal.code.startswith("nickname") or refusal.code == "name_answered" else "form"
        errors = {field: refusal_text(refusal)}
        return page.date_page(request, date, secret, errors=errors, status=status_of(refusal))
    messages.success(request, str(_("Your answer is noted. You can change it here.")))
    page_of_date = reverse("series_date", args=[date.series.key, date.planned.isoformat()])
    answer = redirect(links.onward(request, page_of_date))
    if secret:
        _keep(answer, request, date, {cookie_of(date): (secret, COOKIE_LASTS), DRAFT: (quote(name), NAME_LASTS)})
    return answer


def _answering(request: HttpRequest, name: str) -> Player | None:
    """Return the player who answers; an account without one gets it under the typed name. None: a mere name."""
    if player_of(request) is None and account_of(request) is not None:
        become_for_good(request, guest(request, name))
    return player_of(request)


def _keep(
    answer: HttpResponse, request: HttpRequest, date: SeriesDate, kept: Mapping[str, tuple[str, timedelta]]
) -> None:
    """Keep what an answer leaves on this device: cookie → its value, and how long after the date it is kept."""
    for cookie, (value, lasts) in kept.items():
        answer.set_cookie(
            cookie,
            value,
            expires=date.starts_at.astimezone(UTC) + lasts,
            path=settings.BASE_PATH,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )


@require_POST
@pages_refusals
def date_not_me(request: HttpRequest, key: str, planned: str) -> HttpResponse:
    """Let the front page of this device show a date no more: somebody else has answered on it. The answer stays.

    A device that is logged in is asked whether to log out.
    """
    date = page.find_date(key, planned)
    if account_of(request) is not None:
        return redirect("account_logout")
    if player_of(request) is not None:
        request.session[NOT_MINE] = [*request.session.get(NOT_MINE, []), date.pk]
    answer = redirect("home")
    for cookie in (cookie_of(date), DRAFT):
        answer.delete_cookie(cookie, path=settings.BASE_PATH)
    return answer
