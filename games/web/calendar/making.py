"""Making and changing a series of evenings: the list, the form."""

from __future__ import annotations

from datetime import date, time
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_date, parse_time
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Series, Venue
from games.models.night import today
from games.models.series import USUAL_MINUTES
from games.row_ids import number
from games.services.calendar import all_series, rights
from games.services.calendar.all_series import Draft
from games.web import form_ids
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.identity import account_of, need_player, player_of
from games.web.people import claims

USUAL_START = "19:30"
REFUSED_AT = {
    "name": ("series_name", "season_name"),
    "repeat": ("series_repeat",),
    "first_day": ("series_days", "season_days"),
    "start": ("series_time",),
    "place": ("series_place",),
    "size": ("series_size",),
    "venue": ("no_such_venue", "not_venue_host"),
    "counts": ("no_such_unit", "no_such_game", "too_many_seasons"),
}
"""Field → the refusals that it shows; any other stands above the form."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def index(request: HttpRequest) -> HttpResponse:
    """List the series that concern the player, and those of the front page."""
    player = player_of(request)
    mine = list(all_series.series_of(player)) if player is not None else []
    rows = [{"series": each, "date": all_series.next_date(each)} for each in mine]
    known = {each.pk for each in mine}
    rows += [{"series": each.series, "date": each} for each in all_series.listed() if each.series_id not in known]
    context = {"rows": rows, "may_make": account_of(request) is not None}
    return render(request, "calendar/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new series; a POST makes it."""
    claims.check_maker(request)
    return _form_page(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def change(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form of a series; a POST changes it."""
    player, series = need_player(request), all_series.find(key)
    rights.check_organiser(series, player)
    return _form_page(request, series)


def _form_page(request: HttpRequest, series: Series | None) -> HttpResponse:
    errors: dict[str, str] = {}
    status, code = 200, ""
    if request.method == "POST":
        try:
            made = _write(request, need_player(request), series)
        except Illegal as refusal:
            if refusal.code in ("not_series_organiser", "no_account", "banned"):
                raise
            errors[_field(refusal.code)] = refusal_text(refusal)
            status, code = status_of(refusal), refusal.code
        else:
            messages.success(request, _("Saved.") if series else _("The series is made: tell the others."))
            return redirect("series", made.key)
    context = _form_context(request, series) | {"errors": errors, "form_id": form_ids.shown(request, code)}
    return render(request, "calendar/form.html", context, status=status)


def _field(code: str) -> str:
    return next((field for field, codes in REFUSED_AT.items() if code in codes), "form")


def _write(request: HttpRequest, player: Player, series: Series | None) -> Series:
    draft = _draft(request)
    if series is not None:
        all_series.change(series, player, draft)
        return series
    return all_series.create(player, draft, form_ids.sent(request))


def _draft(request: HttpRequest) -> Draft:
    posted = request.POST
    game_id = posted.get("game") or posted.get("counts", "").partition(":")[0]
    return Draft(
        name=posted.get("name", ""),
        weekday=_number(posted.get("weekday", ""), "series_repeat"),
        start=posted_time(request, "start"),
        repeat=posted.get("repeat") or Series.Repeat.WEEKLY,
        first_day=posted_day(request, "first_day"),
        last_day=posted_day(request, "last_day"),
        minutes=_number(posted.get("minutes") or str(USUAL_MINUTES), "series_time"),
        game_id=game_id,
        venue=posted.get("venue", ""),
        place=posted.get("place", ""),
        size=_number(posted.get("size") or "0", "series_size", most=all_series.MOST_SIZE),
        is_listed="listed" in posted,
        names_open="names" in posted,
        opens_itself="opens" in posted,
        counts=posted.get("counts", ""),
    )


def _number(raw: str, code: str, **params: int) -> int:
    found = number(raw)
    if found is None:
        raise Illegal(code, **params)
    return found


def posted_day(request: HttpRequest, name: str) -> date | None:
    """Return a posted day, None for an empty field; raises Illegal `series_days`."""
    raw = request.POST.get(name, "")
    try:
        day = parse_date(raw)
    except ValueError:
        day = None
    if raw and day is None:
        raise Illegal("series_days")
    return day


def posted_time(request: HttpRequest, name: str) -> time:
    """Return a posted time of day; raises Illegal `series_time`."""
    try:
        found = parse_time(request.POST.get(name, ""))
    except ValueError:
        found = None
    if found is None or found.tzinfo is not None:
        raise Illegal("series_time")
    return found.replace(second=0, microsecond=0)


def _form_context(request: HttpRequest, series: Series | None) -> dict[str, Any]:
    """Return the values of the form: those typed, else the series' or the proposed ones."""
    typed = request.POST if request.method == "POST" else None
    values = _values(series)
    shown = series or Series()
    ticks = {"listed": shown.is_listed, "names": shown.names_open, "opens": shown.opens_itself}
    if typed is not None:
        values = {name: typed.get(name, "") for name in values}
        ticks = {name: name in typed for name in ticks}
    boards = [
        (f"{game.game_id}:{unit}", game.title, label)
        for game in plugin.all_games().values()
        for unit, label in game.units.items()
    ]
    return {
        "series": series,
        "typed": values,
        "ticks": ticks,
        "weekdays": [(str(n), str(WEEKDAYS[n])) for n in range(7)],
        "repeats": Series.Repeat.choices,
        "boards": boards,
        "games": list(plugin.all_games().values()),
        "venues": Venue.objects.all(),
    }


def _values(series: Series | None) -> dict[str, str]:
    if series is None:
        first = today()
        return {
            "name": "",
            "weekday": str(first.weekday()),
            "start": USUAL_START,
            "repeat": Series.Repeat.WEEKLY,
            "first_day": "",
            "last_day": "",
            "minutes": str(USUAL_MINUTES),
            "counts": "",
            "game": "",
            "venue": "",
            "place": "",
            "size": "",
        }
    return {
        "name": series.name,
        "weekday": str(series.weekday),
        "start": f"{series.start:%H:%M}",
        "repeat": series.repeat,
        "first_day": series.first_day.isoformat(),
        "last_day": series.last_day.isoformat() if series.last_day else "",
        "minutes": str(series.minutes),
        "counts": "",
        "game": series.game_id,
        "venue": series.venue.public_id if series.venue else "",
        "place": series.place,
        "size": str(series.size or ""),
    }
