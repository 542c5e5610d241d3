"""Acts of organisers of a series, at the series and at one of its dates, and answers for a date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from games.addresses import client_address
from games.kernel.contract import Illegal
from games.models import Player, Series, SeriesDate
from games.row_ids import number, row_id
from games.services.calendar import all_series, answers, dates, expected
from games.services.calendar.answers import Said
from games.services.mails import wishes
from games.web import links
from games.web.calendar import making, page
from games.web.drafts import posted_day
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
    if act not in SERIES_ACTS:
        raise Http404
    carry_out, done = SERIES_ACTS[act]
    with refusals_as_messages(request):
        carry_out(request, series, player)
        messages.success(request, str(done))
    return redirect("series_list") if series.ended_at is not None else redirect("series", key)


def _add(request: HttpRequest, series: Series, player: Player) -> None:
    day = posted_day(request, "day", "series_days")
    if day is None:
        raise Illegal("series_days")
    dates.add(series, player, day)


def _second(request: HttpRequest, series: Series, player: Player) -> None:
    all_series.name_second(series, player, row_id(request.POST.get("player", "")))


def _mails(request: HttpRequest, series: Series, player: Player) -> None:
    (wishes.resume if request.POST.get("wanted") == "yes" else wishes.stop)(series, player)


SERIES_ACTS: Mapping[str, tuple[Callable[[HttpRequest, Series, Player], Any], Any]] = {
    "add": (_add, _("The date is added.")),
    "second": (_second, _("Saved.")),
    "mails": (_mails, _("Saved.")),
    "feed": (lambda _request, s, p: all_series.renew_feed(s, p), _("The feed has a new address; the old one is dead.")),
    "end": (lambda _request, s, p: all_series.end(s, p), _("The series has ended. Its nights stay.")),
}
"""Name of an act at a series → what carries it out, and what is said then."""


@require_POST
@pages_refusals
def date_act(request: HttpRequest, key: str, planned: str, act: str) -> HttpResponse:
    """Carry out an act at a date, and go back to its page."""
    date, player = page.find_date(key, planned), need_player(request)
    if act not in DATE_ACTS:
        raise Http404
    carry_out, done = DATE_ACTS[act]
    with refusals_as_messages(request):
        carry_out(request, date, player)
        messages.success(request, str(done))
    return redirect("series_date", key, planned)


@require_POST
@pages_refusals
def date_open(request: HttpRequest, key: str, planned: str) -> HttpResponse:
    """Open the night of a date, with the organiser as its host."""
    date, player = page.find_date(key, planned), need_player(request)
    with refusals_as_messages(request):
        night = dates.open_night(date, player, client_address(request))
        return redirect(links.night_url(night))
    return redirect("series_date", key, planned)


@require_POST
@pages_refusals
def date_along(request: HttpRequest, key: str, planned: str) -> HttpResponse:
    """Expect one more at the night of a date, along with the asking player."""
    date, player = page.find_date(key, planned), need_player(request)
    with refusals_as_messages(request):
        expected.bring_along(date, player)
        messages.success(request, str(_("One more is expected, with you.")))
    return redirect("series_date", key, planned) if date.night is None else redirect(links.night_url(date.night))


def _move(request: HttpRequest, date: SeriesDate, player: Player) -> None:
    day = posted_day(request, "day", "series_days")
    if day is None:
        raise Illegal("series_days")
    dates.move(date, player, day, making.posted_time(request, "start"), request.POST.get("place", ""))


def _places(request: HttpRequest, date: SeriesDate, player: Player) -> None:
    raw = request.POST.get("places", "") or "0"
    found = number(raw)
    dates.set_places(date, player, -1 if found is None else found)


def _list(request: HttpRequest, date: SeriesDate, player: Player) -> None:
    dates.set_accounts_only(date, player, request.POST.get("only") == "yes")


def _mark(request: HttpRequest, date: SeriesDate, player: Player) -> None:
    answers.mark(date, player, request.POST.get("name", ""), _posted(request))


DATE_ACTS: Mapping[str, tuple[Callable[[HttpRequest, SeriesDate, Player], Any], Any]] = {
    "cancel": (lambda _request, d, p: dates.cancel(d, p), _("The date is cancelled. Its page and the feed say so.")),
    "restore": (lambda _request, d, p: dates.restore(d, p), _("The date is held after all.")),
    "move": (_move, _("Saved. The date's page and the feed say so.")),
    "places": (_places, _("Saved.")),
    "list": (_list, _("Saved.")),
    "mark": (_mark, _("Saved.")),
    "delete": (
        lambda r, d, p: answers.delete(d, p, row_id(r.POST.get("answer", ""))),
        _("The answer is deleted."),
    ),
}
"""Name of an act at a date → what carries it out, and what is said then."""


def _posted(request: HttpRequest) -> Said:
    """Return the posted answer; a number that is none is refused by the service."""
    extra = number(request.POST.get("extra", "") or "0")
    return Said(request.POST.get("says", ""), -1 if extra is None else extra, request.POST.get("word", ""))


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
