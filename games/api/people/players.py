"""People: the asker, the players that the asker has met, results and rivals."""

from __future__ import annotations

from typing import ClassVar

from django.db.models import F, QuerySet
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import RequestAsker
from games.api.base import ListView, View
from games.api.fields import NumbersByName, PersonSerializer, Shape
from games.api.filters import LineFilter, PlayerFilter
from games.api.history.figures import KindMeanSerializer, RatingSerializer
from games.api.history.results import PlayerResultSerializer
from games.api.pagination import Cursor, Pages
from games.api.schema import described
from games.kernel.contract import Illegal
from games.models import ApiToken, Player, ResultLine
from games.services.history import figures, player_history
from games.services.history.player_history import Filters
from games.services.people import players
from games.services.tournaments import results

TAG = "players"
GUESTS = "not_known not_met"


class TokenSerializer(Shape):
    """The token of the request."""

    name = serializers.CharField()
    scope = serializers.ChoiceField(ApiToken.Scope.values)
    expires_at = serializers.DateTimeField(allow_null=True)


class MeSerializer(Shape):
    """The asker: player, staff or not, token."""

    player = PersonSerializer(allow_null=True)
    staff = serializers.BooleanField()
    token = TokenSerializer(allow_null=True)


class PlayerSerializer(PersonSerializer):
    """A player in a list."""

    url = serializers.SerializerMethodField()

    def get_url(self, player: Player) -> str:
        """Return the address of the player's page."""
        return reverse("player", args=[player.pk])


class RoleSerializer(Shape):
    """The results of a player in a role."""

    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()


class RecordSerializer(Shape):
    """The sums of a player's results in one game and unit.

    `streak` is the current run of games won (positive) or not won (negative).
    """

    game = serializers.CharField(source="game_id")
    unit = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField()
    streak = serializers.IntegerField()
    longest = serializers.IntegerField()
    stats = NumbersByName()
    roles = serializers.DictField(child=RoleSerializer())


class PlayedTournamentSerializer(Shape):
    """A tournament that is over, and a player's place among so many people."""

    tournament = serializers.CharField(source="tournament.public_id")
    night = serializers.CharField(source="tournament.night.public_id")
    name = serializers.CharField(source="tournament.name")
    game = serializers.CharField(source="tournament.game_id")
    place = serializers.IntegerField()
    people = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()


class OnePlayerSerializer(PlayerSerializer):
    """A player with their records, points per game, the ratings of all their matches, by game, and tournaments."""

    records = RecordSerializer(many=True)
    per_game = KindMeanSerializer(many=True)
    ratings = serializers.DictField(child=RatingSerializer())
    tournaments = PlayedTournamentSerializer(many=True)


class RivalSerializer(Shape):
    """A player met at tables: the number of games together in which each of the two was ahead."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="nickname")
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    points = serializers.IntegerField()


class MatchRivalSerializer(Shape):
    """A player met in matches, those of tournaments among them: how many were won against them, and lost."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="nickname")
    won = serializers.IntegerField()
    lost = serializers.IntegerField()


class RivalsSerializer(Shape):
    """The players met, ordered by the number of games together, and by that of matches."""

    rivals = RivalSerializer(many=True)
    matches = MatchRivalSerializer(many=True)


class Me(View):
    """The player and the token of the request."""

    @described(
        "getMe",
        "As whom the house knows the asker",
        MeSerializer,
        tag="house",
        description="`player` is null for a stranger, `token` for a browser.",
    )
    def get(self, request: Request) -> Response:
        """Return the player, and the token of a token's request."""
        token = request.auth if isinstance(request.auth, ApiToken) else None
        found = {"player": self.asker.player, "staff": self.asker.is_staff, "token": token}
        return Response(MeSerializer(found).data)


class Players(ListView):
    """The players that the asker has met."""

    queryset = Player.objects.none()
    serializer_class = PlayerSerializer
    pagination_class = Pages
    filterset_class = PlayerFilter

    @described(
        "listPlayers",
        "The players whom the asker has met, by name",
        PlayerSerializer(many=True),
        tag=TAG,
        codes="not_known guests_only not_found",
        description="Those who were at a night with the asker, and the asker; for the house's staff all of them.",
    )
    def get(self, request: Request) -> Response:
        """Return a page of players."""
        self.asker.check_guest()
        return self.page(player_history.people_met(None if self.asker.is_staff else self.player()))


def player_of(asker: RequestAsker, player_id: int) -> Player:
    """Return a player; open to that player, to players they have met and to staff.

    The id of a merged player leads to the player that remains. Raises Illegal `not_known`, `not_met`, NotFound.
    """
    viewer = None if asker.is_staff else asker.need_player()
    found = players.current_player(player_id)
    if found is None:
        raise NotFound
    if viewer is not None and not player_history.has_met(viewer, found.pk):
        raise Illegal("not_met")
    return found


class _OfPlayer(ListView):
    """A list about one player, with the filters of the player's page."""

    queryset = ResultLine.objects.none()
    filterset_class = LineFilter

    def lines(self, player: Player) -> QuerySet[ResultLine]:
        """Return the player's lines that pass the filters."""
        found: QuerySet[ResultLine] = self.filter_queryset(player_history.lines_of(player, Filters()))
        return found


class OnePlayer(_OfPlayer):
    """A player."""

    pagination_class = None

    @described(
        "getPlayer",
        "A player, with what their results add up to",
        OnePlayerSerializer,
        tag=TAG,
        codes=f"{GUESTS} not_found",
        description="A record for each game and unit. The filters say which results count; ratings are those of all "
        "matches, and tournaments the latest 40, whatever they say.",
    )
    def get(self, request: Request, player_id: int) -> Response:
        """Return a player's records."""
        player = player_of(self.asker, player_id)
        lines = self.lines(player)
        player.records = player_history.records(lines, with_steps=False)  # type: ignore[attr-defined]
        player.per_game = figures.means_by_kind(lines)  # type: ignore[attr-defined]
        player.tournaments = results.of_player(player)  # type: ignore[attr-defined]
        player.ratings = figures.ratings_by_game(player)  # type: ignore[attr-defined]
        return Response(OnePlayerSerializer(player).data)


class PlayerResults(_OfPlayer):
    """The results of a player."""

    serializer_class = PlayerResultSerializer
    pagination_class = Cursor
    orderings: ClassVar = {
        "-finished_at": ("-finished_at", "-pk"),
        "finished_at": ("finished_at", "pk"),
    }

    @described(
        "listPlayerResults",
        "A player's results",
        PlayerResultSerializer(many=True),
        tag=TAG,
        codes=f"{GUESTS} not_found",
    )
    def get(self, request: Request, player_id: int) -> Response:
        """Return a page of a player's lines."""
        lines = player_history.lines_of(player_of(self.asker, player_id), Filters())
        rows = lines.select_related("result__table__night")
        rows = rows.defer(*player_history.UNUSED_COLUMNS).annotate(finished_at=F("result__finished_at"))
        page = player_history.counted(self.paginate_queryset(self.filter_queryset(rows)))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class PlayerRivals(_OfPlayer):
    """Head to head figures of a player."""

    pagination_class = None

    @described(
        "listRivals",
        "Head to head: the 50 people a player met most often",
        RivalsSerializer,
        tag=TAG,
        codes=f"{GUESTS} not_found",
        description="In how many games together the player was `ahead` of them and `behind` them, and "
        "the player's points in those games. Of somebody else, those whom the asker has met, too. `matches` are "
        "counted over all of them, whatever the filters say.",
    )
    def get(self, request: Request, player_id: int) -> Response:
        """Return head to head figures."""
        player = player_of(self.asker, player_id)
        viewer = None if self.asker.is_staff else self.asker.player
        matches = player_history.match_rivals(player_history.matches_played(player, Filters(), viewer=viewer))
        found = {"rivals": player_history.rivals(player, self.lines(player), viewer=viewer), "matches": matches}
        return Response(RivalsSerializer(found).data)
