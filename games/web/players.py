"""A player's page: their results."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Membership, Player, ResultLine
from games.web.errors import pages_refusals
from games.web.identity import need_player
from games.web.results import preset_label

LONGEST_LIST = 100


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show a player's results to themselves and to those who were at a night with them."""
    asking = need_player(request)
    found = get_object_or_404(Player, pk=player_id)
    if not have_met(asking, found):
        raise Illegal("not_inside")
    lines = lines_of(found)
    context = {
        "who": found,
        "is_me": found == asking,
        "lines": [_shown(line) for line in lines[:LONGEST_LIST]],
        "totals": totals(lines),
    }
    return render(request, "player.html", context)


def have_met(one: Player, other: Player) -> bool:
    """Tell whether two players are the same or have been in at one night."""
    if one == other:
        return True
    inside = Membership.Status.IN
    nights = Membership.objects.filter(player=one, status=inside).values("night")
    theirs = Membership.objects.filter(player=other, status=inside)
    return theirs.filter(night__in=nights).exists()


def lines_of(found: Player) -> list[ResultLine]:
    """Return a player's lines, the newest first, with how many sat at the table (`of`)."""
    rows = ResultLine.objects.filter(player=found).select_related("result__table__night")
    return list(rows.annotate(of=Count("result__lines")).order_by("-result__finished_at", "-pk"))


def _shown(line: ResultLine) -> dict[str, Any]:
    """Return a line as the template shows it."""
    game = plugin.all_games().get(line.result.game_id)
    preset = preset_label(game, line.result.preset) if game else line.result.preset
    return {"line": line, "result": line.result, "game": game, "preset": preset}


def _by_unit(game: plugin.GameConfig, lines: list[ResultLine]) -> dict[str, int]:
    """Return the sum of the points in each unit that was played for, by the unit's name."""
    sums: dict[str, int] = {}
    for line in lines:
        sums[line.result.unit] = sums.get(line.result.unit, 0) + line.points
    return {str(label): sums[unit] for unit, label in game.units.items() if unit in sums}


def totals(lines: list[ResultLine]) -> list[dict[str, Any]]:
    """Return for each game how many were played and won, and its points and figures by name."""
    found = []
    for game_id, game in plugin.all_games().items():
        mine = [line for line in lines if line.result.game_id == game_id]
        figures: Counter[str] = Counter()
        for line in mine:
            figures.update(line.stats)
        if mine:
            found.append(
                {
                    "game": game,
                    "games": len(mine),
                    "wins": sum(line.rank == 1 for line in mine),
                    "figures": _by_unit(game, mine)
                    | {str(v): figures[k] for k, v in game.stat_labels.items() if figures[k]},
                }
            )
    return found
