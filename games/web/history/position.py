"""The position of a night on its results page and on its big screen: votes, then the engine's list."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import plugin
from games.models import Night, Player
from games.services.grades import numbers, position
from games.web.errors import pages_refusals
from games.web.exercises import engine_lines, shown
from games.web.nights.page import find_night, need_inside


@require_http_methods(["POST"])
@pages_refusals
def night_position(request: HttpRequest, public_id: str) -> HttpResponse:
    """Note the vote of a form (`key`, `choice`), and go back to the night's results."""
    night = find_night(public_id)
    player = need_inside(request, night)
    given = request.POST
    position.vote(night, player, given.get("key", ""), given.get("choice", ""), datetime.now(UTC))
    return redirect(f"{reverse('night_results', args=[public_id])}#position")


def position_context(night: Night, reader: Player | None) -> dict[str, Any]:
    """Return a night's position for the template, {} where there is none; no reader is the night's screen."""
    found = position.of_night(night, reader, datetime.now(UTC))
    if found is None:
        return {}
    game, chosen = plugin.game(found.game_id), {found.mine} if found.mine else set()
    lines = engine_lines(game, found.exercise, chosen)
    for line in lines:
        line["votes"] = found.votes.get(line["value"], 0)
        line["was_played"] = line["was_played"] and bool(found.name)
    return {
        **shown(game, found.exercise),
        "key": found.key,
        "may_vote": not found.is_told and night.status != Night.Status.CLOSED and reader is not None,
        "is_told": found.is_told,
        "voted": found.voted,
        "ways": sorted(lines, key=lambda line: str(line["value"])),
        "lines": lines,
        "has_votes": True,
        "name": found.name,
        "best": found.exercise.candidates[0].text if found.is_told else "",
        "grades": found.grades,
        "level": numbers.level_text(found.grades.level),
    }
