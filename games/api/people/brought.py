"""Match files that the asker brings in to have them graded (docs/skill.md)."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import View
from games.api.fields import Body, Json, Shape, Text, YesNo
from games.api.schema import described
from games.models import BroughtMatch
from games.models.brought import LONGEST_NAME
from games.services.grades import brought

LONGEST_TEXT = 60_000
CODES = "not_known banned"
WAITING, GRADED = "waiting", "graded"


class MatchFileSerializer(Shape):
    """A match file: `state` is `waiting`, `graded`, or the code of why there is no report.

    `unread` is the place from which on the file could not be read ("game 4, line 57"); `games` are those before it.
    """

    id = serializers.CharField(source="public_id")
    game = serializers.CharField(source="game_id")
    name = serializers.CharField()
    players = serializers.ListField(source="about.players", child=serializers.CharField())
    games = serializers.IntegerField(source="about.games")
    length = serializers.IntegerField(source="about.length")
    brought_at = serializers.DateTimeField()
    state = serializers.SerializerMethodField()
    unread = serializers.CharField(source="about.unread.at", default="")

    def get_state(self, match: BroughtMatch) -> str:
        """Return how far the analysis is."""
        return match.fault or (WAITING if match.graded_at is None else GRADED)


class MatchFilesSerializer(Shape):
    """The asker's match files, the newest first."""

    matches = MatchFileSerializer(many=True)


class GradedMatchFileSerializer(MatchFileSerializer):
    """A match file with its report, null before there is one, in the form of `analyse --json`."""

    report = Json(allow_null=True)


class MatchFileBody(Body):
    """A match file as text; longer ones are brought in on the site."""

    game = Text(max_length=32)
    name = Text(max_length=LONGEST_NAME)
    content = Text(max_length=LONGEST_TEXT)
    partly = YesNo(required=False, default=False)


class MyMatches(View):
    """The asker's match files."""

    @described("listMatches", "Your match files", MatchFilesSerializer, tag="house", codes=CODES)
    def get(self, request: Request) -> Response:
        """Return the files, without their reports."""
        return Response(MatchFilesSerializer({"matches": brought.of(self.player())}).data)

    @described(
        "bringMatch",
        "Have a match of yours analysed",
        MatchFileSerializer,
        tag="house",
        codes=f"{CODES} bad_file too_long no_engine too_many_matches",
        body=MatchFileBody,
        description=(
            "`.mat` or `.sgf`; a file that is there already is not kept twice. At most 10 an hour. `bad_file` says "
            "where (`params`: `at`, `game`, `line`) and how many `games` stand whole before; `partly` has these graded."
        ),
    )
    def post(self, request: Request) -> Response:
        """Keep the file; return it."""
        body = self.body(MatchFileBody)
        content = body["content"].encode("utf-8", "replace")
        found = brought.bring(self.player(), body["game"], body["name"], content, partly=body["partly"])
        return Response(MatchFileSerializer(found).data)


class MyMatch(View):
    """A match file of the asker's."""

    @described(
        "getMatch",
        "A match file of yours with what an engine says of it",
        GradedMatchFileSerializer,
        tag="house",
        codes=f"{CODES} no_such_match_file",
        description="Decisions have `said`, the analysis that the file itself holds, null without one.",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the file with its report."""
        return Response(GradedMatchFileSerializer(brought.find(self.player(), public_id)).data)

    @described(
        "deleteMatch",
        "Delete a match file of yours and its report",
        MatchFilesSerializer,
        tag="house",
        codes=f"{CODES} no_such_match_file token_reads no_csrf",
    )
    def delete(self, request: Request, public_id: str) -> Response:
        """Delete it; return those that are left."""
        player = self.player()
        brought.delete(player, public_id)
        return Response(MatchFilesSerializer({"matches": brought.of(player)}).data)
