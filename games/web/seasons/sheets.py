"""A season's points from a spreadsheet: the table, its columns, the names in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from games import row_ids
from games.kernel.contract import Illegal
from games.models import Player, Season, SeasonSheet
from games.services.seasons import played, seasons, sheet_names
from games.services.sheets import address, cells, grids, headings, sheets
from games.services.sheets.address import too_large
from games.services.sheets.columns import Columns, EnteredPoints, differences, has_comma, is_of_sums, unsure_number
from games.web import drafts
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.identity import need_player

ROWS_SHOWN, ROWS_BELOW = 6, 5
"""So many rows are shown, and so many from the headings on."""
MEANINGS: Mapping[str, Any] = {
    "name": gettext_lazy("Names"),
    "points": gettext_lazy("Points"),
    "night": gettext_lazy("Points of the night of"),
    "day": gettext_lazy("Day"),
    "games": gettext_lazy("Games"),
    "sum": gettext_lazy("Sums, to compare"),
    "": gettext_lazy("leave out"),
}
"""Meaning of a column → the words of the page."""
WAYS: Mapping[str, Any] = {
    sheets.REPLACE: gettext_lazy("the new points instead"),
    sheets.ADD: gettext_lazy("the new points as well"),
    sheets.LEAVE: gettext_lazy("leave the old points"),
}
"""Fate of an evening that is there already → the words of the page."""
PAGES = ("not_organiser", "banned", "no_account", "gone_player", "no_such_season")
"""Refusals that are pages of their own; any other stands above the form."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def sheet(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form that takes a table: a file, or cells that are pasted."""
    season, player = _asked(request, public_id)
    return _form(request, season, player, None)


def _asked(request: HttpRequest, public_id: str) -> tuple[Season, Player]:
    """Return the season and its organiser; raises as `sheets.check`."""
    season, player = seasons.find(public_id), need_player(request)
    sheets.check(season, player)
    return season, player


def _form(request: HttpRequest, season: Season, player: Player, refusal: Illegal | None) -> HttpResponse:
    context = {
        "season": season,
        "token": address.token(player.user_id or 0, season.public_id),
        "pasted": request.POST.get("pasted", ""),
        "error": refusal_text(refusal) if refusal else "",
        "code": refusal.code if refusal else "",
    }
    return render(request, "seasons/sheet.html", context, status=status_of(refusal) if refusal else 200)


@require_POST
@pages_refusals
def read(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Read a table in, and go on to its columns."""
    season, player = _asked(request, public_id)
    try:
        if address.account_of(token, public_id) != player.user_id:
            raise Illegal("sheet_expired")
        found = sheets.read_in(season, player, _table(request))
    except Illegal as refusal:
        if refusal.code in PAGES:
            raise
        return _form(request, season, player, refusal)
    return redirect("season_sheet_columns", public_id, found.pk)


def _table(request: HttpRequest) -> grids.Grid:
    """Return the table that was sent; raises Illegal `sheet_none`, and as `grids.read`."""
    file: Any = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        if (file.size or 0) > address.MOST:
            raise too_large()
        return grids.read(file.read())
    pasted = request.POST.get("pasted", "")
    if not pasted.strip():
        raise Illegal("sheet_none")
    return grids.read_text(pasted)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def columns(request: HttpRequest, public_id: str, sheet_id: int) -> HttpResponse:
    """Show the first rows of a table with what its columns mean; a POST says it, and goes on to the names.

    Where a POST says another row of headings than the one that was read, the columns are read anew and shown.
    """
    season, player = _asked(request, public_id)
    table = sheets.waiting(season, player, sheet_id)
    refusal, said = None, Columns.from_json(table.columns)
    if request.method == "POST" and request.POST.get("head", "") != request.POST.get("read_head", ""):
        said = headings.guessed(table.cells, (season.first_day, season.last_day), _head(request, len(table.cells)))
    elif request.method == "POST":
        said = _said(request, table.cells)
        try:
            sheets.set_columns(season, player, sheet_id, said)
        except Illegal as refused:
            if refused.code in PAGES:
                raise
            refusal = refused
        else:
            return redirect("season_sheet_names", public_id, sheet_id)
    shown = ROWS_SHOWN if said.head is None else max(ROWS_SHOWN, said.head + ROWS_BELOW)
    context = {
        "season": season,
        "sheet": table,
        "columns": _columns(table, said),
        "meanings": list(MEANINGS.items()),
        "rows": table.cells[:shown],
        "more": max(0, len(table.cells) - shown),
        "head": said.head,
        "unsure": _unsure(table.cells, said),
        "error": refusal_text(refusal) if refusal else "",
        "code": refusal.code if refusal else "",
    }
    return render(request, "seasons/sheet_columns.html", context, status=status_of(refusal) if refusal else 200)


def _head(request: HttpRequest, rows: int) -> int | None:
    """Return the row of headings that a form says, None for none."""
    found = row_ids.number(request.POST.get("head", ""))
    return found if found is not None and found < rows else None


def _said(request: HttpRequest, grid: grids.Grid) -> Columns:
    """Return what a form says of the columns of a table; a day that is none is left out."""
    width = len(grid[0])
    kinds = tuple(request.POST.get(f"kind-{index}", "") for index in range(width))
    days = {index: day for index in range(width) if (day := _day(request.POST.get(f"day-{index}", ""))) is not None}
    comma = {"yes": True, "no": False}.get(request.POST.get("comma", ""))
    return Columns(kinds, days, _head(request, len(grid)), comma)


def _unsure(grid: grids.Grid, said: Columns) -> dict[str, Any] | None:
    """Return a number whose mark may be a decimal one or not, with both that it may be, the likelier one first."""
    text = unsure_number(grid, said)
    likely = cells.is_comma_decimal([text])
    ways = [("yes" if comma else "no", cells.number(text, comma=comma)) for comma in (likely, not likely)]
    return {"text": text, "ways": ways, "chosen": "yes" if has_comma(grid, said) else "no"} if text else None


def _day(raw: str) -> date | None:
    try:
        return parse_date(raw)
    except ValueError:
        return None


def _columns(table: SeasonSheet, said: Columns) -> list[dict[str, Any]]:
    body = said.body(table.cells)
    return [
        {
            "index": index,
            "head": cell,
            "example": next((row[index] for row in body if row[index]), ""),
            "kind": said.kinds[index],
            "day": said.days.get(index),
        }
        for index, cell in enumerate(headings.texts(table.cells, said.head))
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def names(request: HttpRequest, public_id: str, sheet_id: int) -> HttpResponse:
    """Show the results in a table and ask for the people of its unknown names; a POST takes it in."""
    season, player = _asked(request, public_id)
    if request.method == "POST":
        return _take_in(request, season, player, sheet_id)
    return _names_page(request, sheets.waiting(season, player, sheet_id), player, None, ({}, {}))


def _take_in(request: HttpRequest, season: Season, player: Player, sheet_id: int) -> HttpResponse:
    form = {key: str(value) for key, value in request.POST.items()}
    indices = [key.removeprefix("who-") for key in form if key.startswith("who-")]
    said = {form[f"name-{index}"]: form[f"who-{index}"] for index in indices if f"name-{index}" in form}
    ways = {_day(key.removeprefix("way-")): way for key, way in form.items() if key.startswith("way-")}
    try:
        sheets.take_in(season, player, sheet_id, said, drafts.sent_form_id(request), ways=ways)
    except Illegal as refusal:
        if refusal.code in (*PAGES, "no_such_sheet"):
            raise
        return _names_page(request, sheets.waiting(season, player, sheet_id), player, refusal, (said, ways))
    messages.success(request, _("The spreadsheet is in the season."))
    return redirect("season", season.public_id)


def _names_page(
    request: HttpRequest,
    sheet: SeasonSheet,
    player: Player,
    refusal: Illegal | None,
    typed: tuple[Mapping[str, str], sheets.Ways],
) -> HttpResponse:
    season, entries = sheet.season, sheets.entries_of(sheet)
    said, ways = typed
    people = sheet_names.candidates(season, player)
    rows = _names(season, entries, people, said)
    read = Columns.from_json(sheet.columns)
    nights = [(night, ways.get(night.day, sheets.REPLACE)) for night in sheets.night_sums(season, entries)]
    context = {
        "season": season,
        "sheet_id": sheet.pk,
        "unknown": [row for row in rows if row["is_unknown"]],
        "known": [row for row in rows if not row["is_unknown"]],
        "people": people,
        "new": [night for night, _way in nights if not night.is_known],
        "moved": [each for each in nights if each[0].moves],
        "same": [night for night, _way in nights if night.is_known and not night.moves],
        "ways": list(WAYS.items()),
        "differences": differences(sheet.cells, read),
        "left_out": _left_out(sheet, read),
        "entrants_only": played.values_of(season)["who"] == "entrants",
        "error": refusal_text(refusal) if refusal else "",
        "code": refusal.code if refusal else "",
        "form_id": drafts.shown_form_id(request, refusal.code if refusal else ""),
    }
    return render(request, "seasons/sheet_names.html", context, status=status_of(refusal) if refusal else 200)


def _left_out(sheet: SeasonSheet, read: Columns) -> list[str]:
    """Return the headings of the columns, and the names of the rows, that give nobody points."""
    heads = headings.texts(sheet.cells, read.head)
    named = read.kinds.index("name")
    rows = [row[named] for row in read.body(sheet.cells) if is_of_sums(row, named)]
    return [heads[index] or str(index + 1) for index, kind in enumerate(read.kinds) if kind in ("", "sum")] + rows


def _names(
    season: Season, entries: Sequence[EnteredPoints], people: Sequence[Player], said: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the names of a table with who they seem to be; one of an earlier table stays what it is there.

    But for those of people without a phone who have come since: they are asked about.
    """
    nights = Counter(entry.name for entry in entries)
    points: dict[str, Decimal] = defaultdict(Decimal)
    for entry in entries:
        points[entry.name] += entry.points
    since = sheet_names.come_since(season, nights, people)
    earlier = sheet_names.known(season)
    earlier = {name: row for name, row in earlier.items() if name not in {each.casefold() for each in since}}
    proposed = sheet_names.proposed(nights, people)
    return [
        {
            "index": index,
            "name": name,
            "nights": nights[name],
            "points": points[name],
            "earlier": earlier.get(name.casefold()),
            "chosen": said.get(name, str(proposed.get(name, ""))),
            "is_unknown": name in since or (name.casefold() not in earlier and name not in proposed),
        }
        for index, name in enumerate(nights)
    ]
