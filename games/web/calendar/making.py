"""Making and changing a series of evenings: the list, the form."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.models import Night, Player, Series
from games.models.night import today
from games.models.series import USUAL_MINUTES
from games.services import arguments
from games.services.calendar import all_series, rights, series_seasons, starting
from games.services.calendar.all_series import SeriesDraft
from games.services.house_rules import offers
from games.services.nights import venues, wifi
from games.services.regions import written
from games.web import drafts
from games.web.drafts import DraftForm, boards, parsed
from games.web.errors import pages_refusals
from games.web.identity import account_of, find_night, need_player, need_player_at_night, player_of
from games.web.people import claims

USUAL_START = "19:30"
OF_SEASON = "season:"
"""The beginning of a value that names a season which is there already, where a new series says what counts."""
FORM = DraftForm(
    "calendar/form.html",
    {
        "name": ("series_name", "season_name"),
        "repeat": ("series_repeat",),
        "first_day": ("series_days", "season_days"),
        "start": ("series_time",),
        "place": ("series_place",),
        "size": ("series_size",),
        "venue": ("no_such_venue", "not_venue_host"),
        "counts": ("no_such_unit", "no_such_game", "too_many_seasons", "no_such_season"),
        "rules": ("no_such_rules", "rules_archived", "sets_only"),
        "wifi": ("wifi_name", "wifi_password", "no_wifi_key"),
    },
    ("not_series_organiser", "no_account", "banned", "not_host", "no_such_night"),
)


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
    """Show the form of a new series, as it is proposed or as a night was; a POST makes it."""
    claims.check_maker(request)
    public_id = (request.POST if request.method == "POST" else request.GET).get("night", "")
    night = find_night(public_id) if public_id else None
    if night is not None and request.method != "POST":
        starting.check_night(night, need_player_at_night(request))
    return _form_page(request, None, night)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def change(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form of a series; a POST changes it."""
    player, series = need_player(request), all_series.find(key)
    rights.check_organiser(series, player)
    return _form_page(request, series, None)


def _form_page(request: HttpRequest, series: Series | None, night: Night | None) -> HttpResponse:
    def write() -> HttpResponse:
        made = _write(request, need_player(request), series)
        messages.success(request, _("Saved.") if series else _("The series is made: tell the others."))
        return redirect("series", made.key)

    return FORM.answer(request, write, lambda: _form_context(request, series, night))


def _write(request: HttpRequest, player: Player, series: Series | None) -> Series:
    draft = _draft(request)
    if series is not None:
        all_series.change(series, player, draft)
        return series
    return all_series.create(player, draft, drafts.sent_form_id(request))


def _draft(request: HttpRequest) -> SeriesDraft:
    posted = request.POST
    counts, seasons = posted.get("counts", ""), posted.getlist("seasons")
    if counts.startswith(OF_SEASON):
        counts, seasons = "", [counts.removeprefix(OF_SEASON)]
    game_id = posted.get("game") or counts.partition(":")[0]
    return SeriesDraft(
        name=posted.get("name", ""),
        weekday=parsed(posted.get("weekday"), arguments.count, "series_repeat"),
        start=parsed(posted.get("start"), arguments.clock_time, "series_time"),
        repeat=posted.get("repeat") or Series.Repeat.WEEKLY,
        first_day=parsed(posted.get("first_day"), _day_or_none, "series_days"),
        last_day=parsed(posted.get("last_day"), _day_or_none, "series_days"),
        minutes=parsed(posted.get("minutes") or str(USUAL_MINUTES), arguments.count, "series_time"),
        game_id=game_id,
        venue=posted.get("venue", ""),
        place=posted.get("place", ""),
        size=parsed(posted.get("size") or "0", arguments.count, "series_size", most=all_series.MOST_SIZE),
        is_listed="listed" in posted,
        names_open="names" in posted,
        opens_itself="opens" in posted,
        poster_opens="door" in posted,
        counts=counts,
        rules=posted.get("rules", ""),
        wifi_name=posted.get("wifi_name"),
        wifi_password=posted.get("wifi_password"),
        night=posted.get("night", ""),
        seasons=tuple(seasons) if seasons or "has_seasons" in posted else None,
    )


def _day_or_none(text: str | None) -> date | None:
    return arguments.day(text) if text else None


def _form_context(request: HttpRequest, series: Series | None, night: Night | None) -> dict[str, Any]:
    """Return the values of the form: those typed, else the series', those of a night, or the proposed ones."""
    typed = request.POST if request.method == "POST" else None
    values = _values(series) if night is None else _values(None) | _values_of(night)
    shown = series or Series()
    ticks = {
        "listed": shown.is_listed,
        "names": shown.names_open,
        "opens": shown.opens_itself,
        "door": shown.poster_opens,
    }
    if typed is not None:
        values = {name: typed.get(name, "") for name in values}
        ticks = {name: name in typed for name in ticks}
    return {
        "series": series,
        "night": night,
        "lost_wifi": series is not None and wifi.is_lost(series),
        "typed": values,
        "ticks": ticks,
        "weekdays": [(str(n), name) for n, name in enumerate(written.weekdays())],
        "repeats": Series.Repeat.choices,
        "boards": boards(),
        "games": list(plugin.all_games().values()),
        "rule_sets": _rule_sets(player_of(request)),
        "has_own_rules": _has_own_rules(series, night),
        "venues": venues.listed(),
        "seasons": _seasons(player_of(request), series, typed),
        # A refusal may stand at a field that is folded away.
        "is_unfolded": series is not None or request.method == "POST",
    }


def _seasons(player: Player | None, series: Series | None, typed: Any) -> list[tuple[str, str, bool]]:
    """Return the open seasons in which an organiser may let the nights count, with those that are ticked."""
    if player is None:
        return []
    offered = series_seasons.seasons_on_offer(series, player)
    had = [] if series is None else series.seasons.values_list("public_id", flat=True)
    ticked = set(had if typed is None else typed.getlist("seasons"))
    return [(each.public_id, each.name, each.public_id in ticked) for each in offered]


def _rule_sets(player: Player | None) -> list[tuple[str, Any, str]]:
    """Return the sets of house rules on offer to an organiser: id, game and name."""
    games = plugin.all_games().values()
    return [(each.public_id, game.title, each.name) for game in games for each in offers.on_offer(player, game.game_id)]


def _has_own_rules(series: Series | None, night: Night | None) -> bool:
    """Tell whether there are house rules to keep that are no named set: those of a series, or of a night's table."""
    if series is not None:
        return bool(series.preset)
    table = starting.newest_table(night) if night is not None else None
    return table is not None and table.house_rules is None


def _values_of(night: Night) -> dict[str, str]:
    """Return the values that a series takes over from a night."""
    table = starting.newest_table(night)
    rules = table.house_rules.public_id if table and table.house_rules else starting.SAME if table else ""
    network = wifi.of(night)
    return {
        "name": night.name,
        "weekday": str(night.day.weekday()),
        "start": f"{starting.start_of(night):%H:%M}",
        "game": table.game_id if table else "",
        "rules": rules,
        "venue": night.venue.public_id if night.venue else "",
        "wifi_name": network.name,
        "wifi_password": network.password,
    }


def _values(series: Series | None) -> dict[str, str]:
    """Return the values of a series, or those that are proposed for a new one."""
    if series is None:
        empty = ("name", "first_day", "last_day", "counts", "game", "venue", "place", "size", "rules", "wifi_name")
        proposed = {"weekday": str(today().weekday()), "start": USUAL_START, "repeat": Series.Repeat.WEEKLY.value}
        return dict.fromkeys((*empty, "wifi_password"), "") | proposed | {"minutes": str(USUAL_MINUTES)}
    network = wifi.of(series)
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
        "rules": series.house_rules.public_id if series.house_rules else starting.SAME if series.preset else "",
        "wifi_name": network.name,
        "wifi_password": network.password,
    }
