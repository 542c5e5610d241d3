"""Results: the points of each seat in games at the asker's nights."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import RequestAsker, table_access
from games.api.base import ListView, View
from games.api.fields import Body, FormId, NumbersByName, Points, Shape, Text, Told, YesNo
from games.api.filters import ResultFilter
from games.api.pagination import Cursor
from games.api.schema import described
from games.api.tables.tables import TableSerializer, table_json
from games.kernel.contract import Illegal
from games.models import Membership, Result, ResultLine
from games.services.history import corrections

LARGEST_ID = 2**53
REGULAR = 50
"""Number of nights from which a player is likely to be in many of the newest results."""


class LineSerializer(Shape):
    """A seat's share of a result; `player` is null for a bot.

    A line of a past game whose player has not agreed (`consent`) has no `player` and no `name`.
    """

    seat = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = serializers.CharField()
    bot = serializers.BooleanField(source="is_bot")
    points = serializers.IntegerField()
    rank = serializers.IntegerField()
    stats = NumbersByName()
    consent = serializers.ChoiceField(ResultLine.Consent.values)

    def to_representation(self, instance: ResultLine) -> dict[str, Any]:
        """Return a line as JSON, without the name of a player who has not agreed."""
        found: dict[str, Any] = super().to_representation(instance)
        hidden = {} if instance.consent == ResultLine.Consent.GIVEN else {"player": None, "name": ""}
        return found | hidden


class _ResultHeadSerializer(Shape):
    """The game and table of a result."""

    night = serializers.CharField(source="table.night.public_id")
    table = serializers.CharField(source="table.public_id")
    game = serializers.CharField(source="game_id")
    preset = serializers.CharField()
    unit = serializers.CharField()
    medium = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    correction = serializers.BooleanField(source="is_correction")
    note = serializers.CharField(allow_blank=True)
    without_house = serializers.BooleanField(
        source="is_without_house", help_text="The game was played while the house was out of reach."
    )
    finished_at = serializers.DateTimeField()


class PlayerResultSerializer(Shape):
    """A player's own line of a result; `of` is the number of players."""

    result = serializers.SerializerMethodField()
    seat = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()
    rank = serializers.IntegerField()
    of = serializers.IntegerField()
    stats = NumbersByName()

    @extend_schema_field(_ResultHeadSerializer)
    def get_result(self, line: ResultLine) -> object:
        """Return the game and table of the line's result."""
        return _ResultHeadSerializer(line.result).data


class ResultSerializer(_ResultHeadSerializer):
    """A finished game, or a correction: made by `by`, of the result `corrects`."""

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


def results_of(asker: RequestAsker) -> QuerySet[Result]:
    """Return the results of the nights that the asker is in; for staff, all results."""
    standing = Result.objects.filter(is_proposed=False)
    if asker.is_staff:
        return standing
    memberships = Membership.objects.filter(player=asker.need_player(), status=Membership.Status.IN)
    if memberships[: REGULAR + 1].count() > REGULAR:
        # The newest results are scanned until a page is full: soon, for a regular guest.
        return standing.filter(Exists(memberships.filter(night=OuterRef("table__night"))))
    return standing.filter(table__night__in=memberships.values("night"))


class Results(ListView):
    """Results of nights."""

    queryset = Result.objects.none()
    serializer_class = ResultSerializer
    pagination_class = Cursor
    filterset_class = ResultFilter
    orderings: ClassVar = {
        "-finished_at": ("-finished_at", "-pk"),
        "finished_at": ("finished_at", "pk"),
    }

    @described(
        "listResults",
        "The results of the nights that the asker is in; for staff all of them",
        ResultSerializer(many=True),
        tag="results",
        codes="not_known not_inside removed no_such_night not_found",
        description="A correction is a row of its own, with its reason in `note`: add it to the rest.",
    )
    def get(self, request: Request) -> Response:
        """Return a page of results with their lines."""
        rows = results_of(self.asker).select_related("table__night").prefetch_related("lines")
        return self.page(rows.defer("table__state", "table__options"))


class CorrectBody(Body):
    """Signed points by seat, and the reason; with an `id` of the program's own it is carried out once.

    Of a game of a match on a real board `told` instead of `points`: its right result, {"winner": seat, "level": 1 to 3,
    "cube": 1 to 64}.
    """

    points = Points(required=False, default=dict)
    told = Told(required=False, allow_null=True, default=None)
    reason = Text(max_length=corrections.LONGEST_REASON)
    id = FormId(required=False)


class Correct(View):
    """A correction of a result."""

    @described(
        "correctResult",
        "Correct a result by a row of its own: the host, or who had a part",
        TableSerializer,
        tag="results",
        codes="not_inside removed not_found not_host is_correction no_reason bad_points no_such_seat not_zero "
        "told_wanted not_told bad_told no_change too_much too_many_waiting bad_form_id form_changed",
        body=CorrectBody,
        status=201,
        description="The host's counts at once; a player's waits in the table's `corrections` until everybody "
        "whose total it lowers has agreed.",
    )
    def post(self, request: Request, number: int) -> Response:
        """Write or propose a correction; return the table."""
        body = self.body(CorrectBody)
        player = self.player()
        result = Result.objects.select_related("table").filter(pk=min(number, LARGEST_ID)).first()
        if result is None:
            raise Illegal("not_found")
        right = table_access(request, result.table.public_id)
        points, told = body["points"], body["told"]
        corrections.correct(result, player, points, body["reason"], body.get("id"), told=told)
        return Response(table_json(right), 201)


class AgreeBody(Body):
    """The asker's answer to a correction."""

    agrees = YesNo()


class AnswerCorrection(View):
    """A correction that waits for agreement."""

    @described(
        "answerCorrection",
        "Agree to a correction that waits, or refuse it; who proposed it takes it back",
        TableSerializer,
        tag="results",
        codes="not_inside removed no_such_table no_such_correction not_asked told_meanwhile",
        body=AgreeBody,
    )
    def post(self, request: Request, public_id: str, correction: str) -> Response:
        """Agree or refuse; return the table."""
        body = self.body(AgreeBody)
        player = self.player()
        right = table_access(request, public_id)
        corrections.answer(right.table_id, correction, player, agrees=body["agrees"])
        return Response(table_json(right))
