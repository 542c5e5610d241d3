"""The page of a series, the pages of its dates, and the poster.

Calendar files: the feed of a series, and one date.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Answer, Night, Player, Series, SeriesDate
from games.models.night import CODE_ALPHABET, today
from games.services.calendar import all_series, answers, dates, evening_hosts, feeds, opening, rights, season_days
from games.services.calendar.answers import Coming
from games.services.history import player_history
from games.services.mails import wishes
from games.services.nights import night_rights
from games.services.regions import region, written
from games.services.screens import screens
from games.services.seasons import entrants
from games.web import links
from games.web.errors import pages_refusals, refusal_text
from games.web.guests import known_nickname
from games.web.identity import need_player, player_of
from games.web.links import cookie_of
from games.web.seasons import next_seasons
from games.web.seasons.page import rules_card

DATES_SHOWN = 10
SECONDS_SHOWN = 30


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def series(request: HttpRequest, key: str) -> HttpResponse:
    """Show a series to everybody with its link."""
    found = open_series(key)
    player = player_of(request)
    shown = list(found.dates.filter(day__gte=today()).select_related("night")[:DATES_SHOWN])
    for each in shown:
        each.series = found
    organises = rights.is_organiser(found, player)
    context = {
        "series": found,
        "when": when_text(found),
        "place": all_series.place_of(found),
        "game": plugin.all_games().get(found.game_id),
        "dates": [
            {
                "date": each,
                "people": coming.people,
                "names": [answers.shown_name(row) for row in coming.yes] if rights.sees_names(each, player) else [],
                "missing": coming.missing,
                "own": coming.of(player),
            }
            for each, coming in zip(shown, answers.coming_to(shown), strict=True)
        ],
        "organises": organises,
        "feed": links.base_url(request) + reverse("series_feed", args=[found.feed_key]) if organises else "",
        "link": link_of(request, found),
        "message": message_text(request, shown[0]) if organises and shown else "",
        "only_here": is_only_here(request),
        "gets_mail": wishes.are_sent() and player is not None and wishes.readers().filter(pk=player.pk).exists(),
        "is_mail_stopped": player is not None and wishes.is_stopped(found, player),
        "sends_mail": wishes.are_sent(),
        "seconds": _seconds(found, player) if organises else (),
        "screens": _screens(found, player) if organises else (),
        **(_evening_hosts(found, player) if organises and player is not None else {}),
        "seasons": next_seasons.shown(season_days.told(found, today()), player),
        "asked_seasons": [each for each in entrants.asked_of(player) if each.series.filter(pk=found.pk).exists()],
    }
    return render(request, "calendar/series.html", context)


def _seconds(found: Series, player: Player | None) -> Any:
    if player is None:
        return ()
    met = player_history.people_met(player).filter(user__isnull=False)
    return met.exclude(pk=found.organiser_id or 0)[:SECONDS_SHOWN]


def _evening_hosts(found: Series, player: Player) -> dict[str, Any]:
    """Return the evening hosts of a series, and among whom an organiser chooses each of them."""
    named = evening_hosts.of(found)
    chosen = [*(each.pk for each in named), *[None] * evening_hosts.MOST][: evening_hosts.MOST]
    return {
        "evening_hosts": [each.displayed_name for each in named],
        "may_host": evening_hosts.on_offer(found, player)[:SECONDS_SHOWN],
        "host_places": list(enumerate(chosen, 1)),
    }


def _screens(found: Series, player: Player | None) -> Any:
    """Return the screens that an organiser may use for a series, each with whether it shows all nights."""
    if player is None:
        return ()
    shown = set(found.screen_shows.values_list("screen", flat=True))
    return [(each, each.pk in shown) for each in screens.usable_by_series(found, player)]


def open_series(key: str) -> Series:
    """Return the series of a link; raises Illegal `no_such_series`, `series_ended`."""
    found = all_series.find(key)
    rights.check_goes_on(found)
    return found


def find_date(key: str, planned: str) -> SeriesDate:
    """Return a date of the series of a link; raises Illegal `no_such_series`, `series_ended`, `no_such_date`."""
    found = open_series(key)
    try:
        day = parse_date(planned)
    except ValueError:
        day = None
    if day is None:
        raise Illegal("no_such_date")
    return dates.find(found, day)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def series_date(request: HttpRequest, key: str, planned: str) -> HttpResponse:
    """Show a date: its answers, and the reader's own."""
    found = find_date(key, planned)
    return date_page(request, found, request.COOKIES.get(cookie_of(found), ""))


def date_page(
    request: HttpRequest,
    found: SeriesDate,
    secret: str,
    *,
    errors: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a date's page, with the answer of the reader's person, or of a secret."""
    player = player_of(request)
    own = answers.of_player(found, player) or answers.of_secret(found, secret)
    is_by_name = own is not None and own.player_id is None and bool(secret)
    sees = rights.sees_names(found, player)
    context = {
        "series": found.series,
        "date": found,
        "place": found.place,
        "game": plugin.all_games().get(found.series.game_id),
        "player": player,
        "own": own,
        "own_link": links.base_url(request) + _own_path(found, secret) if is_by_name else "",
        "action": _own_path(found, secret) if is_by_name else reverse("date_answer", args=_args(found)),
        "said": _said(request, own, known_nickname(request)),
        "sees_names": sees,
        "may_mark": rights.may_mark(found, player),
        "organises": rights.is_organiser(found.series, player),
        "may_open": rights.may_open(found, player),
        "errors": errors or {},
        "extras": range(answers.MOST_EXTRA + 1),
        "message": message_text(request, found),
    }
    context |= _coming_of(answers.coming(found), sees, own) | _night_of(found, player) | _mails_of(own, player)
    return render(request, "calendar/date.html", context, status=status)


def _coming_of(coming: Coming, sees: bool, own: Answer | None) -> dict[str, Any]:
    """Return a date's answers for its page: those who come, and of the others title, number and answers."""
    lists = ((_("Waiting for a place"), coming.waiting), (_("Maybe"), coming.maybe), (_("No"), coming.no))
    return {
        "coming": coming,
        "yes": _shown(coming.yes, sees, own),
        "others": [(title, len(rows), _shown(rows, sees, own)) for title, rows in lists if rows],
        "waits": {row.pk for row in coming.waiting},
    }


def _mails_of(own: Answer | None, player: Player | None) -> dict[str, Any]:
    """Return which step to mails about the series is offered to who says yes for the first time; "" for none."""
    if own is None or not wishes.are_sent() or not answers.is_first_yes(own):
        return {"mail_step": ""}
    if player is None or player.user_id is None:
        return {"mail_step": "account"}
    address = wishes.address_of(player)
    return {"mail_step": "" if player.wants_mail else "wish" if address else "address", "mail_address": address}


def _night_of(found: SeriesDate, player: Player | None) -> dict[str, Any]:
    """Return what a date's page says of its night."""
    is_open = found.night is not None and found.night.status != Night.Status.CLOSED
    is_inside = is_open and found.night is not None and night_rights.is_inside(found.night, player)
    return {
        "is_inside": is_inside,
        "comes_in": is_open and not is_inside and rights.comes_straight_in(found.series, player),
        "is_over": found.day < today(),
        "next_date": all_series.next_date(found.series) if found.day < today() else None,
        "is_today": found.day == today(),
        "open_night": found.night if is_open else None,
        "opens_at": opening.opens_at(found),
        "opening_host": opening.host_of(found),
    }


def _said(request: HttpRequest, own: Answer | None, known: str) -> dict[str, Any]:
    """Return the values of the form: those typed, else those of the own answer; else the name that the device knows."""
    if request.method == "POST":
        names = ("name", "says", "extra", "word")
        return {name: request.POST.get(name, "") for name in names}
    if own is None:
        return {"name": known, "says": "", "extra": 0, "word": ""}
    return {"name": own.name, "says": own.says, "extra": own.extra, "word": own.word}


def _shown(rows: Sequence[Answer], sees: bool, own: Answer | None) -> list[dict[str, Any]]:
    """Return the answers that a reader sees by name: who does not see names is shown their own alone."""
    own_id = None if own is None else own.pk
    return [
        {
            "pk": row.pk,
            "name": answers.shown_name(row),
            "extra": row.extra,
            "word": row.word,
            "is_own": row.pk == own_id,
            "is_marked": row.marked_by_id is not None,
        }
        for row in rows
        if sees or row.pk == own_id
    ]


def _args(found: SeriesDate) -> list[str]:
    return [found.series.key, found.planned.isoformat()]


def _own_path(found: SeriesDate, secret: str) -> str:
    return reverse("date_own", args=[*_args(found), secret])


def when_text(found: Series) -> str:
    """Return when a series is held, in words."""
    return _("%(repeat)s: %(weekday)s, %(time)s") % {
        "repeat": found.get_repeat_display(),
        "weekday": written.weekdays()[found.weekday],
        "time": written.hour(found.start),
    }


def message_text(request: HttpRequest, found: SeriesDate) -> str:
    """Return a date as text for a messenger, with counts and no names."""
    lines = [
        written.labelled(found.series.name, dates.when_text(found)),
        found.place,
        feeds.counts(found),
        links.base_url(request) + reverse("series_date", args=_args(found)),
    ]
    return "\n".join(filter(None, lines))


def link_of(request: HttpRequest, found: Series) -> str:
    """Return the full link of a series."""
    return links.base_url(request) + reverse("series", args=[found.key])


def is_only_here(request: HttpRequest) -> bool:
    """Tell whether a house without PUBLIC_URL is reached only from its own network."""
    return not settings.PUBLIC_URL


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
@region.by_house()
def poster(request: HttpRequest, key: str) -> HttpResponse:
    """Show the poster of a series, for paper: when, where, the rules of its present seasons in short, and a QR code.

    An organiser may type the address that it leads to, where the house knows nothing but a number. Nothing is kept.
    """
    found = open_series(key)
    typed, error = request.POST.get("address", "").strip(), ""
    origin = links.lasting_origin(request)
    if request.method == "POST":
        rights.check_organiser(found, need_player(request))
        try:
            origin = links.typed_origin(typed)
        except Illegal as refusal:
            error = refusal_text(refusal)
    context = _poster(found, origin) | {
        "asks_address": typed or _is_number(origin),
        "organises": rights.is_organiser(found, player_of(request)),
        "typed": typed,
        "error": error,
    }
    return render(request, "calendar/poster.html", context, status=400 if error else 200)


def _poster(found: Series, origin: str) -> dict[str, Any]:
    """Return what stands on a poster that leads to the house at an origin."""
    return {
        "series": found,
        "when": when_text(found),
        "place": all_series.place_of(found),
        "game": plugin.all_games().get(found.game_id),
        "next": all_series.next_date(found),
        "seasons": [(each, rules_card(each)) for each in season_days.told(found, today())],
        "typed_link": origin.split("://", 1)[-1] + reverse("series", args=[found.key]),
        "is_number": _is_number(origin),
        "letters": [letter for letter in CODE_ALPHABET if letter.isalpha()],
        "qr": links.qr_svg(origin + reverse("poster_door", args=[found.key])),
    }


def _is_number(link: str) -> bool:
    """Tell whether a link leads to a numeric address, which dies with the router."""
    try:
        ipaddress.ip_address(urlsplit(link).hostname or "")
    except ValueError:
        return urlsplit(link).hostname == "localhost"
    return True


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def series_feed(request: HttpRequest, feed_key: str) -> HttpResponse:
    """Return the feed of a series, 304 where the reader's is the newest; an ended series' says so for a month."""
    series = feeds.find(feed_key)
    mark = feeds.mark(series)
    if request.headers.get("If-None-Match", "") == mark:
        return HttpResponse(status=304, headers={"ETag": mark})
    return _file(request, list(feeds.dates_of(series).select_related("series")), {"ETag": mark})


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def date_ics(request: HttpRequest, key: str, planned: str) -> HttpResponse:
    """Return a date as a file for a calendar."""
    found = find_date(key, planned)
    name = f"{found.planned.isoformat()}.ics"
    return _file(request, [found], {"Content-Disposition": f'attachment; filename="{name}"'})


def _file(request: HttpRequest, dates: list[SeriesDate], headers: dict[str, str]) -> HttpResponse:
    base = links.base_url(request)

    def address_of(date: SeriesDate) -> str:
        return base + reverse("series_date", args=[date.series.key, date.planned.isoformat()])

    body = feeds.calendar(dates, address_of)
    return HttpResponse(
        body, content_type=feeds.MEDIA_TYPE, headers={"Cache-Control": "private, max-age=900", **headers}
    )
