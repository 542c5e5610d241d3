"""The results of a night."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from games import plugin
from games.models import Night, Result
from games.web import standings
from games.web.errors import pages_refusals
from games.web.nights import find_night, need_inside


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night_results(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the score sheets of a night, who pays what, and what stood out."""
    night = find_night(public_id)
    need_inside(request, night)
    sheets = [shown(sheet) for sheet in standings.sheets(results_of(night))]
    unfinished = night.tables.exclude(status="finished").count()
    context = {"night": night, "sheets": sheets, "unfinished": unfinished}
    return render(request, "results.html", context)


def results_of(night: Night) -> list[Result]:
    """Return the results of all tables of a night, with their lines and players."""
    rows = Result.objects.filter(table__night=night, game_id__in=plugin.all_games()).select_related(
        "table"
    )
    return list(rows.prefetch_related("lines__player"))


def preset_label(game: plugin.GameConfig, preset_id: str) -> str:
    """Return a preset's name in the current language; an old preset by its id."""
    try:
        return gettext(game.options.preset(preset_id).label)
    except KeyError:
        return preset_id


def shown(sheet: standings.Sheet) -> dict[str, Any]:
    """Return a score sheet as the template shows it."""
    game = plugin.game(sheet.game_id)
    return {
        "game": game,
        "unit": game.units.get(sheet.unit, sheet.unit),
        "people": sheet.people,
        "games": [_row(game, row) for row in sheet.games],
        "totals": sheet.totals,
        "best": (min if game.lower_is_better else max)(sheet.totals, default=0),
        "payments": sheet.payments,
        "highlights": [
            {"label": game.stat_labels[figure], "names": names, "value": value}
            for figure, names, value in sheet.highlights
        ],
    }


def _row(game: plugin.GameConfig, row: standings.Game) -> dict[str, Any]:
    """Return one game of the sheet."""
    return {
        "result": row.result,
        "table": row.result.table,
        "preset": preset_label(game, row.result.preset),
        "lines": row.lines,
        "last": max((line.rank for line in row.lines if line), default=0),
    }
