"""The results of a night: its sums, and its games a page at a time."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.models import Night, Result, ResultLine
from games.services import standings
from games.web import charts
from games.web.errors import pages_refusals
from games.web.nights import find_night, need_inside
from games.web.waiting import waiting

COLOURS = 12
PAGE = 100


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night_results(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the score sheets of a night, who pays what, and what stood out."""
    night = find_night(public_id)
    player = need_inside(request, night)
    sheets = [shown(request, night, sheet) for sheet in standings.sheets(night)]
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
        return gettext_of(game, game.options.preset(preset_id).label)
    except KeyError:
        return preset_id


def rules_label(game: plugin.GameConfig, result: Result) -> str:
    """Return what a result was played under: the table's rule set by name, else the variant."""
    return result.table.house_rules_name or preset_label(game, result.preset)


def shown(request: HttpRequest, night: Night, sheet: standings.Sheet) -> dict[str, Any]:
    """Return a score sheet as the template shows it, with one page of its games."""
    game = plugin.game(sheet.game_id)
    name = f"{sheet.game_id}-{sheet.unit}"
    page = _page(sheet, request.GET.get(name))
    games = standings.games(night, sheet, page.start_index() - 1, PAGE)
    return {
        "name": name,
        "page": page,
        "game": game,
        "unit": standings.unit_label(night, sheet),
        "file": f"sheet-{name}.csv",
        "people": sheet.people,
        "games": [_row(game, row) for row in games],
        "totals": sheet.totals,
        "best": (min if game.lower_is_better else max)(sheet.totals, default=0),
        "payments": sheet.payments,
        "chart": charts.tracks(_tracks(sheet)),
        "highlights": [
            {"label": game.stat_labels[figure], "names": names, "value": value}
            for figure, names, value in sheet.highlights
        ],
    }


def _page(sheet: standings.Sheet, wanted: str | None) -> Page[int]:
    """Return which rows of a sheet are asked for; the last page where none is: what was just played."""
    pages = Paginator(range(sheet.length), PAGE)
    return pages.get_page(wanted if wanted is not None else pages.num_pages)


def _tracks(sheet: standings.Sheet) -> list[tuple[str, int, tuple[int, ...]]]:
    """Return each column's name, colour and running totals."""
    columns = enumerate(zip(sheet.people, sheet.course, strict=True))
    return [(who.name, column % COLOURS, course) for column, (who, course) in columns]


def _row(game: plugin.GameConfig, row: standings.Game) -> dict[str, Any]:
    """Return one game of the sheet."""
    return {
        "result": row.result,
        "table": row.result.table,
        "rules": rules_label(game, row.result),
        "lines": row.lines,
        "last": max((line.rank for line in row.lines if line), default=0),
    }
