"""Games: variants, house rules, the schema of their options, exact odds."""

from __future__ import annotations

from typing import ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api import filters
from games.api.base import View
from games.api.fields import FixedWord, Json, PublicId, Query, Shape
from games.api.house_rules.sets import Bounds, CardedPresetSerializer, HouseRulesSerializer, PresetSerializer
from games.api.schema import described
from games.kernel.contract import Illegal
from games.kernel.json.schemas import choice_schemas, event_schemas, view_schema
from games.kernel.options import Values
from games.models import GamePolicy
from games.services.house_rules import descriptions
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.compatibility import fitted

TAG = "games"


class GameSerializer(Shape):
    """A game; `schema` is the JSON schema of complete house rules, `bots` are the levels on offer here."""

    id = serializers.CharField(source="config.game_id")
    title = serializers.CharField(source="config.title")
    tagline = serializers.CharField(source="config.tagline", allow_blank=True)
    seats = Bounds(source="config")
    bots = serializers.DictField(source="config.offered_levels", child=serializers.CharField())
    units = serializers.DictField(source="config.units", child=serializers.CharField())
    stats = serializers.DictField(source="config.stat_labels", child=serializers.CharField())
    lower_is_better = serializers.BooleanField(source="config.lower_is_better")
    odds = serializers.BooleanField()
    presets = PresetSerializer(many=True)
    schema = Json(source="config.options.json_schema")


class GamesSerializer(Shape):
    """The games of the house."""

    games = GameSerializer(many=True)


class GameRulesSerializer(Shape):
    """The house rules on offer for a game."""

    game = serializers.CharField(source="config.game_id")
    hosts_may = serializers.ChoiceField(GamePolicy.HostsMay.values)
    schema = Json(source="config.options.json_schema")
    presets = CardedPresetSerializer(many=True)
    sets = HouseRulesSerializer(many=True)


class EventKindSerializer(Shape):
    """A kind of event of a game: its newest version, and the JSON schema of its `data` in that version."""

    type = serializers.CharField()
    version = serializers.IntegerField()
    schema = Json()


class EventKindsSerializer(Shape):
    """The events of a game."""

    game = serializers.CharField()
    events = EventKindSerializer(many=True)


class ChoiceKindSerializer(Shape):
    """A choice of a game by its name, with the JSON schema of the choice as it is sent."""

    name = serializers.CharField()
    schema = Json()


class ViewSerializer(Shape):
    """The JSON schemas of the view of a game's tables (null: its shape is not declared), and of its choices."""

    game = serializers.CharField()
    view = Json(allow_null=True)
    choices = ChoiceKindSerializer(many=True)


class ChanceSerializer(Shape):
    """An exact chance: its subject (`about`), its case, and its value as a fraction and a decimal."""

    about = serializers.CharField()
    case = Json()
    num = serializers.IntegerField(source="chance.numerator")
    den = serializers.IntegerField(source="chance.denominator")
    decimal = serializers.FloatField(source="chance")


class OddsSerializer(Shape):
    """Exact odds under house rules; `about` names the subject of each chance in words."""

    game = serializers.CharField()
    preset = serializers.CharField()
    about = serializers.DictField(child=serializers.CharField())
    chances = ChanceSerializer(many=True)


class Games(View):
    """The games of the house."""

    @described(
        "listGames",
        "The games, their variants and the JSON schema of their house rules",
        GamesSerializer,
        tag=TAG,
    )
    def get(self, request: Request) -> Response:
        """List the games: titles, presets, and the JSON schema of their house rules."""
        games = [
            {"config": game, "odds": game.odds is not None, "presets": descriptions.variants(game)}
            for game in plugin.all_games().values()
        ]
        return Response(GamesSerializer({"games": games}).data)


class GameRules(View):
    """The house rules on offer for a game."""

    @described(
        "getGameRules",
        "The variants of a game and the sets on offer, in values and in words",
        GameRulesSerializer,
        tag=TAG,
        codes="no_such_game",
        description="The rules cards are in the language of `Accept-Language`. "
        "A host's own sets are told to that host.",
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Return a game's variants, the sets on offer and the schema, with their rules cards."""
        return Response(GameRulesSerializer(descriptions.game_rules(game_id, self.asker.player)).data)


class Events(View):
    """The events of a game."""

    @described(
        "getGameEvents",
        "The kinds of events in the logs of a game's tables, with the JSON schema of their data",
        EventKindsSerializer,
        tag=TAG,
        codes="no_such_game",
        description="Older logs may have older versions of an event; an event that not everybody may read comes to "
        "others without its data.",
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Return the schema of each kind of event."""
        game = plugin.all_games().get(game_id)
        if game is None:
            raise Illegal("no_such_game")
        kinds = game.rules.events.kinds
        found = [
            {"type": name, "version": kinds[name].version, "schema": schema}
            for name, schema in event_schemas(game.rules.events).items()
        ]
        return Response(EventKindsSerializer({"game": game_id, "events": found}).data)


class SentShapes(View):
    """The view and the choices of a game."""

    @described(
        "getGameView",
        "The JSON schemas of the view of a game's tables and of its choices",
        ViewSerializer,
        tag=TAG,
        codes="no_such_game",
        description="As in the `state` of a table. Of a game that does not declare these shapes there are none.",
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Return the schemas of the view and of each choice."""
        game = plugin.all_games().get(game_id)
        if game is None:
            raise Illegal("no_such_game")
        choices = [{"name": name, "schema": schema} for name, schema in choice_schemas(game.rules).items()]
        return Response(ViewSerializer({"game": game_id, "view": view_schema(game.rules), "choices": choices}).data)


class OddsQuery(Query):
    """The house rules for the odds: a variant, or a rule set."""

    preset = FixedWord(filters.presets(), required=False)
    rules = PublicId(required=False, help_text="The id of a set of house rules.")


class Odds(View):
    """The exact odds of a game."""

    queries: ClassVar = {"GET": OddsQuery}

    @described(
        "getOdds",
        "Exact odds, as the rules page shows them",
        OddsSerializer,
        tag=TAG,
        codes="no_such_game no_odds no_such_preset no_such_rules",
        query=OddsQuery,
        description="Under a variant or a set of house rules; without either under the first variant. "
        "`games` says by `odds` which games have them.",
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Return a game's chances as fractions and decimals."""
        game = plugin.all_games().get(game_id)
        if game is None:
            raise Illegal("no_such_game")
        if game.odds is None:
            raise Illegal("no_odds")
        preset, values = self._rules(game)
        found = {"game": game_id, "preset": preset, "about": game.odds_labels, "chances": game.odds(values)}
        return Response(OddsSerializer(found).data)

    def _rules(self, game: plugin.GameConfig) -> tuple[str, Values]:
        """Return the preset and values asked for; raises Illegal `no_such_rules`, `no_such_preset` and as
        `visible_set`.
        """
        if "rules" in self.query:
            rules = descriptions.visible_set(self.query["rules"], self.asker.keeper)
            if rules.game_id != game.game_id:
                raise Illegal("no_such_rules")
            now = fitted(rules)
            return now.preset.id, now.values
        preset = self.query.get("preset", game.options.presets[0].id)
        return preset, house_rule_sets.complete(game.game_id, preset, {})
