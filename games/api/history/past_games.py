"""Past games of a night, entered by its host."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import night_access
from games.api.base import View
from games.api.fields import Body, Moment, Named, Text, Whole
from games.api.history.results import ResultSerializer
from games.api.schema import described
from games.services.history import past_games
from games.services.history.past_games import PastGame, PastLine

MOST_LINES = 100


@extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
class Words(serializers.Field):  # type: ignore[misc]
    """Texts by name."""

    default_error_messages: ClassVar = {"invalid": "Words by name."}

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Return the texts; refuses values that are not text."""
        if not isinstance(data, dict) or not all(isinstance(word, str) for word in data.values()):
            self.fail("invalid")
        return dict(data)


class PastLineBody(Named):
    """A player's part: points, or `said` in a game with a past sheet of its own."""

    player = Whole(min_value=1, max_value=2**53)
    points = Whole(required=False)
    said = Words(required=False)


class PastGameBody(Body):
    """A past game; `at` is when it ended, `medium` where it was played."""

    game = Text(max_length=32)
    preset = Text(max_length=32)
    medium = Text(max_length=16, required=False)
    at = Moment(required=False)
    lines = PastLineBody(many=True, max_length=MOST_LINES)


class PastGames(View):
    """Past games of a night."""

    @described(
        "enterPastGame",
        "Enter a game of the night that was played without the server, as its host",
        ResultSerializer,
        tag="results",
        codes="no_such_night not_inside removed not_host practice_night no_such_game no_such_preset no_such_medium "
        "too_few_seats too_many_seats no_such_player player_twice bad_points not_zero bad_word not_in_night "
        "too_many_tables",
        body=PastGameBody,
        status=201,
        description="A result like any other, with the reason `entered`, and no log. In backgammon a line may tell "
        '`said` (`side` "member" or "box", `cube`, `winner` "box" or "member", `level` "1" to "3") instead of '
        "`points`.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Write the game; return its result."""
        values = self.body(PastGameBody)
        player = self.player()
        night = night_access(request, public_id)
        request.game_id = values["game"]  # refusals are in this game's words
        lines = [PastLine(line["player"], line.get("points"), line.get("said", {})) for line in values["lines"]]
        past_game = PastGame(values["game"], values["preset"], lines, values.get("at"), values.get("medium", ""))
        return Response(ResultSerializer(past_games.enter(night, player, past_game)).data, 201)
