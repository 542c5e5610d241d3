"""Past games: entering them, and the consent of their people."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import night_access
from games.api.base import View
from games.api.fields import Body, Day, FormId, Moment, Named, PublicId, Shape, Text, Whole, YesNo
from games.api.history.results import LARGEST_ID, ResultSerializer
from games.api.schema import described
from games.kernel.contract import Illegal
from games.models import Player, ResultLine
from games.services.history import consent, past_games
from games.services.history.past_games import Evening, PastGame, PastLine

MOST_LINES = 100
GAME = (
    "no_such_game no_such_preset no_such_medium too_few_seats too_many_seats no_such_player player_twice night_full "
    "bad_points not_zero bad_word not_in_night too_many_tables nickname_empty nickname_characters nickname_long "
    "bad_form_id form_changed gone_player not_found"
)
"""The refusals of a past game wherever it is entered."""


class AskedLineSerializer(Shape):
    """A person's line of a past game, named for those who are asked about it."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()
    consent = serializers.ChoiceField(ResultLine.Consent.values)


class AskedSerializer(Shape):
    """A past game that asks the asker to agree to the lines of `seats`; `proposed` until a second person agrees."""

    result = serializers.IntegerField(source="result.pk")
    night = serializers.CharField(source="result.table.night.public_id")
    day = serializers.DateField(source="result.table.night.day")
    game = serializers.CharField(source="result.game_id")
    preset = serializers.CharField(source="result.preset")
    unit = serializers.CharField(source="result.unit")
    by = serializers.CharField(source="result.by_name")
    proposed = serializers.BooleanField(source="result.is_proposed")
    seats = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()

    def get_seats(self, question: consent.ConsentQuestion) -> list[int]:
        """Return the seats that the asker answers for."""
        return [line.seat for line in question.lines]

    @extend_schema_field(AskedLineSerializer(many=True))
    def get_lines(self, question: consent.ConsentQuestion) -> object:
        """Return the lines by seat."""
        rows = sorted(question.result.lines.all(), key=lambda line: line.seat)
        return AskedLineSerializer(rows, many=True).data


class AskedEveningSerializer(Shape):
    """The past games of one author at one night that the asker is asked about; `key` names them as they are now."""

    night = serializers.CharField(source="night.public_id")
    key = serializers.CharField()
    results = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_results(self, evening: consent.EveningQuestion) -> list[int]:
        """Return the ids of the results."""
        return [each.result.pk for each in evening.games]


class SpokenForSerializer(Shape):
    """A line that `by` (null: the staff) agreed to for the asker, or for somebody whom the asker keeps."""

    result = serializers.IntegerField(source="result_id")
    seat = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()
    by = serializers.CharField(source="agreed_by.nickname", default=None, allow_null=True)


class AskedGamesSerializer(Shape):
    """The past games that the asker is asked about, the oldest first, also by evening, and what others agreed to."""

    past_games = AskedSerializer(many=True)
    evenings = AskedEveningSerializer(many=True)
    agreed_for = SpokenForSerializer(many=True)


def _asked(player: Player) -> object:
    found = consent.questions(player)
    answer = {"past_games": found, "evenings": consent.evenings(found), "agreed_for": consent.spoken_for(player)}
    return AskedGamesSerializer(answer).data


@extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
class TextsByName(serializers.Field):  # type: ignore[misc]
    """Texts by name."""

    default_error_messages: ClassVar = {"invalid": "Words by name."}

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Return the texts; refuses values that are not text."""
        if not isinstance(data, dict) or not all(isinstance(word, str) for word in data.values()):
            self.fail("invalid")
        return dict(data)


class PastLineBody(Named):
    """One person's line: a `player`, or the `name` of somebody without a phone, known or new.

    It has `points`, or `said` in a game that has a sheet of its own for past games.
    """

    player = Whole(min_value=1, max_value=2**53, required=False)
    name = Text(max_length=96, required=False)
    points = Whole(required=False)
    said = TextsByName(required=False)


class PastGameBody(Body):
    """A past game; `at` is when it ended, `medium` where it was played. With an `id` of the program's own it counts
    once, however often it is sent.
    """

    game = Text(max_length=32)
    preset = Text(max_length=32)
    medium = Text(max_length=16, required=False)
    at = Moment(required=False)
    lines = PastLineBody(many=True, max_length=MOST_LINES)
    totals = YesNo(required=False, help_text="The lines are everybody's points of a whole evening.")
    id = FormId(required=False)


class EveningBody(PastGameBody):
    """A past game of an evening that was held without the house, on a `day` in the house's time zone."""

    day = Day()
    name = Text(max_length=past_games.LONGEST_NAME, required=False)
    venue = PublicId(required=False, help_text="A venue's id.")


class ConsentBody(Body):
    """The asker's answer to a past game: `agrees` yes or no.

    `objects` says no to what somebody agreed to for the asker, or for a person whom the asker keeps.
    """

    agrees = YesNo(required=False)
    objects = YesNo(required=False)
    evening = Text(max_length=64, required=False)


def _past_game(request: Request, values: dict[str, Any]) -> PastGame:
    """Return the past game of a request; refusals are in this game's words from now on."""
    request.game_id = values["game"]
    lines = [
        PastLine(line.get("player"), line.get("points"), line.get("said", {}), line.get("name", ""))
        for line in values["lines"]
    ]
    more = (values.get("at"), values.get("medium", ""), values.get("totals", False))
    return PastGame(values["game"], values["preset"], lines, *more)


class PastGames(View):
    """Past games of a night."""

    @described(
        "enterPastGame",
        "Enter a game of the night that was played without the server",
        ResultSerializer,
        tag="results",
        codes="no_such_night not_inside removed not_host taken_over_lately past_by_staff no_part not_venue_host "
        f"practice_night {GAME}",
        body=PastGameBody,
        status=201,
        description="At an open night its host enters it, or a player of the game, whose entry stands as soon as a "
        "second person agrees; at a closed night the staff. The result has the reason `entered` and no log, and counts "
        "for each person who has agreed. In backgammon a line may have "
        '`said` (`side` "member" or "box", `cube`, `winner` "box" or "member", `level` "1" to "3") instead of '
        "`points`.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Write the game; return its result."""
        values = self.body(PastGameBody)
        player = self.player()
        night = night_access(request, public_id)
        result = past_games.enter(night, player, _past_game(request, values), values.get("id"))
        return Response(ResultSerializer(result).data, 201)


class PastNights(View):
    """Past games: those that ask for the asker's word, and those of evenings that were held without the house."""

    @described(
        "listPastGames",
        "The past games that the asker is asked about",
        AskedGamesSerializer,
        tag="results",
        codes="not_known",
        description="`seats` are the lines that the asker answers for: their own, and for a host those of people "
        "without a phone.",
    )
    def get(self, request: Request) -> Response:
        """Return the games, with the names of all who played."""
        return Response(_asked(self.player()))

    @described(
        "enterPastNight",
        "Enter a game of an evening that was held without the house, as an account",
        ResultSerializer,
        tag="results",
        codes=f"not_known no_account bad_day night_name no_such_venue not_venue_host {GAME}",
        body=EveningBody,
        status=201,
        description="It makes a closed night of that day. Further games of the same day, venue and author go into the "
        "same night.",
    )
    def post(self, request: Request) -> Response:
        """Write the game and its night; return its result."""
        values = self.body(EveningBody)
        evening = Evening(values["day"], values.get("name", ""), values.get("venue", ""))
        result = past_games.enter_night(self.player(), evening, _past_game(request, values), values.get("id"))
        return Response(ResultSerializer(result).data, 201)


class Consent(View):
    """The consent of people in a past game."""

    @described(
        "answerPastGame",
        "Agree to a past game, or refuse it",
        ResultSerializer,
        tag="results",
        codes="not_known no_question bad_argument",
        body=ConsentBody,
        description="`evening` is the `key` of an evening of the list: all its games are answered at once. A key of "
        "before games were added or changed is refused with `no_question`. `objects` instead of `agrees` takes back "
        "what somebody agreed to for the asker, or for a person whom the asker keeps (`agreed_for` of the list, for 30 "
        "days): the line is asked about again.",
    )
    def post(self, request: Request, number: int) -> Response:
        """Answer for oneself, and for people without a phone where one may; return the result."""
        said, player, number = self.body(ConsentBody), self.player(), min(number, LARGEST_ID)
        if said.get("objects"):
            return Response(ResultSerializer(consent.object_to(number, player)).data)
        if "agrees" not in said:
            raise Illegal("bad_argument", name="agrees")
        if said.get("evening"):
            found = consent.answer_evening(number, said["evening"], player, agrees=said["agrees"])
            return Response(ResultSerializer(next(each for each in found if each.pk == number)).data)
        return Response(ResultSerializer(consent.answer(number, player, agrees=said["agrees"])).data)

    @described(
        "withdrawPastGame",
        "Take a past game back, as its author and while it counts for nobody",
        AskedGamesSerializer,
        tag="results",
        codes="not_known no_question token_reads no_csrf",
    )
    def delete(self, request: Request, number: int) -> Response:
        """Delete the game; return the games that still wait for the asker."""
        player = self.player()
        consent.withdraw(min(number, LARGEST_ID), player)
        return Response(_asked(player))
