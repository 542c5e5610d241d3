"""Figures of people as the API tells them: points per game with their range, and ratings of matches."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.fields import Shape
from games.kernel.figures.ratings import Rating


class MeanSerializer(Shape):
    """Points per game: the mean, exact ("7/3"), of `games` games, and its 95 % range, null with one game."""

    mean = serializers.CharField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    games = serializers.IntegerField(source="n")


class KindMeanSerializer(MeanSerializer):
    """Points per game in one game and unit."""

    mean = serializers.CharField(source="of.mean")
    low = serializers.FloatField(allow_null=True, source="of.low")
    high = serializers.FloatField(allow_null=True, source="of.high")
    games = serializers.IntegerField(source="of.n")
    game = serializers.CharField(source="game_id")
    unit = serializers.CharField()


class RatingSerializer(Shape):
    """A rating of matches by FIBS's formulas; `experience` is the sum of their lengths."""

    value = serializers.SerializerMethodField()
    experience = serializers.IntegerField()
    matches = serializers.IntegerField()

    def get_value(self, rating: Any) -> float:
        """Return the rating with two decimals, as FIBS shows it."""
        return round(rating.value if isinstance(rating, Rating) else rating["value"], 2)
