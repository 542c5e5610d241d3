"""Games: variants, house rules, the schema of their options, exact odds."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api import filters
from games.api.base import View
from games.api.described import described
from games.api.shapes_rules import GameRulesSerializer, GamesSerializer, OddsSerializer
from games.api.strict import Pick, PublicId, Query
from games.game_texts import gettext_of
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import Values
from games.services import house_rules, rules_reading

TAG = "games"


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
        return Response({"games": [_game_json(game) for game in plugin.all_games().values()]})


def _game_json(game: plugin.GameConfig) -> JsonObject:
    presets = [
        {
            "id": preset.id,
            "label": gettext_of(game, preset.label),
            "seats": list(preset.seats),
            "options": game.options.values(preset.id),
        }
        for preset in game.options.presets
    ]
    return {
        "id": game.game_id,
        "title": str(game.title),
        "tagline": str(game.tagline),
        "seats": [game.min_seats, game.max_seats],
        "bots": {level: str(label) for level, label in game.bot_levels.items()},
        "units": {unit: str(label) for unit, label in game.units.items()},
        "stats": {name: str(label) for name, label in game.stat_labels.items()},
        "lower_is_better": game.lower_is_better,
        "odds": game.odds is not None,
        "presets": presets,
        "schema": game.options.json_schema(),
    }


class GameRules(View):
    """What a game can be played by."""

    @described(
        "getGameRules",
        "The variants of a game and the sets on offer, in values and in words",
        GameRulesSerializer,
        tag=TAG,
        codes="no_such_game",
        told="The rules cards are in the language of `Accept-Language`. A host's own sets are told to that host.",
    )
    def get(self, request: Request, game_id: str) -> Response:
        """Return a game's variants, the sets on offer and the schema, with their rules cards."""
        return Response(rules_reading.game_rules(game_id, self.asker.player))


class OddsQuery(Query):
    """Under which house rules the odds are asked for: a variant, or a set."""

    preset = Pick(filters.presets(), required=False)
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
        told="Under a variant or a set of house rules; without either under the first variant. "
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
        return Response(
            {
                "game": game_id,
                "preset": preset,
                "about": {what: str(label) for what, label in game.odds_labels.items()},
                "chances": [told.to_json() for told in game.odds(values)],
            }
        )

    def _rules(self, game: plugin.GameConfig) -> tuple[str, Values]:
        """Return the variant and the values asked for; raises `no_such_rules` and more."""
        if "rules" in self.query:
            found = rules_reading.one_set(self.query["rules"], self.asker.keeper)
            if found["game"] != game.game_id:
                raise Illegal("no_such_rules")
            return found["preset"], found["options"]
        preset = self.query.get("preset", game.options.presets[0].id)
        return preset, house_rules.complete(game.game_id, preset, {})
