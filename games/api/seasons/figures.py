"""Figures of a season's people."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import View
from games.api.fields import PersonSerializer, Shape
from games.api.history.figures import MeanSerializer, RatingSerializer
from games.api.schema import described
from games.api.seasons.seasons import TAG
from games.models import Player
from games.services.seasons import rights, season_nights, seasons, standings


class PersonFiguresSerializer(Shape):
    """A person's figures in a season; `player` is null for whom the asker may not see."""

    player = PersonSerializer(allow_null=True)
    per_game = MeanSerializer(allow_null=True, source="mean")
    rating = RatingSerializer(allow_null=True)


class SeasonFiguresSerializer(Shape):
    """The figures of everybody with a game or a match that counts in a season, by rating, then by games."""

    figures = PersonFiguresSerializer(many=True)


class SeasonFigures(View):
    """The figures of a season."""

    @described(
        "getSeasonFigures",
        "Points per game of a season's people, with their ranges, and the ratings of its matches",
        SeasonFiguresSerializer,
        tag=TAG,
        codes="not_known no_such_season not_in_season",
        description="Computed from results and matches each time. Ratings begin at 1500 with the season and follow "
        "FIBS's formulas; there is none for chouettes.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the figures; people that the asker may not see have no name."""
        season = seasons.find(public_id)
        placed = season_nights.nights_of(season)
        reader = rights.reader_of(season, self.player(), [each.night for each in placed])
        rights.check_reader(season, reader)
        found = standings.figures_of(season, placed)
        seen = Player.objects.filter(deleted_at=None).in_bulk([each.player for each in found])
        rows = [
            {
                "player": seen.get(each.player) if reader.sees(each.player) else None,
                "mean": each.mean,
                "rating": each.rating,
            }
            for each in found
        ]
        return Response(SeasonFiguresSerializer({"figures": rows}).data)
