"""The results of a night: its sums, and its games in pages.

The questions to people in past games: whether these shall count for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Night, Player, Result, ResultLine, Table
from games.services.calendar import dates
from games.services.history import consent, corrections, night_tallies, past_games, score_sheets
from games.services.payments import games
from games.services.seasons import season_nights
from games.services.sharing import links
from games.services.tournaments import results
from games.web import charts
from games.web.errors import pages_refusals
from games.web.exercises import position_context
from games.web.identity import find_night, need_inside
from games.web.labels import rules_label, signed
from games.web.payments import awaited_words
from games.web.sharing.page import share_context
from games.web.tournaments.words import format_text, rounds_of


def questions(player: Player | None) -> list[dict[str, Any]]:
    """Return the evenings with past games that a player is asked about, for the front door and the own page."""
    return [] if player is None else [_evening(each, player) for each in consent.evenings(consent.questions(player))]


def questions_at(night: Night, player: Player) -> list[dict[str, Any]]:
    """Return the past games of a night that wait for anybody, by author, for one who entered them or is asked."""
    found = [consent.question(result, player) for result in consent.waiting(night)]
    mine = [
        each
        for each in found
        if each.lines or consent.may_let_stand(each.result, player) or consent.is_author(each.result, player)
    ]
    return [_evening(each, player) for each in consent.evenings(mine)]


def spoken_for(player: Player | None, night: Night | None = None) -> list[ResultLine]:
    """Return the lines that somebody agreed to for a player, or people whom the player keeps; of a night if given."""
    found = [] if player is None else consent.spoken_for(player)
    return [line for line in found if night is None or line.result.table.night_id == night.pk]


def _evening(evening: consent.EveningQuestion, player: Player) -> dict[str, Any]:
    """Return a question about the past games of an evening by one author: their sums, and each game by itself."""
    games = [_question(each, player) for each in evening.games]
    asked = [line for each in games for line in each["own"]]
    sums: dict[tuple[str, str], int] = defaultdict(int)
    for each in games:
        for line in each["own"]:
            sums[each["game"].title, each["unit"]] += line.points
    return {
        "night": evening.night,
        "key": evening.key,
        "by": evening.games[0].result.by_name,
        "games": games,
        "own": [{"game": game, "unit": unit, "points": points} for (game, unit), points in sums.items()],
        "has_own": bool(asked),
        "others": list(dict.fromkeys(line.name for each in games for line in each["others"])),
        "may_answer": any(each["may_answer"] for each in games),
        "may_refuse": any(each["may_refuse"] for each in games),
    }


def _question(question: consent.ConsentQuestion, player: Player) -> dict[str, Any]:
    result = question.result
    own = [line for line in question.lines if line.player_id == player.pk]
    return {
        "result": result,
        "night": result.table.night,
        "game": plugin.game(result.game_id),
        "rules": rules_label(result),
        "unit": plugin.game(result.game_id).unit_label(result.unit, result.table.options),
        "lines": result.lines.all(),
        "own": own,
        "others": [line for line in question.lines if line not in own],
        "may_refuse": bool(consent.refusable(question, player)),
        "may_answer": bool(question.lines) or consent.may_let_stand(result, player),
        "is_author": consent.is_author(result, player),
        "may_withdraw": consent.may_withdraw(result, player),
    }


_GIVEN = ResultLine.Consent.GIVEN
COLOURS = 12
PAGE = 100


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night_results(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the score sheets of a night with payments and highlights."""
    night = find_night(public_id)
    player = need_inside(request, night)
    sheets = [sheet_context(request, night, sheet) for sheet in score_sheets.sheets(night)]
    unfinished = night.tables.filter(status__in=(Table.Status.PLAYING, Table.Status.PAUSED)).count()
    played = results_of_tournaments(night)
    context = {"night": night, "sheets": sheets, "unfinished": unfinished}
    context["tournaments"] = played
    context["round_sheets"] = [_rounds_of(night, sheet) for sheet in night_tallies.round_sheets(night)]
    context["is_host"] = night.host_id == player.pk
    context["mine"] = set(
        ResultLine.objects.filter(result__table__night=night, player=player).values_list("result", flat=True)
    )
    context["waiting"] = waiting(night, player)
    context |= awaited_words.of_night(night)
    context["past_questions"] = questions_at(night, player)
    context["spoken_for"] = spoken_for(player, night)
    context["may_enter"] = may_enter(night, player)
    context["seasons"] = season_nights.seasons_of(night)
    context["has_values"] = games.has_values(night)
    context["position"] = position_context(night, player)
    context["next_date"] = dates.following(night)
    may_be = context["is_host"] and player.user_id and not night.is_practice
    context["may_be_series"] = may_be and not hasattr(night, "series_date")
    may_share = night.host_id == player.pk and not night.is_practice and bool(sheets or played)
    context |= share_context(request, links.of_night(night), may_share, "night_act", public_id)
    return render(request, "history/results.html", context)


def results_of_tournaments(night: Night) -> list[dict[str, Any]]:
    """Return the tournaments of a night for the template: their standing, and their matches by round."""
    return [
        {
            "tournament": shown.tournament,
            "shown": shown,
            "format": format_text(shown.tournament),
            "rounds": rounds_of(shown),
            "done": shown.done[::-1],
            "is_over": shown.tournament.status == "finished" or night.status == Night.Status.CLOSED,
        }
        for shown in results.of_night(night)
    ]


def _rounds_of(night: Night, sheet: night_tallies.RoundSheet) -> dict[str, Any]:
    """Return the sheet of a game's drawn rounds for the template."""
    title = plugin.game(sheet.game_id).title
    return {"sheet": sheet, "title": title, "unit": score_sheets.unit_label(night, sheet)}


def may_enter(night: Night, player: Player) -> bool:
    """Tell whether a player may enter past games of a night."""
    try:
        past_games.check_author(night, player)
    except Illegal:
        return False
    return True


def sheet_context(request: HttpRequest, night: Night, sheet: score_sheets.Sheet) -> dict[str, Any]:
    """Return a score sheet for the template, with one page of its games."""
    game = plugin.game(sheet.game_id)
    name = f"{sheet.game_id}-{sheet.unit}"
    page = _page(sheet, request.GET.get(name))
    games = score_sheets.games(night, sheet, page.start_index() - 1, PAGE)
    return {
        "name": name,
        "page": page,
        "game": game,
        "unit": score_sheets.unit_label(night, sheet),
        "file": f"sheet-{name}.csv",
        "people": sheet.people,
        "games": [_row(game, row) for row in games],
        "ranking": score_sheets.ranking(sheet),
        "totals": list(zip(sheet.totals, sheet.waiting, strict=True)),
        "best": (min if game.lower_is_better else max)(sheet.totals, default=0),
        "payments": sheet.payments,
        "chart": charts.tracks(_tracks(sheet)),
        "highlights": [
            {"label": game.stat_labels[figure], "names": names, "value": value}
            for figure, names, value in sheet.highlights
        ],
    }


def _page(sheet: score_sheets.Sheet, page_number: str | None) -> Page[int]:
    """Return the requested page of a sheet's rows; by default the last, with the newest games."""
    pages = Paginator(range(sheet.length), PAGE)
    return pages.get_page(page_number if page_number is not None else pages.num_pages)


def _tracks(sheet: score_sheets.Sheet) -> list[tuple[str, int, tuple[int, ...]]]:
    """Return each column's name, colour and running totals."""
    columns = enumerate(zip(sheet.people, sheet.course, strict=True))
    return [(who.name, column % COLOURS, course) for column, (who, course) in columns]


def _largest_changes(row: score_sheets.SheetGame) -> list[dict[str, Any]]:
    """Return the players with the largest change of points, with their points: at most two, at a tie the winners."""
    lines = [line for line in row.lines if line and line.consent == ResultLine.Consent.GIVEN]
    most = max((abs(line.points) for line in lines), default=0)
    far = [line for line in lines if most and abs(line.points) == most]
    gained = [line for line in far if line.points > 0]
    largest = far if len(far) == 1 else (gained or far)[:2]
    return [{"name": line.name, "points": signed(line.points)} for line in largest]


def _address(result: Result) -> str:
    """Return the address of a game: its replay, of a correction the table, of a past game this page."""
    if result.is_entered:
        return reverse("night_results", args=[result.table.night.public_id])
    if result.is_correction or not result.seq:
        return reverse("table", args=[result.table.public_id])
    return reverse("replay", args=[result.table.public_id]) + f"?ended={result.seq}"


def _row(game: plugin.GameConfig, row: score_sheets.SheetGame) -> dict[str, Any]:
    """Return one row of the sheet."""
    kinds = [
        word for name, word in game.kind_labels.items() if any(line and line.stats.get(name) for line in row.lines)
    ]
    return {
        "number": row.number,
        "address": _address(row.result),
        "kind": ", ".join(map(str, kinds)),
        "told": _largest_changes(row),
        "result": row.result,
        "table": row.result.table,
        "rules": rules_label(row.result),
        "lines": [(line, bool(line and row.waits(line))) for line in row.lines],
        "agreed_for": [line for line in row.lines if line and line.agreed_at and line.consent == _GIVEN],
    }


def waiting(night: Night, player: Player) -> list[dict[str, Any]]:
    """Return the corrections of a night that wait, for a player's results page."""
    tables = night.tables.exclude(corrections=[]).select_related("night").defer("state", "options", "clocks")
    return [_waiting(table, each, player) for table in tables for each in table.corrections]


def _waiting(table: Table, found: dict[str, Any], player: Player) -> dict[str, Any]:
    result = Result.objects.prefetch_related("lines").get(pk=found["result"])
    lines = {line.seat: line for line in result.lines.all()}
    may_agree, is_own = corrections.may_answer(table, result, found, player)
    return {
        "table": table,
        "id": found["id"],
        "by": lines.get(found["seat"]),
        "moves": [(lines[int(seat)], n) for seat, n in found["points"].items() if int(seat) in lines],
        "told": _told_words(result, lines, found["told"]) if "told" in found else [],
        "reason": found["reason"],
        "asked": [lines[seat] for seat in found["waiting"] if seat in lines],
        "one_is_enough": found.get("one_is_enough", False),
        "may_agree": may_agree,
        "is_own": is_own,
    }


def _told_words(result: Result, lines: Mapping[int, ResultLine], told: Mapping[str, int]) -> list[Any]:
    """Return a result as it is to be corrected to: the winner's name, and a word for each figure."""
    fields = plugin.game(result.game_id).told_fields
    words = (field.words.get(str(told.get(field.id)), "") for field in fields)
    return [lines[told["winner"]].name, *words] if told["winner"] in lines else []
