"""Playing against the computer, and studying a position: a table at once, also for a guest.

Both open a table in the player's practice night (games/services/hosting/practice.py) and redirect to it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from games.models import Table
from games.models.brought import LONGEST_NAME
from games.refusals import translate_option
from games.services.grades import jobs, kept_positions
from games.services.hosting import practice as hosting_practice
from games.services.hosting.practice import PracticeWish
from games.web.errors import forms_only, pages_refusals
from games.web.guests import become_for_good, guest, known_nickname
from games.web.identity import player_of
from games.web.links import table_url

MINE, THEIRS = "me", "bot"
"""The sides that may move first from a position, as sent by the form."""


@forms_only("home")
@pages_refusals
def practice(request: HttpRequest, game_id: str) -> HttpResponse:
    """Start a game against bots (`way`, `level`, `nonce`) and redirect to its table."""
    way = hosting_practice.way(game_id, request.POST.get("way", ""))
    return redirect(
        table_url(_begin(request, PracticeWish(game_id, way.preset, way.changes, _level(request, game_id), way.bots)))
    )


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def study(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the form for a position; a POST (`position`, `first`, `level`, `nonce`) plays it out against a bot."""
    game, plan = studied(game_id)
    position = request.POST.get("position", request.GET.get("position", ""))[: plugin.LONGEST_PASTED]
    first = request.POST.get("first", MINE)
    context: dict[str, Any] = {"game": game, "study": plan, "position": position, "first": first, "errors": {}}
    context |= {"is_graded": game.grading is not None, "how_to_get_one": jobs.how_to_get_engine(game)}
    if request.method == "POST":
        wish = PracticeWish(
            game_id, plan.preset, plan.changes_of(position), _level(request, game_id), is_first=first != THEIRS
        )
        try:
            return redirect(table_url(_begin(request, wish)))
        except OptionErrors as refused:
            context["errors"] = {"position": reason(game, plan, refused)}
    context["kept"] = list(kept_positions.of(reader, game_id)) if (reader := player_of(request)) is not None else []
    context["most_kept"], context["longest_name"] = kept_positions.MOST_POSITIONS, LONGEST_NAME
    context["level"] = request.POST.get("level", game.usual_level)
    return render(request, "nights/study.html", context, status=400 if context["errors"] else 200)


def studied(game_id: str) -> tuple[plugin.GameConfig, plugin.Study]:
    """Return a game that can be played from a position, and its `Study`; raises Http404."""
    game = plugin.all_games().get(game_id)
    if game is None or game.study is None:
        raise Http404
    return game, game.study


def reason(game: plugin.GameConfig, plan: plugin.Study, refused: OptionErrors) -> str:
    """Return the error of a position in words."""
    code, params = refused.errors[plan.option]
    return translate_option(game.options, plan.option, code, params)


@transaction.atomic
def _begin(request: HttpRequest, wish: PracticeWish) -> Table:
    """Start a game as the browser's player; the player is made now if there was none."""
    player = guest(request, known_nickname(request) or _("Guest"))
    table = hosting_practice.start(player, replace(wish, nonce=request.POST.get("nonce", "")))
    become_for_good(request, player)
    return table


def _level(request: HttpRequest, game_id: str) -> str:
    """Return the bots' level asked for, else the game's usual one; raises Illegal `no_such_game`."""
    game = plugin.all_games().get(game_id)
    if game is None:
        raise Illegal("no_such_game")
    return request.POST.get("level") or game.usual_level
