"""The page that replays the finished games of a table.

Votes on the position of a night.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import plugin, refusals
from games.kernel.contract import Illegal
from games.models import Player, ResultLine, Table
from games.row_ids import number
from games.services.grades import jobs, position, visibility
from games.services.history import exports
from games.services.logs import log_views, replays
from games.web.assets import import_map
from games.web.errors import pages_refusals
from games.web.history import replay_grades
from games.web.identity import find_night, need_inside
from games.web.tables.page import find_table


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the replay of a table's finished games, from the entry `?at=` on; raises Illegal `no_replay`."""
    found = find_table(public_id)
    player = need_inside(request, found.night)
    games = replays.games_of(found)
    if not games:
        raise Illegal("no_replay")
    game = plugin.game(found.game_id)
    context = {"table": found, "night": found.night, "game": game, "games": games}
    grades = replay_grades.graded_games(found, player, games)
    config = _config(request, found, games) | {"grades": grades, "seats": _seats(found, player, games)}
    context |= {"config": config, "graded": bool(grades)}
    # The plays on a real board are not known, so that no engine would grade them.
    context["how_to_get_one"] = jobs.how_to_get_engine(game) if game.medium(found.options) == plugin.SCREEN else ""
    context["files"] = _files(found, player)
    return render(request, "history/replay.html", context)


def _files(found: Table, player: Player) -> list[dict[str, str]]:
    """Return the name and address of each of the table's files."""
    log = reverse("table_log", args=[found.public_id])
    return [
        {
            "name": name,
            "url": log if name == exports.LOG else reverse("table_file", args=[found.public_id, name]),
        }
        for name in exports.table_names(found, visibility.viewer(found, player))
    ]


def _seats(found: Table, player: Player, games: list[replays.Span]) -> list[int | None]:
    """Return for each game the seat at which the player sat, None for a game of others."""
    lines = ResultLine.objects.filter(result__table=found, result__is_correction=False, player=player)
    sat = list(lines.values_list("result__seq", "seat"))
    return [next((seat for seq, seat in sat if g.first <= (seq or 0) <= g.last), None) for g in games]


def _config(request: HttpRequest, found: Table, games: list[replays.Span]) -> dict[str, Any]:
    """Return the configuration of the page's module."""
    game = plugin.game(found.game_id)
    is_exact = game.grading is not None and game.grading.IS_EXACT
    return {
        "table": log_views.snapshot(found.pk).table,
        "element": game.element,
        "module": import_map.address_of(game.script),
        "games": [{"number": g.number, "first": g.first, "last": g.last} for g in games],
        "at": _start(request, games),
        "frames": reverse("replay_frames", args=[found.public_id]),
        "deeper": "" if is_exact else reverse("api_table_grades_deeper", args=[found.public_id]),
    }


def _start(request: HttpRequest, games: list[replays.Span]) -> int:
    """Return the entry to begin with: `?at=`, the start of the game that ended at `?ended=`, or of the first game."""
    if (at := number(request.GET.get("at", ""))) is not None:
        return at
    ended = number(request.GET.get("ended", ""))
    return next((g.first for g in games if ended is not None and g.first <= ended <= g.last), games[0].first)


@require_http_methods(["GET", "HEAD"])
def frames(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the steps from `?first=` on as JSON; refusals have the form of the API's."""
    found = find_table(public_id)
    try:
        need_inside(request, found.night)
        return JsonResponse({"frames": replays.frames(found, number(request.GET.get("first", "")) or 0)})
    except Illegal as refusal:
        error = refusals.error_json(refusal.code, refusal.params)
        return JsonResponse(error, status=refusals.refusal(refusal.code).status)


@require_http_methods(["POST"])
@pages_refusals
def night_position(request: HttpRequest, public_id: str) -> HttpResponse:
    """Note the vote of a form (`key`, `choice`), and go back to the night's results."""
    night = find_night(public_id)
    player = need_inside(request, night)
    given = request.POST
    position.vote(night, player, given.get("key", ""), given.get("choice", ""), datetime.now(UTC))
    return redirect(f"{reverse('night_results', args=[public_id])}#position")
