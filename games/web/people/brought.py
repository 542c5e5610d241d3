"""The pages of match files that a player brings in: the list with its form, a file's result, its files, deletion."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures.skill import Mistake
from games.kernel.figures.skill_rates import Sum, rate, sum_of
from games.models import BroughtMatch, Player
from games.services.grades import brought, brought_address, jobs, numbers
from games.services.history.exports import CSV, JSON, csv_parts
from games.services.regions import written
from games.web import exercises
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.identity import need_player, player_of
from games.web.people.own_play import told

WORST, DECIMALS = 20, 3
PAGES = ("banned", "not_known", "no_such_match_file")
"""Refusals that are pages of their own; any other stands above the form."""
FIELDS = (
    *("game", "player", "kind", "xgid", "dice", "played", "best", "error", "counts", "luck", "graded"),
    *("equities", "said"),
)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def my_matches(request: HttpRequest) -> HttpResponse:
    """Show the reader's files and the form that takes one."""
    player = player_of(request)
    return redirect("me") if player is None else _list(request, player, None)


def _list(
    request: HttpRequest, player: Player, refusal: Illegal | None, asked: BroughtMatch | None = None
) -> HttpResponse:
    """Show the list; `asked` is a file of which it is to be said whether the games are graded that can be read."""
    game_id = next(iter(brought.games()), "")
    context = {
        "matches": list(brought.of(player)),
        "token": brought_address.token(player.pk),
        "suffixes": ",".join(suffix for module in brought.games().values() for suffix in module.SUFFIXES),
        "how_to_get_one": jobs.how_to_get_engine(plugin.game(game_id)) if game_id else "",
        "most": brought.MOST_FILES,
        "error": _sentence(refusal, game_id) if refusal else "",
        "code": refusal.code if refusal else "",
        "asked": asked,
    }
    return render(request, "people/matches.html", context, status=status_of(refusal) if refusal else 200)


def _sentence(refusal: Illegal, game_id: str) -> str:
    """Return why a file is refused, in the words of its game where it has some."""
    module = brought.games().get(game_id)
    sentence = module.refused(refusal) if module is not None else None
    return exercises.said(plugin.game(game_id), sentence) if sentence is not None else refusal_text(refusal)


@require_POST
@pages_refusals
def bring(request: HttpRequest, token: str) -> HttpResponse:
    """Take a file in (`file`), and go on to its page."""
    player, game_id = need_player(request), next(iter(brought.games()), "")
    name, content = "", b""
    try:
        if brought_address.player_of(token) != player.pk:
            raise Illegal("match_page_expired")
        file: Any = request.FILES.get("file")
        if not isinstance(file, UploadedFile):
            raise Illegal("bad_file")
        name, content = file.name or "", file.read(brought.MOST_BYTES + 1)
        found = brought.bring(player, game_id, name, content)
    except Illegal as refusal:
        if refusal.code in PAGES:
            raise
        return _list(request, player, refusal, brought.ask(player, game_id, name, content, refusal))
    return redirect("my_match", found.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def my_match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a file's result; a POST deletes the file, or has the games graded that can be read (`partly`)."""
    player = need_player(request)
    if request.method == "POST" and "partly" in request.POST:
        return redirect("my_match", brought.grade_partly(player, public_id).public_id)
    if request.method == "POST":
        brought.delete(player, public_id)
        messages.success(request, _("The match file is deleted."))
        return redirect("my_matches")
    found = brought.find(player, public_id)
    context: dict[str, Any] = {"match": found, "game": plugin.game(found.game_id)}
    unread = found.about.get("unread")
    if unread:
        context["unread"] = _sentence(Illegal(brought.ASKED, **unread), found.game_id)
    if found.fault:
        context["error"] = context.get("unread") or _sentence(Illegal(found.fault), found.game_id)
        context["asked"] = found if found.fault == brought.ASKED else None
    if found.report is not None:
        context |= _result(found, found.report)
    return render(request, "people/match.html", context)


def _result(match: BroughtMatch, report: JsonObject) -> dict[str, Any]:
    """Return a report for the template: each player's sums, the worst mistakes in sentences."""
    game, grading = plugin.game(match.game_id), jobs.graded_games()[match.game_id]
    rows = brought.games()[match.game_id].rows(report)
    mistakes = sorted(brought.games()[match.game_id].mistakes(report), key=lambda each: each.error, reverse=True)
    return {
        "report": report,
        "level": numbers.level_text(report["level"]),
        "picture": game.study,
        "rate": gettext_of(game, grading.RATE),
        "players": [_player(each, grading.SCALE) for each in report["players"]],
        "apart": [_apart(game, grading, each["name"], rows, player) for player, each in enumerate(report["players"])],
        "others": [exercises.said(game, other.about) for other in grading.OTHER_RATES],
        "missing": sum(not row["graded"] for row in rows),
        "mistakes": [_mistake(game, each, report) for each in mistakes[:WORST]],
        "has_said": any(row.get("said") for row in report["decisions"]),
    }


def _player(sums: JsonObject, scale: float) -> dict[str, Any]:
    return {
        **sums,
        "rate": told(rate([Sum(sums["error"], sums["decisions"])], scale)),
        "luck": written.signed(sums["luck"], DECIMALS),
        "points": written.signed(sums["points"], 0),
        "error": written.rounded(sums["error"], DECIMALS),
    }


def _apart(
    game: plugin.GameConfig, grading: plugin.Grading, name: str, rows: Sequence[JsonObject], player: int
) -> dict[str, Any]:
    """Return a player's rates by part, and those that are counted otherwise, whole and by part."""
    parts_of = [parts for _, of_game in groupby(rows, lambda row: row["game"]) for parts in grading.parts([*of_game])]
    own = [(row, parts) for row, parts in zip(rows, parts_of, strict=True) if row["seat"] == player]
    found = [
        (gettext_of(game, label), told(rate([sum_of(row for row, parts in own if part in parts)], grading.SCALE)))
        for names in grading.PARTS.values()
        for part, label in names.items()
    ]
    for other in grading.OTHER_RATES:
        whole = sum_of((row for row, _ in own), other.counts)
        found.append((gettext_of(game, other.label), told(rate([whole], other.scale))))
    return {"name": name, "rows": [(label, figure) for label, figure in found if figure["n"]]}


def _mistake(game: plugin.GameConfig, mistake: Mistake, report: JsonObject) -> dict[str, Any]:
    """Return a mistake for the template, with what the file's own analysis says of it."""
    row = report["decisions"][mistake.seq]
    about = {"name": report["players"][mistake.seat]["name"], "error": written.rounded(mistake.error, DECIMALS)}
    module = game.match_files
    return {
        "game": row["game"] + 1,
        "text": gettext_of(game, mistake.sentence) % {**mistake.values, **about},
        "ways": exercises.ways_of(game, mistake),
        "position": mistake.position,
        "said": module.others_word(row) if module is not None else "",
    }


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def my_match_file(request: HttpRequest, public_id: str, kind: str) -> HttpResponse:
    """Return a file's report as JSON, as `analyse --json` writes it, or its decisions as CSV."""
    found = brought.find(need_player(request), public_id)
    if found.report is None or kind not in ("json", "csv"):
        raise Illegal("no_such_match_file")
    if kind == "json":
        text, media_type = json.dumps(found.report, ensure_ascii=False), JSON
    else:
        rows = ([_cell(row.get(name)) for name in FIELDS] for row in found.report["decisions"])
        text, media_type = "".join(csv_parts(FIELDS, rows)), CSV
    name = f'attachment; filename="decisions-{found.public_id}.{kind}"'
    return HttpResponse(text, content_type=media_type, headers={"Content-Disposition": name})


def _cell(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict | list) else value
