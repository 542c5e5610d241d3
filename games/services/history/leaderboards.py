"""Leaderboards, at one venue or everywhere, read from the tallies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from games import plugin
from games.models import Result, Tally, Venue

BY_POINTS, BY_PLAYED = "points", "played"
ORDERS = (BY_POINTS, BY_PLAYED)


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: a game and unit, a venue or (None) everywhere, and its order."""

    game_id: str
    unit: str
    venue: Venue | None = None
    order: str = BY_POINTS


def last_played() -> tuple[str, str] | None:
    """Return game and unit of the newest result of an installed game, practice left out, or None."""
    games = Result.objects.filter(game_id__in=plugin.all_games(), is_correction=False)
    games = games.exclude(table__night__is_practice=True).filter(is_proposed=False)
    last = games.order_by("-finished_at", "-pk").first()
    return None if last is None else (last.game_id, last.unit)


def rows(board: Board) -> QuerySet[Tally]:
    """Return the tallies of a board, best first.

    Only players that chose to be shown (`Player.is_listed`). In games where fewer points are better, the
    fewest come first. The order is that of one index.
    """
    tallies = Tally.objects.filter(player__is_listed=True, game_id=board.game_id, unit=board.unit, venue=board.venue)
    found = tallies.select_related("player")
    if board.order == BY_PLAYED:
        return found.order_by("-played", "player")
    fewest = plugin.game(board.game_id).lower_is_better
    return found.order_by("points" if fewest else "-points", "player")


def placed(page: Sequence[Tally], first: int, board: Board) -> list[tuple[int, Tally]]:
    """Return a page of tallies with their places; `first` is the row number of the first of them."""
    found: list[tuple[int, Tally]] = []
    for index, tally in enumerate(page):
        if not found:
            number = place(board, tally)
        elif getattr(found[-1][1], board.order) == getattr(tally, board.order):
            number = found[-1][0]
        else:
            number = first + index
        found.append((number, tally))
    return found


def place(board: Board, tally: Tally) -> int:
    """Return the place of a tally on its board, from 1; equal tallies share the best place."""
    found = rows(board).order_by()
    if board.order == BY_PLAYED:
        return 1 + found.filter(played__gt=tally.played).count()
    fewest = plugin.game(board.game_id).lower_is_better
    better = {"points__lt": tally.points} if fewest else {"points__gt": tally.points}
    return 1 + found.filter(**better).count()
