"""What the API says of results, players and leaderboards."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.shapes import Counts, PersonSerializer, Shape
from games.models import Player, Result, ResultLine


class LineSerializer(Shape):
    """A seat's share of a result; `player` is null for a bot."""

    seat = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = serializers.CharField()
    bot = serializers.BooleanField(source="is_bot")
    points = serializers.IntegerField()
    rank = serializers.IntegerField()
    stats = Counts()


class _ResultHeadSerializer(Shape):
    """What a result is of."""

    night = serializers.CharField(source="table.night.public_id")
    table = serializers.CharField(source="table.public_id")
    game = serializers.CharField(source="game_id")
    preset = serializers.CharField()
    unit = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    correction = serializers.BooleanField(source="is_correction")
    note = serializers.CharField(allow_blank=True)
    finished_at = serializers.DateTimeField()


class ResultSerializer(_ResultHeadSerializer):
    """A finished game, or a correction: who made it (`by`) and of which result."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    seq = serializers.IntegerField(allow_null=True)
    corrects = serializers.IntegerField(source="corrects_id", allow_null=True)
    by = serializers.CharField(source="by_name", allow_blank=True)
    lines = serializers.SerializerMethodField()

    @extend_schema_field(LineSerializer(many=True))
    def get_lines(self, result: Result) -> object:
        """Return the lines by seat."""
        rows = sorted(result.lines.all(), key=lambda line: line.seat)
        return LineSerializer(rows, many=True).data


class PlayerResultSerializer(Shape):
    """A player's own line of a result; `of` is how many had a part."""

    result = serializers.SerializerMethodField()
    seat = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()
    rank = serializers.IntegerField()
    of = serializers.IntegerField()
    stats = Counts()

    @extend_schema_field(_ResultHeadSerializer)
    def get_result(self, line: ResultLine) -> object:
        """Return what the line is of."""
        return _ResultHeadSerializer(line.result).data


class PlayerSerializer(PersonSerializer):
    """A player in a list."""

    url = serializers.SerializerMethodField()

    def get_url(self, player: Player) -> str:
        """Return the player's page."""
        return reverse("player", args=[player.pk])


class RoleSerializer(Shape):
    """How somebody did in a role."""

    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()


class RecordSerializer(Shape):
    """What somebody's results in one game and unit add up to.

    `streak` is the run of games won (positive) or not won (negative) that still lasts.
    """

    game = serializers.CharField(source="game_id")
    unit = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()
    streak = serializers.IntegerField()
    longest = serializers.IntegerField()
    stats = Counts()
    roles = serializers.DictField(child=RoleSerializer())


class OnePlayerSerializer(PlayerSerializer):
    """A player with their records."""

    records = RecordSerializer(many=True)


class RivalSerializer(Shape):
    """Somebody met at tables: in how many games together each of the two was ahead."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="nickname")
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    points = serializers.IntegerField()


class RivalsSerializer(Shape):
    """Whom a player met, most games first."""

    rivals = RivalSerializer(many=True)


class PlaceSerializer(Shape):
    """A place on a leaderboard; equals share the best one."""

    place = serializers.IntegerField()
    player = PersonSerializer()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()
    stats = Counts()
    last_at = serializers.DateTimeField()


class WhoSerializer(Shape):
    """Somebody in a score sheet; `player` is null for a bot."""

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
    """Who pays how much; `to` is null where it goes to the table."""

    who = WhoSerializer()
    to = WhoSerializer(allow_null=True)
    points = serializers.IntegerField()


class HighlightSerializer(Shape):
    """Who had most of a figure."""

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
