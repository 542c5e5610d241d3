"""Grades of a table's games, as far as the asker may see them (docs/skill.md)."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import asker_of, table_access
from games.api.base import View
from games.api.fields import Json, Shape
from games.api.schema import described
from games.api.tables.tables import TAG, table_of
from games.models import Player, Table
from games.services.grades import card, visibility
from games.services.grades.visibility import Viewer
from games.services.tables import access


class GradedSeatSerializer(Shape):
    """A seat whose grades the asker sees, with the name on the result."""

    seat = serializers.IntegerField()
    name = serializers.CharField()


class GradedGameSerializer(Shape):
    """A graded game; `rows` are in the form of the game's grading, each with `seq` and `seat`."""

    game = serializers.IntegerField(source="result.number")
    ended = serializers.IntegerField(source="result.seq")
    engine = serializers.CharField(source="grades.engine")
    level = serializers.CharField(source="grades.level")
    formula = serializers.IntegerField(source="grades.formula")
    seats = GradedSeatSerializer(source="lines", many=True)
    rows = Json()


class GradesSerializer(Shape):
    """The graded games of a table."""

    games = GradedGameSerializer(many=True)


class GradesLineSerializer(Shape):
    """The line about grades on the card of a table's last finished game."""

    ended = serializers.IntegerField(allow_null=True)
    is_awaited = serializers.BooleanField()
    text = serializers.CharField()


class Grades(View):
    """The grades of a table's games."""

    @described(
        "getGrades",
        "What an engine says of the choices in a table's finished games",
        GradesSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table",
        description=(
            "Your own, and those of others where the house rule `skill_shown` of the table and their own wish allow; "
            "before the table has ended for its players alone. A game that is not graded yet is missing."
        ),
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the games with the grades that the asker may see."""
        right = table_access(request, public_id)
        table = table_of(right)
        found = visibility.games(table, viewer_of(request, right, table))
        return Response(GradesSerializer({"games": found}).data)


class GradesLine(View):
    """The line about grades on the card of the last finished game."""

    @described(
        "getGradesLine",
        "The best play and the luckiest roll of a table's last finished game, in one line",
        GradesLineSerializer,
        tag=TAG,
        codes="not_inside removed no_such_table",
        description=(
            '`text` is in the asker\'s language and tells of those whose grades the asker may see; "" for nothing. '
            "`ended` is the entry that ended the game, null before any has ended. While `is_awaited`, ask again some "
            "seconds later."
        ),
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the line that the asker may see."""
        right = table_access(request, public_id)
        table = table_of(right)
        return Response(GradesLineSerializer(card.line(table, viewer_of(request, right, table))).data)


def viewer_of(request: Request, right: access.Access, table: Table) -> Viewer:
    """Return the asker as a viewer of grades; staff who are not at the night see no more than anybody elsewhere."""
    asker = asker_of(request)
    if right.player_id is not None:
        return visibility.viewer(table, Player.objects.get(pk=right.player_id))
    if not asker.is_staff:
        return visibility.viewer(table, None)
    return visibility.viewer(table, asker.player) if asker.player else visibility.ELSEWHERE
