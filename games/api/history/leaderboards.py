"""Leaderboards: of a night, of a venue, of all time."""

from __future__ import annotations

from typing import Any

import django_filters as df
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api import filters
from games.api.auth import night_access
from games.api.base import ListView, View
from games.api.fields import NumbersByName, PersonSerializer, Shape
from games.api.nights.nights import INSIDE
from games.api.pagination import Pages
from games.api.schema import described
from games.kernel.contract import Illegal
from games.models import Night, Tally, Venue
from games.services.history import leaderboards, score_sheets
from games.services.history.leaderboards import Board

TAG = "leaderboards"


class PlaceSerializer(Shape):
    """A place on a leaderboard; equal players share the better place."""

    place = serializers.IntegerField()
    player = PersonSerializer()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()
    stats = NumbersByName()
    last_at = serializers.DateTimeField()


class WhoSerializer(Shape):
    """A person in a score sheet; `player` is null for a bot."""

    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = serializers.CharField()
    bot = serializers.BooleanField(source="is_bot")


class StandingSerializer(WhoSerializer):
    """A place on a night's leaderboard."""

    place = serializers.IntegerField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()


class PaymentSerializer(Shape):
    """A payment from one person to another; `to` is null if it goes to the table."""

    who = WhoSerializer()
    to = WhoSerializer(allow_null=True)
    points = serializers.IntegerField()


class HighlightSerializer(Shape):
    """The people with the highest value of a figure."""

    figure = serializers.CharField()
    label = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField())
    value = serializers.IntegerField()


class BoardSerializer(Shape):
    """A night's leaderboard in one game and unit."""

    game = serializers.CharField()
    unit = serializers.CharField()
    label = serializers.CharField()
    lower_is_better = serializers.BooleanField()
    rows = StandingSerializer(many=True)
    payments = PaymentSerializer(many=True)
    highlights = HighlightSerializer(many=True)


class NightBoardsSerializer(Shape):
    """The leaderboards of a night."""

    night = serializers.CharField()
    boards = BoardSerializer(many=True)


class NightBoards(View):
    """The leaderboards of a night."""

    @described(
        "getNightLeaderboard",
        "Who has what at a night, and who pays whom",
        NightBoardsSerializer,
        tag=TAG,
        codes=INSIDE,
        description="One board for each game and unit. `payments` are the fewest that settle it; `to` "
        "is null where points are owed to the table.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a board for each game and unit that has results."""
        night = night_access(request, public_id)
        found = {"night": night.public_id, "boards": [_board(night, sheet) for sheet in score_sheets.sheets(night)]}
        return Response(NightBoardsSerializer(found).data)


def _board(night: Night, sheet: score_sheets.Sheet) -> dict[str, Any]:
    """Return a night's score sheet as a leaderboard."""
    game = plugin.game(sheet.game_id)
    return {
        "game": sheet.game_id,
        "unit": sheet.unit,
        "label": score_sheets.unit_label(night, sheet),
        "lower_is_better": game.lower_is_better,
        "rows": [{**_row(sheet, ranked.column), "place": ranked.place} for ranked in score_sheets.ranking(sheet)],
        "payments": sheet.payments,
        "highlights": [
            {"figure": figure, "label": str(game.stat_labels[figure]), "names": names, "value": n}
            for figure, names, n in sheet.highlights
        ],
    }


def _row(sheet: score_sheets.Sheet, column: int) -> dict[str, Any]:
    """Return a column of a sheet: corrections count as points, not as games."""
    person = sheet.people[column]
    return {
        "player_id": person.player_id,
        "name": person.name,
        "is_bot": person.is_bot,
        "played": sheet.played[column],
        "won": sheet.won[column],
        "points": sheet.totals[column],
    }


class BoardFilter(df.FilterSet):  # type: ignore[misc]
    """The query parameters that select a leaderboard."""

    game = filters.choice("The game's id.", filters.games(), method="as_is", required=True)
    unit = filters.choice("What points count; the game's first.", filters.units(), method="as_is")
    venue = filters.slug("The venue's id; none: everywhere.", method="as_is")
    ordering = filters.choice("By points, or by games played.", leaderboards.ORDERS, method="as_is")

    def as_is(self, rows: Any, name: str, value: str) -> Any:
        """Leave the rows unchanged: `_board_of` reads the values."""
        return rows


class Leaderboard(ListView):
    """A leaderboard."""

    queryset = Tally.objects.none()
    serializer_class = PlaceSerializer
    pagination_class = Pages
    filterset_class = BoardFilter

    @described(
        "getLeaderboard",
        "The leaderboard of a game and unit, at a venue or everywhere",
        PlaceSerializer(many=True),
        tag=TAG,
        codes="not_known guests_only not_found no_such_unit no_such_venue",
        description="For those who have been at a night of the house, and its staff; of those players who "
        "chose to be shown (on the site, under *Your name and language*). The best come "
        "first, those with fewest points where the game says so.",
    )
    def get(self, request: Request) -> Response:
        """Return a page of places."""
        self.asker.check_guest()
        self.filter_queryset(self.queryset)
        board = _board_of(self.query)
        page = self.paginate_queryset(leaderboards.rows(board))
        start = self.paginator.page.start_index()
        rows = [{**_place(tally), "place": n} for n, tally in leaderboards.placed(page, start, board)]
        return self.get_paginated_response(PlaceSerializer(rows, many=True).data)


def _place(tally: Tally) -> dict[str, Any]:
    """Return a tally's fields for a leaderboard."""
    fields = ("player", "played", "won", "points", "stats", "last_at")
    return {name: getattr(tally, name) for name in fields}


def _board_of(query: Any) -> Board:
    """Return the board of the query parameters.

    Raises Illegal `no_such_unit` for a unit of another game, `no_such_venue`.
    """
    game = plugin.game(query["game"])
    unit = query.get("unit", next(iter(game.units), ""))
    if unit not in game.units:
        raise Illegal("no_such_unit", units=", ".join(game.units))
    venue = None
    if "venue" in query:
        venue = Venue.objects.filter(public_id=query["venue"]).first()
        if venue is None:
            raise Illegal("no_such_venue")
    return Board(game.game_id, unit, venue, query.get("ordering", leaderboards.BY_POINTS))
