"""The tables of a night, and opening one."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api.auth import night_access, table_access
from games.api.base import ListView
from games.api.errors import BadOptions
from games.api.fields import Body, PublicId, Shape, Text, Value, Whole
from games.api.nights.nights import INSIDE
from games.api.pagination import Pages
from games.api.schema import described
from games.api.tables.tables import NamedSetSerializer, TableSerializer, table_json
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors
from games.models import HouseRules, Night, Player, Table
from games.services.house_rules import offers, sets
from games.services.tables import setup


class RowSeatSerializer(Shape):
    """A seat in a list of tables."""

    id = serializers.CharField(source="seat_id")
    seat = serializers.IntegerField(source="index")
    name = serializers.CharField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    bot = serializers.CharField(source="bot_level", allow_blank=True)


class TableRowSerializer(Shape):
    """A table in a list."""

    id = serializers.CharField(source="public_id")
    night = serializers.CharField(source="night.public_id")
    number = serializers.IntegerField()
    game = serializers.CharField(source="game_id")
    preset = serializers.CharField()
    house_rules = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Table.Status.values)
    seats = RowSeatSerializer(many=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    url = serializers.SerializerMethodField()

    @extend_schema_field(NamedSetSerializer(allow_null=True))
    def get_house_rules(self, table: Table) -> object:
        """Return the name and version of the rule set; None without one."""
        return offers.set_named(table)

    def get_url(self, table: Table) -> str:
        """Return the address of the table's page."""
        return reverse("table", args=[table.public_id])


class OpenBody(Body):
    """The house rules of the table: a variant or a rule set, with changes to it.

    Without either: the house's default for the game, else the first variant.
    """

    game = Text(max_length=32)
    preset = Text(max_length=32, required=False)
    rules = PublicId(required=False, help_text="The id of a set of house rules.")
    version = Whole(
        min_value=1,
        max_value=1_000_000,
        required=False,
        help_text="The version of the set that was seen: another one is refused.",
    )
    options = serializers.DictField(
        child=Value(),
        required=False,
        help_text="Changes, by option; GET /api/v1/games/ has each game's schema.",
    )


class NightTables(ListView):
    """The tables of a night."""

    queryset = Table.objects.none()
    serializer_class = TableRowSerializer
    pagination_class = Pages

    @described(
        "listTables",
        "The tables of a night, the newest first",
        TableRowSerializer(many=True),
        tag="tables",
        codes=f"{INSIDE} not_found",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return a page of tables with their seats."""
        night = night_access(request, public_id)
        rows = Table.objects.filter(night=night, archived_at=None).select_related("night").defer("state", "options")
        return self.page(rows.prefetch_related("seats").order_by("-number"))

    @described(
        "openTable",
        "Open a table (the host)",
        TableSerializer,
        tag="tables",
        codes=f"{INSIDE} not_host night_closed too_many_tables no_such_game no_such_preset no_such_rules "
        "sets_only rules_archived rules_moved_on rules_broken rules_fixed bad_options",
        body=OpenBody,
        status=201,
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Open a table; return it."""
        body = self.body(OpenBody)
        player = self.player()
        table = _open(night_access(request, public_id), player, body)
        return Response(table_json(table_access(request, table.public_id)), 201)


def _open(night: Night, player: Player, body: dict[str, Any]) -> Table:
    """Open a table; raises Illegal, BadOptions."""
    game_id = body["game"]
    if game_id not in plugin.all_games():
        raise Illegal("no_such_game")
    rules = _rules(game_id, body)
    first = plugin.game(game_id).options.presets[0].id
    preset = body.get("preset", first)
    chosen: offers.Chosen = {"rules": rules, "version": body.get("version")}
    try:
        changes = body.get("options", {})
        return setup.open_table(night, player, game_id, preset, changes, **chosen)
    except OptionErrors as refusal:
        raise BadOptions(game_id, refusal) from None


def _rules(game_id: str, body: dict[str, Any]) -> HouseRules | None:
    """Return the rule set asked for; the game's default if neither set nor preset is given, else None."""
    if "rules" in body:
        return sets.find(body["rules"])
    return None if "preset" in body else offers.default_of(game_id)
