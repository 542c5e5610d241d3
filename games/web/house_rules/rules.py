"""The rules pages: a game's own, or one made from its declaration."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import texts_of
from games.services.house_rules.cards import RulesCard, cell, rules_card
from games.web.errors import pages_refusals


@require_http_methods(["GET", "HEAD"])
def index(request: HttpRequest) -> HttpResponse:
    """List the games with their rules."""
    return render(request, "house_rules/rules_index.html", {"games": plugin.all_games().values()})


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def rules(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the rules of a game: its own template, or the page made from its declaration."""
    game = plugin.game(game_id)
    # Made only for the first reader: the templates keep what they make of both.
    context = {
        "game": game,
        "cards": SimpleLazyObject(partial(_cards, game)),
        "comparison": SimpleLazyObject(partial(comparison, game)),
    }
    with texts_of(game if game.rules_template else None):
        return render(request, game.rules_template or "house_rules/rules.html", context)


def _cards(game: plugin.GameConfig) -> list[RulesCard]:
    """Return the rules card of each preset."""
    return [rules_card(game.game_id, preset.id, game.options.values(preset.id)) for preset in game.options.presets]


def comparison(game: plugin.GameConfig) -> dict[str, Any]:
    """Return the presets side by side: {"presets": names, "groups": [(name, rows)]}.

    A row is {"label", "values", "differs"}; a value "" stands for an option without effect.
    """
    options = game.options
    values = [options.values(preset.id) for preset in options.presets]
    groups: dict[str, list[dict[str, Any]]] = {}
    with texts_of(game):
        for option in options.options:
            cells = [cell(options, option, one) for one in values]
            row = {"label": gettext(option.label), "values": cells, "differs": len(set(cells)) > 1}
            groups.setdefault(gettext(option.group) if option.group else "", []).append(row)
        return {"presets": [gettext(p.label) for p in options.presets], "groups": list(groups.items())}
