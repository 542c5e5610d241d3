"""Leaderboards of the players that chose to be shown, and the list of players that the reader has met."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Value
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Player, Venue
from games.services.history import leaderboards as history_leaderboards
from games.services.history import player_history
from games.services.history.leaderboards import Board
from games.services.nights import venues as night_venues
from games.web.errors import View, pages_refusals
from games.web.identity import account_of, is_banned, player_of

PAGE = 50


def need_guest(request: HttpRequest) -> Player | None:
    """Return the asking player, None for staff without one; raises Illegal `guests_only` for who was at no night."""
    viewer = player_of(request)
    if not (request.user.is_staff or player_history.may_browse(viewer)):
        raise Illegal("guests_only")
    return viewer


def for_guests(view: View) -> View:
    """Decorate a view that `need_guest` opens: who is known to the house and was at no night reads when it opens."""

    @wraps(view)
    @pages_refusals
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Illegal as refusal:
            is_known = player_of(request) is not None or account_of(request) is not None
            if refusal.code != "guests_only" or not is_known or is_banned(request):
                raise
            return render(request, "history/no_night_yet.html")

    return wrapped


@require_http_methods(["GET", "HEAD"])
@for_guests
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the leaderboard of a game and unit, at a venue or everywhere."""
    viewer = need_guest(request)
    venues = list(night_venues.listed())
    board = board_of(request, venues)
    is_met = Value(True) if request.user.is_staff else player_history.is_met(viewer, "player")
    page = Paginator(history_leaderboards.rows(board).annotate(is_met=is_met), PAGE).get_page(request.GET.get("page"))
    own_tally = None
    if viewer is not None:
        own_tally = history_leaderboards.rows(board).filter(player=viewer).first()
    game = plugin.game(board.game_id)
    context = {
        "board": board,
        "game": game,
        "unit": game.units[board.unit],
        "boards": [(g, unit, label) for g in plugin.all_games().values() for unit, label in g.units.items()],
        "venues": venues,
        "page": page,
        "rows": history_leaderboards.placed(list(page), page.start_index(), board),
        "mine": own_tally,
        "my_place": history_leaderboards.place(board, own_tally) if own_tally else None,
        "query": _query(board),
    }
    return render(request, "history/leaderboards.html", context)


def board_of(request: HttpRequest, venues: list[Venue]) -> Board:
    """Return the board of the query parameters; without a game, that of the last game played.

    A wrong value is replaced by the default.
    """
    games = plugin.all_games()
    game_id, unit = request.GET.get("game", ""), request.GET.get("unit", "")
    if game_id not in games:
        game_id, unit = history_leaderboards.last_played() or (next(iter(games)), "")
    game = games[game_id]
    order = request.GET.get("order", "")
    venue = next((v for v in venues if v.public_id == request.GET.get("venue")), None)
    return Board(
        game.game_id,
        unit if unit in game.units else next(iter(game.units)),
        venue,
        order if order in history_leaderboards.ORDERS else history_leaderboards.BY_POINTS,
    )


def _query(board: Board) -> str:
    venue = f"&venue={board.venue.public_id}" if board.venue else ""
    return f"game={board.game_id}&unit={board.unit}{venue}&order={board.order}"


@require_http_methods(["GET", "HEAD"])
@for_guests
def players(request: HttpRequest) -> HttpResponse:
    """List the players that the reader has met (staff: all) by name; `?q=` is the beginning of the name."""
    viewer = need_guest(request)
    search = " ".join(request.GET.get("q", "").split())[:96]
    found = player_history.people_met(None if request.user.is_staff else viewer)
    if search:
        found = found.filter(nickname__istartswith=search)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    return render(request, "people/players.html", {"page": page, "wanted": search})
