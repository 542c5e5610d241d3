"""Figures of people in words, and the page of those of all time."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.figures.ratings import Rating
from games.kernel.figures.skill_rates import Mean
from games.models import Player, Venue
from games.services.history import figures, player_history
from games.services.history.figures import KindMean, PersonFigures
from games.services.people import name_order
from games.services.regions import written
from games.web.errors import pages_refusals
from games.web.history.leaderboards import board_of, for_guests, need_guest
from games.web.labels import exact
from games.web.people.player import visible_player

MOST = 200
"""The most people that the page of all time shows."""


@require_http_methods(["GET", "HEAD"])
@for_guests
def all_time(request: HttpRequest) -> HttpResponse:
    """Show the figures of people who chose to be shown, of all time, in a game and unit."""
    need_guest(request)
    board = board_of(request, list(Venue.objects.none()))
    found = figures.of_listed(board.game_id, board.unit)[:MOST]
    people = Player.objects.in_bulk([each.player for each in found])
    context = {
        "boards": [(g, unit, label) for g in plugin.all_games().values() for unit, label in g.units.items()],
        "board": board,
        "game": plugin.game(board.game_id),
        "unit": plugin.game(board.game_id).units[board.unit],
        **figures_context([(people[each.player].nickname, None, each) for each in found]),
    }
    return render(request, "history/all_time_figures.html", context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def player_figures(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show a player's figures of all time; for that player, players that they have met, and staff."""
    found = visible_player(request, player_id)
    means = figures.means_by_kind(player_history.lines_of(found, player_history.Filters()))
    ratings = figures.ratings_by_game(found)
    games = plugin.all_games()
    context = {
        "who": found,
        "by_game": True,
        "means": [{"name": _kind_words(each), "mean": mean_words(each.of)} for each in means if each.game_id in games],
        "ratings": [
            {"name": games[game].title, **rating_words(each)} for game, each in ratings.items() if game in games
        ],
    }
    return render(request, "people/figures.html", context)


def _kind_words(kind: KindMean) -> str:
    """Return a game with its unit, and whether fewer points are better."""
    game = plugin.game(kind.game_id)
    parts = [str(game.title), str(game.units.get(kind.unit, kind.unit))]
    return " · ".join([*parts, str(_("fewer is better"))] if game.lower_is_better else parts)


def figures_context(rows: list[tuple[str, int | None, PersonFigures]]) -> dict[str, Any]:
    """Return what templates/history/parts/figures.html needs: each person's name, id where there is a page, figures."""
    shown = [{"name": name, "player": player, **_words(each)} for name, player, each in rows]
    return {
        "means": name_order.by_name((row for row in shown if row["mean"]), lambda row: row["name"]),
        "ratings": [row for row in shown if "rating" in row],
    }


def _words(person: PersonFigures) -> dict[str, Any]:
    return {
        "mean": mean_words(person.mean) if person.mean is not None else None,
        **(rating_words(person.rating) if person.rating is not None else {}),
    }


def rating_words(rating: Rating) -> dict[str, Any]:
    """Return a rating in words, with two decimals, and what is behind it."""
    return {
        "rating": written.rounded(rating.value, 2),
        "experience": rating.experience,
        "matches": rating.matches,
    }


def mean_words(mean: Mean) -> dict[str, Any]:
    """Return a mean in words: the points per game, the two ends of its range ("" with one game), the games."""
    low, high = ("" if end is None else written.rounded(end, 2) for end in (mean.low, mean.high))
    return {"mean": exact(str(mean.mean)), "low": low, "high": high, "n": mean.n}
