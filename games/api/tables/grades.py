"""Grades of a table's games, as far as the asker may see them (docs/skill.md)."""

from __future__ import annotations

from typing import ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import asker_of, table_access
from games.api.base import View
from games.api.fields import Body, Json, Query, Shape, Whole
from games.api.schema import described
from games.api.tables.tables import LAST_SEQ, TAG, table_of
from games.kernel.contract import JsonObject
from games.models import Player, Table
from games.services.grades import card, deeper_grading, visibility
from games.services.grades.visibility import Viewer
from games.services.tables import access

CODES = "not_inside removed no_such_table"


class GradedSeatSerializer(Shape):
    """A seat whose grades the asker sees, with the name on the result."""

    seat = serializers.IntegerField()
    name = serializers.CharField()


class GradedGameSerializer(Shape):
    """A graded game; `rows` are in the form of the game's grading, each with `seq`, `seat`, `row` and `deeper`.

    `is_deep` says that the figures are those of the deep pass, which replaced the first one's as a whole.
    """

    game = serializers.IntegerField(source="result.number")
    ended = serializers.IntegerField(source="result.seq")
    engine = serializers.CharField(source="grades.engine")
    level = serializers.CharField(source="grades.level")
    is_deep = serializers.BooleanField(source="grades.is_deep")
    formula = serializers.IntegerField(source="grades.formula")
    seats = GradedSeatSerializer(source="lines", many=True)
    rows = serializers.ListField(child=Json())


class GradesSerializer(Shape):
    """The graded games of a table."""

    games = GradedGameSerializer(many=True)


class GradesLineSerializer(Shape):
    """The line about grades on the card of a table's last finished game."""

    ended = serializers.IntegerField(allow_null=True)
    is_awaited = serializers.BooleanField()
    text = serializers.CharField()


class ChoiceBody(Body):
    """A choice: the entry that ended its game, and the number of its row, as `rows` tell it."""

    ended = Whole(min_value=1, max_value=LAST_SEQ)
    row = Whole(min_value=0, max_value=LAST_SEQ)


class ChoiceQuery(Query):
    """A choice: the entry that ended its game, and the number of its row, as `rows` tell it."""

    ended = Whole(min_value=1, max_value=LAST_SEQ)
    row = Whole(min_value=0, max_value=LAST_SEQ)


class DeeperSerializer(Shape):
    """The state of a deeper look at a choice."""

    state = serializers.ChoiceField(choices=(deeper_grading.ASKED, deeper_grading.DONE, deeper_grading.OPEN))


class Deeper(View):
    """A deeper look at a choice of a graded game."""

    queries: ClassVar = {"GET": ChoiceQuery}

    @described(
        "getDeeper",
        "Whether the engine has looked more deeply at a choice",
        DeeperSerializer,
        tag=TAG,
        codes=f"{CODES} no_such_grade",
        query=ChoiceQuery,
        description="`asked`: it is awaited; `done`: the row has it; `open`: nobody has asked, or it had no answer.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return what there is."""
        right = table_access(request, public_id)
        table = table_of(right)
        by = viewer_of(request, right, table)
        return Response({"state": deeper_grading.state(table, by, self.query["ended"], self.query["row"])})

    @described(
        "askDeeper",
        "Ask the engine to look more deeply at a choice whose grade you see",
        DeeperSerializer,
        tag=TAG,
        codes=f"{CODES} no_such_grade no_engine",
        body=ChoiceBody,
        description=(
            "It is looked at after the two passes over the games; the row that stands gives way, and says so in "
            "`deeper`. At most 20 an hour."
        ),
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Ask; return what there is."""
        body: JsonObject = self.body(ChoiceBody)
        right = table_access(request, public_id)
        table = table_of(right)
        return Response(
            {"state": deeper_grading.ask(table, viewer_of(request, right, table), body["ended"], body["row"])}
        )


class Grades(View):
    """The grades of a table's games."""

    @described(
        "getGrades",
        "What an engine says of the choices in a table's finished games",
        GradesSerializer,
        tag=TAG,
        codes=CODES,
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
        codes=CODES,
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
