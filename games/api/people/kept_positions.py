"""Positions that the asker keeps to study them again (docs/skill.md)."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import View
from games.api.errors import BadOptions
from games.api.fields import Body, Shape, Text
from games.api.schema import described
from games.kernel.options import OptionErrors
from games.models import KeptPosition
from games.models.brought import LONGEST_NAME
from games.plugin import LONGEST_PASTED
from games.services.grades import kept_positions

CODES = "not_known banned"


class KeptPositionSerializer(Shape):
    """A kept position: `is_asked` tells that an engine has looked at it, so that the quiz can ask it."""

    id = serializers.CharField(source="public_id")
    game = serializers.CharField(source="game_id")
    name = serializers.CharField()
    position = serializers.CharField()
    kept_at = serializers.DateTimeField()
    is_asked = serializers.SerializerMethodField()

    def get_is_asked(self, position: KeptPosition) -> bool:
        """Return whether an engine has answered."""
        return bool(position.answer and position.answer["lines"])


class KeptPositionsSerializer(Shape):
    """The asker's positions, the newest first."""

    positions = KeptPositionSerializer(many=True)


class KeptPositionBody(Body):
    """A position as text, such as an XGID, and the name under which it is kept."""

    game = Text(max_length=32)
    name = Text(max_length=LONGEST_NAME)
    position = Text(max_length=LONGEST_PASTED)


class MyPositions(View):
    """The asker's positions."""

    @described("listPositions", "Positions that you keep", KeptPositionsSerializer, tag="house", codes=CODES)
    def get(self, request: Request) -> Response:
        """Return the positions."""
        return Response(KeptPositionsSerializer({"positions": kept_positions.of(self.player())}).data)

    @described(
        "keepPosition",
        "Keep a position to study it again",
        KeptPositionSerializer,
        tag="house",
        codes=f"{CODES} no_such_game position_name too_many_positions bad_options",
        body=KeptPositionBody,
        description="One that is there already gets the new name. Nobody sees another's.",
    )
    def post(self, request: Request) -> Response:
        """Keep the position; return it."""
        body = self.body(KeptPositionBody)
        try:
            found = kept_positions.keep(self.player(), body["game"], body["name"], body["position"])
        except OptionErrors as refusal:
            raise BadOptions(body["game"], refusal) from None
        return Response(KeptPositionSerializer(found).data)


class MyPosition(View):
    """A position of the asker's."""

    @described(
        "deletePosition",
        "Delete a position that you keep",
        KeptPositionsSerializer,
        tag="house",
        codes=f"{CODES} no_such_position token_reads no_csrf",
    )
    def delete(self, request: Request, public_id: str) -> Response:
        """Delete it; return those that are left."""
        player = self.player()
        kept_positions.delete(player, public_id)
        return Response(KeptPositionsSerializer({"positions": kept_positions.of(player)}).data)
