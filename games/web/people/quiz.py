"""The page of the quiz: one's own mistakes and kept positions again, each with the engine's word after the answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.figures.skill import Exercise
from games.models import Player
from games.row_ids import number
from games.services.grades import jobs, numbers, quiz
from games.services.grades.quiz import Asked
from games.web.errors import pages_refusals
from games.web.exercises import engine_lines, shown, way_of
from games.web.identity import need_player, player_of

KEPT = "kept"
"""The value of `?of=` for kept positions alone."""
VERDICTS = {
    quiz.RIGHT: _("Right."),
    quiz.NEARLY: _("Nearly right."),
    quiz.WRONG: _("There was something better."),
}


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def my_quiz(request: HttpRequest) -> HttpResponse:
    """Show the next exercise; a POST (`key`, `choice`, `reviews`) answers it, and leads to the engine's word on it.

    With `?of=kept` it is one of the reader's kept positions.
    """
    of = KEPT if request.GET.get("of") == KEPT else ""
    if request.method == "POST":
        player, given = need_player(request), request.POST
        key, choice = given.get("key", ""), given.get("choice", "")
        quiz.answer(player, key, choice, number(given.get("reviews", "")) or 0, datetime.now(UTC))
        return redirect(f"{reverse('my_quiz')}?{urlencode({'key': key, 'choice': choice, 'of': of})}")
    reader = player_of(request)
    if reader is None:
        return redirect("me")
    key = request.GET.get("key", "")
    context = _answer(request, reader, key) if key else _question(reader, is_of_kept=bool(of))
    return render(request, "people/quiz.html", context | {"of": of, "how_to_get_one": jobs.how_to_get_engines()})


def _question(player: Player, *, is_of_kept: bool) -> dict[str, Any]:
    """Return the next exercise for the template, or when there is one again."""
    found = quiz.quiz(player, datetime.now(UTC), is_of_kept=is_of_kept)
    about = {"quiz": found}
    if found.asked is None:
        return about
    game, exercise = plugin.game(found.asked.game_id), found.asked.exercise
    ways = [exercise.candidates[index] for index in found.asked.order]
    shows = shown(game, exercise)
    return {**about, "exercise": shows, "asked": found.asked, "ways": [way_of(game, way) for way in ways]}


def _answer(request: HttpRequest, player: Player, key: str) -> dict[str, Any]:
    """Return the engine's word on an answer for the template."""
    found = quiz.answered(player, key, request.GET.get("choice", ""))
    game, exercise = plugin.game(found.asked.game_id), found.asked.exercise
    made = found.asked.made_with
    return {
        "exercise": {
            **shown(game, exercise),
            "lines": engine_lines(game, exercise, {found.chosen.text}),
            "best": exercise.candidates[0].text,
            "grades": made,
            "level": numbers.level_text(made["level"]),
        },
        "asked": found.asked,
        "verdict": VERDICTS[found.verdict],
        "due": found.due,
        "study": _study(game, exercise),
        "replay": _replay(found.asked),
    }


def _study(game: plugin.GameConfig, exercise: Exercise) -> str:
    """Return the address of the study of the position, "" where the study can't show it."""
    if game.study is None or not exercise.is_studied:
        return ""
    return f"{reverse('study', args=[game.game_id])}?{urlencode({'position': exercise.position})}"


def _replay(asked: Asked) -> str:
    """Return the address of the choice in its replay, "" for a kept position."""
    if asked.result is None:
        return ""
    return f"{reverse('replay', args=[asked.result.table.public_id])}?{urlencode({'at': asked.seq - 1})}"
