"""The position of a night: votes, then the engine's list (docs/skill.md)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api.auth import night_access
from games.api.base import View
from games.api.fields import Body, NumbersByName, Shape, Text
from games.api.people.quiz import LONGEST_CHOICE, WaySerializer
from games.api.schema import described
from games.game_texts import gettext_of
from games.models import Night
from games.services.grades import position

CODES = "not_known not_inside removed no_such_night"


class PositionSerializer(Shape):
    """A night's position: `choices` are what a vote sends; the rest of it is told after the asker's vote.

    `ways` has the engine's list, the best first, null before; `votes` are numbers by choice. `name` is whose choice it
    was in the game, "" where the asker may not know.
    """

    key = serializers.CharField()
    game = serializers.CharField()
    position = serializers.CharField()
    question = serializers.CharField()
    choices = serializers.ListField(child=serializers.CharField())
    voted = serializers.IntegerField()
    mine = serializers.CharField()
    votes = NumbersByName()
    name = serializers.CharField()
    ways = WaySerializer(many=True, allow_null=True)


class NightPositionSerializer(Shape):
    """The position of a night, null where there is none yet."""

    position = PositionSerializer(allow_null=True)


class VoteBody(Body):
    """A vote: the position's `key`, and one of its `choices`."""

    key = Text(max_length=32)
    choice = Text(max_length=LONGEST_CHOICE)


class NightPosition(View):
    """The position of a night."""

    @described(
        "getNightPosition",
        "The position of a night: the costliest mistake of its finished tables",
        NightPositionSerializer,
        tag="nights",
        codes=CODES,
        description="The engine's list and the votes are there after your own vote, and when the night is closed.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the position as the asker may see it."""
        return self._told(night_access(request, public_id))

    @described(
        "voteOnPosition",
        "Say what you would choose in the position of a night",
        NightPositionSerializer,
        tag="nights",
        codes=f"{CODES} no_such_exercise night_closed",
        body=VoteBody,
        description="The first vote stands.",
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Note the vote; return the position with the engine's list."""
        body, night = self.body(VoteBody), night_access(request, public_id)
        position.vote(night, self.player(), body["key"], body["choice"], datetime.now(UTC))
        return self._told(night)

    def _told(self, night: Night) -> Response:
        found = position.of_night(night, self.player(), datetime.now(UTC))
        return Response(NightPositionSerializer({"position": None if found is None else _json(found)}).data)


def _json(found: position.NightPosition) -> dict[str, Any]:
    game, exercise = plugin.game(found.game_id), found.exercise
    return {
        "key": found.key,
        "game": found.game_id,
        "position": exercise.position,
        "question": gettext_of(game, exercise.question.text) % exercise.question.values,
        "choices": sorted(each.text for each in exercise.candidates),
        "voted": found.voted,
        "mine": found.mine,
        "votes": dict(found.votes),
        "name": found.name,
        "ways": exercise.candidates if found.is_told else None,
    }
