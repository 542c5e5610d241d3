"""The results of a night."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from games import plugin
from games.models import Result, ResultLine
from games.services import standings
from games.services.downloads import results_of
from games.web import charts
from games.web.errors import pages_refusals
from games.web.nights import find_night, need_inside
from games.web.waiting import waiting

COLOURS = 12


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night_results(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the score sheets of a night, who pays what, and what stood out."""
    night = find_night(public_id)
    player = need_inside(request, night)
    sheets = [shown(sheet) for sheet in standings.sheets(results_of(night))]
    unfinished = night.tables.exclude(status="finished").count()
    context = {"night": night, "sheets": sheets, "unfinished": unfinished}
    context["is_host"] = night.host_id == player.pk
    context["mine"] = set(
        ResultLine.objects.filter(result__table__night=night, player=player).values_list("result", flat=True)
    )
    context["waiting"] = waiting(night, player)
    return render(request, "results.html", context)


def preset_label(game: plugin.GameConfig, preset_id: str) -> str:
    """Return a preset's name in the current language; an old preset by its id."""
    try:
        return gettext(game.options.preset(preset_id).label)
    except KeyError:
        return preset_id


def rules_label(game: plugin.GameConfig, result: Result) -> str:
    """Return what a result was played under: the table's rule set by name, else the variant."""
    return result.table.house_rules_name or preset_label(game, result.preset)


def shown(sheet: standings.Sheet) -> dict[str, Any]:
    """Return a score sheet as the template shows it."""
    game = plugin.game(sheet.game_id)
    return {
        "game": game,
        "unit": standings.unit_label(sheet),
        "file": f"sheet-{sheet.game_id}-{sheet.unit}.csv",
        "people": sheet.people,
        "games": [_row(game, row) for row in sheet.games],
        "totals": sheet.totals,
        "best": (min if game.lower_is_better else max)(sheet.totals, default=0),
        "payments": sheet.payments,
        "chart": charts.tracks(_running(sheet)),
        "highlights": [
            {"label": game.stat_labels[figure], "names": names, "value": value}
            for figure, names, value in sheet.highlights
        ],
    }


def _running(sheet: standings.Sheet) -> list[tuple[str, int, list[int]]]:
    """Return each column's name, colour and running totals, game by game."""
    found = []
    for column, who in enumerate(sheet.people):
        points = (row.lines[column] for row in sheet.games)
        running = list(accumulate(line.points if line else 0 for line in points))
        found.append((who.name, column % COLOURS, running))
    return found


def _row(game: plugin.GameConfig, row: standings.Game) -> dict[str, Any]:
    """Return one game of the sheet."""
    return {
        "result": row.result,
        "table": row.result.table,
        "rules": rules_label(game, row.result),
        "lines": row.lines,
        "last": max((line.rank for line in row.lines if line), default=0),
    }
