"""Draws of tables for many: a proposal, the rounds that were opened, and opening one."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api.auth import night_access
from games.api.base import ListView, View
from games.api.fields import Body, PublicId, Shape, Text, Whole
from games.api.nights.nights import INSIDE
from games.api.pagination import Pages
from games.api.schema import described
from games.kernel.contract import Illegal
from games.models import DrawnRound, Night
from games.services.draws import drawn_rounds, drawn_tables
from games.services.draws.drawn_rounds import Limit
from games.services.draws.drawn_tables import DrawnRules, DrawWish, OpenedRound
from games.services.house_rules import sets
from games.services.nights import night_rights

TAG = "tables"
_LARGEST_TABLE, _MOST_TABLES, _MOST_PEOPLE = 10, 50, 200


def _people(**more: Any) -> serializers.ListField:
    return serializers.ListField(child=Whole(min_value=1, max_value=2**53), max_length=_MOST_PEOPLE, **more)


class DrawSerializer(Shape):
    """A proposal as ids of players: the people of each table, larger tables first, and the people without a table."""

    tables = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    over = serializers.ListField(child=serializers.IntegerField())


class RoundTableSerializer(Shape):
    """A table of a round, in the order in which people move up; `people` are the ids of its players."""

    id = serializers.CharField(source="table.public_id")
    number = serializers.IntegerField(source="table.number")
    status = serializers.CharField(source="table.status")
    people = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_people(self, row: Any) -> list[int]:
        """Return the players on the seats, in their order."""
        return [seat.player_id for seat in row.table.seats.all() if seat.player_id is not None]


class RoundSerializer(Shape):
    """A round of drawn tables; it ends after `games` of each table, or with the game that runs at `ends_at`."""

    number = serializers.IntegerField()
    game = serializers.CharField(source="game_id")
    preset = serializers.CharField()
    size = serializers.IntegerField(source="want", help_text="The people at a table; 0: a number of tables was drawn.")
    way = serializers.CharField()
    games = serializers.IntegerField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    is_over = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    tables = serializers.SerializerMethodField()

    @extend_schema_field(RoundTableSerializer(many=True))
    def get_tables(self, row: DrawnRound) -> object:
        """Return the tables, the first one first."""
        found = row.tables.select_related("table").prefetch_related("table__seats").order_by("place")
        return RoundTableSerializer(found, many=True).data


class WishBody(Body):
    """The wish for a draw: either `size` or `tables`. Without `players`, all members here without a seat are drawn."""

    game = Text(max_length=32)
    size = Whole(min_value=2, max_value=_LARGEST_TABLE, required=False, help_text="The people at a table.")
    tables = Whole(min_value=1, max_value=_MOST_TABLES, required=False, help_text="So many tables, equal ones.")
    way = serializers.ChoiceField(drawn_tables.WAYS, required=False)
    players = _people(required=False)
    captains = _people(required=False)


class RoundBody(Body):
    """A round to open: the people of each table as drawn or moved, its house rules, and when it ends."""

    game = Text(max_length=32)
    tables = serializers.ListField(child=_people(), min_length=1, max_length=_MOST_TABLES)
    preset = Text(max_length=32, required=False)
    rules = PublicId(required=False, help_text="The id of a set of house rules.")
    size = Whole(
        min_value=0, max_value=_LARGEST_TABLE, required=False, help_text="As wished for; 0: a number of tables."
    )
    way = serializers.ChoiceField(drawn_tables.WAYS, required=False)
    games = Whole(min_value=1, max_value=drawn_rounds.MOST_GAMES, required=False)
    minutes = Whole(min_value=1, max_value=drawn_rounds.MOST_MINUTES, required=False)


class Draws(View):
    """Proposals of tables for many."""

    @described(
        "drawTables",
        "Draw tables for many, as a proposal (the host)",
        DrawSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_host night_closed practice_night no_such_game nobody_named no_such_player bad_draw "
        "no_round",
        body=WishBody,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Draw; nothing is opened or kept."""
        body = self.body(WishBody)
        night = night_access(request, public_id)
        _check_host(night, self.player())
        _check_game(body["game"])
        if ("size" in body) == ("tables" in body):
            raise Illegal("bad_draw")
        ids = body.get("players", [row.player_id for row in drawn_tables.people(night)])
        way, captains = body.get("way", drawn_tables.WAYS[0]), tuple(body.get("captains", ()))
        wish = DrawWish(body["game"], body.get("size", 0), way, captains, body.get("tables", 0))
        tables, over = drawn_tables.draw_tables(night, wish, list(dict.fromkeys(ids)))
        return Response(DrawSerializer({"tables": tables, "over": over}).data)


class Rounds(ListView):
    """The rounds of drawn tables of a night."""

    queryset = DrawnRound.objects.none()
    serializer_class = RoundSerializer
    pagination_class = Pages

    @described(
        "listRounds",
        "The rounds of drawn tables of a night, the latest first",
        RoundSerializer(many=True),
        tag=TAG,
        codes=f"{INSIDE} not_found",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a page of rounds with their tables."""
        return self.page(DrawnRound.objects.filter(night=night_access(request, public_id)).order_by("-pk"))

    @described(
        "openRound",
        "Open the tables of a round together (the host)",
        RoundSerializer,
        tag=TAG,
        codes=f"{INSIDE} not_host night_closed practice_night too_many_tables no_such_game no_such_preset "
        "no_such_rules no_such_player bad_draw bad_limit sets_only rules_archived rules_broken table_full adults_only",
        body=RoundBody,
        status=201,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Open a table for each group, all of them or none; return the round."""
        body = self.body(RoundBody)
        night, host = night_access(request, public_id), self.player()
        _check_host(night, host)
        _check_game(body["game"])
        limit = Limit(body.get("games"), body.get("minutes"))
        size = body.get("size", max(map(len, body["tables"])))
        if size == 1:
            raise Illegal("bad_draw")
        as_round = OpenedRound(size, body.get("way", drawn_tables.WAYS[0]), limit)
        drawn_tables.open_together(night, host, _rules(body), body["tables"], as_round=as_round)
        return Response(RoundSerializer(drawn_rounds.last(night, body["game"])).data, 201)


def _check_host(night: Night, player: Any) -> None:
    night_rights.check_host(night, player)
    if night.is_practice:
        raise Illegal("practice_night")
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")


def _check_game(game_id: str) -> None:
    if game_id not in plugin.all_games():
        raise Illegal("no_such_game")


def _rules(body: dict[str, Any]) -> DrawnRules:
    """Return the house rules of a round: a set, a variant, or the game's first variant."""
    if "rules" in body:
        found = sets.find(body["rules"])
        return DrawnRules(body["game"], found.preset, found)
    return DrawnRules(body["game"], body.get("preset", plugin.game(body["game"]).options.presets[0].id))
