"""Making and changing a season: the list, the form, the rules."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.kernel.seasons.options import SEASON_RULES
from games.models import Player, Season
from games.models.night import today
from games.row_ids import number
from games.services import arguments
from games.services.calendar import series_seasons
from games.services.nights import venues
from games.services.seasons import played, proposals, requests, rights, seasons, sheet_names
from games.services.seasons.seasons import SeasonDraft
from games.web import drafts
from games.web.drafts import DraftForm, boards, parsed
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.house_rules.options_form import OptionsForm
from games.web.identity import account_of, is_banned, need_player, player_of
from games.web.people import claims
from games.web.seasons import next_seasons

USUAL = timedelta(days=91)
"""The length of a season that the form proposes."""
FORM = DraftForm(
    "seasons/form.html",
    {
        "name": ("season_name",),
        "last_day": ("season_days",),
        "venue": ("no_such_venue", "not_venue_host"),
        "counts": ("no_such_unit", "no_such_game"),
        "preset": ("season_absence", "season_matches", "no_such_preset"),
        "series": ("no_such_series",),
    },
    ("not_organiser", "no_account", "banned"),
)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def index(request: HttpRequest) -> HttpResponse:
    """List the seasons that concern the player; an account that has never played may make one."""
    has_account = account_of(request) is not None
    player = player_of(request) if has_account and not is_banned(request) else need_player(request)
    mine: dict[str, Any] = {}
    if player is not None:
        asked = {"asked": requests.asked_of(player), "asked_names": sheet_names.asked_of(player)}
        mine = {"proposals": _proposals(player)}
        mine |= {"seasons": seasons.seasons_of(player), **asked, **next_seasons.asked_context(player)}
    return render(request, "seasons/seasons.html", {**mine, "may_make": has_account})


def _proposals(player: Player) -> list[Any]:
    """Return the proposals that ask a player, each with both people side by side."""
    rows: list[Any] = proposals.asked_of(player)
    for row in rows:
        row.both = proposals.both_of(row.season, row.source, row.target)
    return rows


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new season; a POST makes it."""
    claims.check_maker(request)
    return _form_page(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def change(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form of a season's name, days, place and what counts; a POST changes them."""
    player, season = need_player(request), seasons.find(public_id)
    rights.check_organiser(season, player)
    rights.check_open(season)
    return _form_page(request, season)


def _form_page(request: HttpRequest, season: Season | None) -> HttpResponse:
    def write() -> HttpResponse:
        made = _write(request, need_player(request), season)
        messages.success(request, _("Saved.") if season else _("The season is made."))
        return redirect("season", made.public_id)

    return FORM.answer(request, write, lambda: _form_context(request, season))


def _write(request: HttpRequest, player: Player, season: Season | None) -> Season:
    """Make or change a season with the series whose nights count in it."""
    draft, series = _draft(request), request.POST.getlist("series")
    with transaction.atomic():
        if season is None:
            season = seasons.create(player, draft, _preset(request, draft), drafts.sent_form_id(request))
        else:
            seasons.change(season, player, draft)
        # A form of an earlier version knows no series.
        if series or "has_series" in request.POST:
            series_seasons.set_series(season, player, series)
    return season


def _preset(request: HttpRequest, draft: SeasonDraft) -> str:
    is_known = draft.game_id in plugin.all_games()
    return request.POST.get("preset") or (seasons.proposed_preset(draft.game_id) if is_known else "")


def _draft(request: HttpRequest) -> SeasonDraft:
    game_id, _colon, unit = request.POST.get("counts", "").partition(":")
    return SeasonDraft(
        name=request.POST.get("name", ""),
        first_day=parsed(request.POST.get("first_day"), arguments.day, "season_days"),
        last_day=parsed(request.POST.get("last_day"), arguments.day, "season_days"),
        game_id=game_id,
        unit=unit,
        venue=request.POST.get("venue", ""),
        presets=tuple(request.POST.getlist("presets")),
        media=tuple(request.POST.getlist("media")),
    )


def _form_context(request: HttpRequest, season: Season | None) -> dict[str, Any]:
    """Return the values of the form: those typed, else the season's or the proposed ones."""
    typed = request.POST if request.method == "POST" else None
    first, last = (season.first_day, season.last_day) if season else (today(), today() + USUAL)
    values = {
        "name": season.name if season else "",
        "first_day": first.isoformat(),
        "last_day": last.isoformat(),
        "counts": f"{season.game_id}:{season.unit}" if season else "",
        "venue": season.venue.public_id if season and season.venue else "",
        "preset": "",
    }
    if typed is not None:
        values = {name: typed.get(name, "") for name in values}
    context = {
        "season": season,
        "typed": values,
        "boards": boards(),
        "venues": venues.listed(),
        "presets": [(preset.id, _(preset.label), _(preset.blurb)) for preset in SEASON_RULES.presets],
        "series": _series(request, season, typed),
    }
    return context | (_ticks(season, typed) if season else {})


def _series(request: HttpRequest, season: Season | None, typed: Any) -> list[tuple[str, str, bool]]:
    """Return key and name of the series whose nights may count in a season, with those that are ticked."""
    player = player_of(request)
    if player is None:
        return []
    had = [] if season is None else season.series.values_list("key", flat=True)
    ticked = set(had if typed is None else typed.getlist("series"))
    return [(each.key, each.name, each.key in ticked) for each in series_seasons.series_on_offer(season, player)]


def _ticks(season: Season, typed: Any) -> dict[str, Any]:
    """Return the variants and media of the season's game, with those that are ticked."""
    game = plugin.all_games().get(season.game_id)
    if game is None:
        return {}
    presets = season.presets if typed is None else typed.getlist("presets")
    media = season.media if typed is None else typed.getlist("media")
    return {
        "variants": [(p.id, gettext_of(game, p.label), p.id in presets) for p in game.options.presets],
        "media": [(medium, label, medium in media) for medium, label in game.media.items()],
    }


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form of a season's rules; a POST counts the season anew."""
    player, season = need_player(request), seasons.find(public_id)
    rights.check_organiser(season, player)
    rights.check_open(season)
    asked = (request.POST if request.method == "POST" else request.GET).get("preset", "")
    preset = asked if asked in {each.id for each in SEASON_RULES.presets} else season.preset
    base = played.values_of(season) if preset == season.preset else SEASON_RULES.values(preset)
    form = OptionsForm(
        SEASON_RULES, SEASON_RULES.values(preset), base, request.POST if request.method == "POST" else None
    )
    error, status = "", 200
    if request.method == "POST" and form.is_valid():
        try:
            version = number(request.POST.get("version", "")) or 0
            seasons.set_rules(season, player, preset, form.values, version)
        except Illegal as refusal:
            error, status = refusal_text(refusal), status_of(refusal)
        else:
            messages.success(request, _("Saved: the season is counted by these rules."))
            return redirect("season", public_id)
    groups = form.groups()
    error_count = sum(bool(row.errors) for group in groups for row in group.rows)
    presets = [(each.id, _(each.label)) for each in SEASON_RULES.presets]
    context = {"season": season, "groups": groups, "error_count": error_count, "error": error}
    context |= {"presets": presets, "preset": preset}
    return render(request, "seasons/rules.html", context, status=400 if error_count and request.POST else status)
