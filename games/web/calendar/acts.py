"""Acts of organisers of a series, at the series and at one of its dates, and answers for a date."""

from __future__ import annotations

from datetime import UTC, timedelta

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import Night, SeriesDate
from games.services import arguments
from games.services.calendar import answers
from games.services.calendar.answers import Said
from games.services.calendar.rights import DATE, SERIES
from games.web import links
from games.web.calendar import page
from games.web.errors import pages_refusals, refusal_text, refusals_as_messages, status_of
from games.web.identity import is_banned, need_player, player_of
from games.web.links import cookie_of

COOKIE_LASTS = timedelta(days=2)
"""The time after its date for which a device keeps the secret of an answer."""


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
    player = player_of(request)
    try:
        if player is not None:
            answers.take(date, secret, player)
            answers.answer(date, player, _posted(request))
            secret = ""
        else:
            secret = answers.answer_by_name(date, request.POST.get("name", ""), _posted(request), secret)[1]
    except Illegal as refusal:
        field = "name" if refusal.code.startswith("nickname") or refusal.code == "name_answered" else "form"
        errors = {field: refusal_text(refusal)}
        return page.date_page(request, date, secret, errors=errors, status=status_of(refusal))
    messages.success(request, str(_("Your answer is noted. You can change it here.")))
    answer = redirect("series_date", date.series.key, date.planned.isoformat())
    if secret:
        _keep(answer, request, date, secret)
    return answer


def _keep(answer: HttpResponse, request: HttpRequest, date: SeriesDate, secret: str) -> None:
    """Keep the secret of an answer on this device until the date is over."""
    answer.set_cookie(
        cookie_of(date),
        secret,
        expires=date.starts_at.astimezone(UTC) + COOKIE_LASTS,
        path=settings.BASE_PATH,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
