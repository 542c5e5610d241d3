"""The engine's word on a position that is studied: asked by a form, looked at until it is there."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.options import OptionErrors
from games.models import EngineQuestion
from games.services.grades import numbers, questions
from games.services.regions import written
from games.web.nights.practice import reason, studied

DECIMALS = 3


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, game_id: str) -> HttpResponse:
    """Ask the engine about `position` by a POST; by a GET return the answer to it as a part of a page.

    204 while it is awaited. A bad position and a refusal are parts of a page, too, with the status of the refusal.
    """
    game, plan = studied(game_id)
    given = (request.POST if request.method == "POST" else request.GET).get("position", "")
    if not given and request.method != "POST":
        return redirect("study", game_id)
    try:
        position = plan.position_of(game.options, given)
    except OptionErrors as refused:
        return render(request, "nights/parts/engine_says.html", {"error": reason(game, plan, refused)}, status=400)
    if request.method == "POST":
        questions.ask(game_id, position)
    found = questions.look(game_id, position)
    if found is None or (found.answer is None and not questions.is_given_up(found)):
        return HttpResponse(status=204)
    return render(request, "nights/parts/engine_says.html", _context(game, found))


def _context(game: plugin.GameConfig, question: EngineQuestion) -> dict[str, Any]:
    """Return an answer for the template; without one it has no lines."""
    found = question.answer
    if found is None or not found["lines"]:
        return {"lines": []}
    lines = [
        {
            "text": gettext_of(game, line["text"]) if found["kind"] == "cube" else line["text"],
            "equity": written.rounded(line["equity"], DECIMALS),
            "error": written.rounded(line["error"], DECIMALS) if line["error"] else "",
        }
        for line in found["lines"]
    ]
    made_with = {"engine": found["engine"], "level": numbers.level_text(found["level"])}
    return {"lines": lines, "best": gettext_of(game, found["best"]), "position": question.position, **made_with}
