"""Content of share links for outsiders: the results of a night, or the standing of a season."""

from __future__ import annotations

from datetime import date
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import View
from games.api.fields import Shape
from games.api.schema import described
from games.api.seasons.seasons import TAG, column_field
from games.kernel.contract import Illegal
from games.models import ShareLink
from games.services.seasons import standing_columns
from games.services.seasons.standing_columns import Shown
from games.services.sharing import links, results

NIGHT, SEASON = "night", "season"


class SharedRowSerializer(Shape):
    """A row of a ranking. `name` is null for a guest: somebody who has not chosen to be shown to everybody.

    `place` is null for who was at a season too seldom. `total` is exact: "25/2". `times` counts the games of a night,
    or the nights of a season.
    """

    place = serializers.IntegerField(allow_null=True)
    name = serializers.SerializerMethodField()
    is_bot = serializers.BooleanField()
    total = serializers.CharField(allow_blank=True)
    times = serializers.IntegerField()

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields with the further columns of a season's standing, which a night's rows have not."""
        fields: dict[str, serializers.Field] = super().get_fields()
        further = [each for each in standing_columns.further() if Shown.API in each.at]
        return fields | {each.key: column_field(each, source=f"further.{each.key}", required=False) for each in further}

    def get_name(self, row: Any) -> str | None:
        """Return the name of a listed person or a bot."""
        name: str = row["name"] if isinstance(row, dict) else row.name
        return name or None


class RankingSerializer(Shape):
    """A ranking in one game and unit, the best first."""

    game = serializers.CharField(source="game_id")
    unit = serializers.CharField()
    lower_is_better = serializers.BooleanField(source="is_fewer_better")
    rows = SharedRowSerializer(many=True)


class SharedSerializer(Shape):
    """The content of a share link: a night with a ranking for each game and unit, or a season with its standing."""

    kind = serializers.ChoiceField([NIGHT, SEASON])
    name = serializers.CharField()
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    rankings = RankingSerializer(many=True)


class Shared(View):
    """The content of a share link."""

    @described(
        "getShared",
        "The results of a night or the standing of a season, for outsiders",
        SharedSerializer,
        tag=TAG,
        codes="no_such_share share_closed",
        description="For whoever has the link that a host or an organiser has opened: no token is needed. The points "
        "are everybody's, the names those of people who chose to be shown to everybody.",
    )
    def get(self, request: Request, key: str) -> Response:
        """Return what the link shows."""
        return Response(SharedSerializer(_told(links.find(key))).data)


def _told(link: ShareLink) -> dict[str, Any]:
    if link.season is not None:
        days = (link.season.first_day, link.season.last_day)
        return _as_shown(SEASON, link.season.name, days, [results.of_season(link.season)])
    if link.night is not None:
        return _as_shown(NIGHT, link.night.name, (link.night.day, link.night.day), results.of_night(link.night))
    raise Illegal("share_closed")


def _as_shown(kind: str, name: str, days: tuple[date, date], rankings: list[results.Ranking]) -> dict[str, Any]:
    return {"kind": kind, "name": name, "first_day": days[0], "last_day": days[1], "rankings": rankings}
