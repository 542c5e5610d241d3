"""Seasons with their standings, as far as the asker may see them."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ListView, View
from games.api.fields import Json, PersonSerializer, Shape
from games.api.pagination import Pages
from games.api.schema import described
from games.models import Player, Season
from games.services.calendar import next_season
from games.services.seasons import played, rights, season_nights, seasons, sheet_names, standing_cache, standing_columns
from games.services.seasons.frozen import StandingRow
from games.services.seasons.rights import SeasonReader
from games.services.seasons.standing_columns import Shown, StandingColumn

TAG = "seasons"


class SeasonSerializer(Shape):
    """A season; `organiser` is null for one that the staff keep."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    status = serializers.ChoiceField(Season.Status.values)
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    game = serializers.CharField(source="game_id")
    unit = serializers.CharField()
    organiser = PersonSerializer(allow_null=True)
    version = serializers.IntegerField()
    url = serializers.SerializerMethodField()

    def get_url(self, season: Any) -> str:
        """Return the address of the season's page."""
        public_id = season["public_id"] if isinstance(season, dict) else season.public_id
        return reverse("season", args=[public_id])


class SeasonNightSerializer(Shape):
    """A night of a season: its day, its weight, and the ids of its nights."""

    id = serializers.CharField()
    day = serializers.DateField()
    weight = serializers.IntegerField()
    nights = serializers.ListField(child=serializers.CharField())


class SeasonPlaceSerializer(Shape):
    """A place in a standing. `place` is null for who was there too seldom, `player` for whom the asker may not see.

    `name` is a name of a spreadsheet that is no player's, for organisers and the staff; "" in all other places.
    `total` and `worths`, by the ids of the season's nights, are exact: "25/2". `struck` are nights that do not count.
    """

    place = serializers.IntegerField(allow_null=True)
    player = PersonSerializer(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    worths = Json()
    struck = serializers.ListField(child=serializers.CharField())

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields with the columns of a standing."""
        found: dict[str, serializers.Field] = super().get_fields()
        numbers = {each.key: column_field(each) for each in standing_columns.columns(Shown.API)}
        return {name: found.pop(name) for name in ("place", "player", "name")} | numbers | found


def column_field(column: StandingColumn, **more: Any) -> serializers.Field:
    """Return the field of a standing's column: a whole number, or an exact one as text."""
    return serializers.IntegerField(**more) if column.is_whole else serializers.CharField(allow_blank=True, **more)


class OneSeasonSerializer(SeasonSerializer):
    """A season with its rules, nights and standing.

    `is_outdated`: it is closed, and a later correction would have changed its standing, which is kept as it was.
    `following` is the id of the season that was begun as the next one.
    """

    following = serializers.CharField(allow_null=True)

    is_outdated = serializers.BooleanField()
    rules = Json()
    nights = SeasonNightSerializer(many=True)
    standing = SeasonPlaceSerializer(many=True)


class Seasons(ListView):
    """The asker's seasons."""

    queryset = Season.objects.none()
    serializer_class = SeasonSerializer
    pagination_class = Pages

    @described(
        "listSeasons",
        "The seasons that the asker organises, is counted in, or was at a night of",
        SeasonSerializer(many=True),
        tag=TAG,
        codes="not_known not_found",
    )
    def get(self, request: Request) -> Response:
        """Return a page of seasons."""
        return self.page(seasons.seasons_of(self.player()).select_related("organiser"))


class OneSeason(View):
    """A season."""

    @described(
        "getSeason",
        "A season with its standing",
        OneSeasonSerializer,
        tag=TAG,
        codes="not_known no_such_season not_in_season",
        description="For its organisers, the staff, who is counted in, and who was at a night of it. Of people whom "
        "the asker may not see `player` is null; their points stand.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the season."""
        season = seasons.find(public_id)
        placed = season_nights.nights_of(season)
        reader = rights.reader_of(season, self.player(), [each.night for each in placed])
        rights.check_reader(season, reader)
        return Response(OneSeasonSerializer(_told(season, reader)).data)


def _told(season: Season, reader: SeasonReader) -> dict[str, Any]:
    """Return a season as it is told to a reader."""
    standing, following = standing_cache.season_standing(season), next_season.of(season)
    people = Player.objects.in_bulk([row.player for row in standing.rows])
    texts = sheet_names.texts(season) if reader.sees_all else {}
    fields = ("public_id", "name", "status", "first_day", "last_day", "game_id", "unit", "organiser", "version")
    return {name: getattr(season, name) for name in fields} | {
        "following": None if following is None else following.public_id,
        "rules": played.values_of(season),
        "is_outdated": standing_cache.is_outdated(season),
        "nights": standing.columns,
        "standing": [
            _row(row, reader, people.get(row.player)) | {"name": texts.get(row.player, "")} for row in standing.rows
        ],
    }


def _row(row: StandingRow, reader: SeasonReader, player: Player | None) -> dict[str, Any]:
    is_named = player is not None and player.deleted_at is None and reader.sees(player.pk)
    fields = {name: getattr(row, name) for name in ("place", "worths", "struck")}
    return {**fields, **standing_columns.values(row, Shown.API), "player": player if is_named else None}
