"""Game clocks that can be put in at a running table, as house rules and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import CLOCK, JsonObject
from games.models import Table
from games.services.tables import log


def offered(table: Table) -> list[tuple[JsonObject, str]]:
    """Return the house rules of the clocks that the host may put in now, each with its values in words."""
    if table.status != Table.Status.PLAYING:
        return []
    game = plugin.game(table.game_id)
    listed = next((c.options for c in game.rules.choices(log.state_of(table), None) if c.name == CLOCK), ())
    return [(rules, _in_words(game, rules)) for rules in listed]


def choices(table: Table) -> list[list[tuple[str, str]]]:
    """Return the values of each of these house rules, kind and effect, with their labels: two choices of a form."""
    game, listed = plugin.game(table.game_id), [rules for rules, _words in offered(table)]
    found = []
    for rule in listed[0] if listed else ():
        values = list(dict.fromkeys(rules[rule] for rules in listed))
        found.append([(value, _in_words(game, {rule: value})) for value in values])
    return found


def _in_words(game: plugin.GameConfig, rules: Mapping[str, Any]) -> str:
    """Return chosen values of house rules as their labels."""
    labels = {rule: {pick.id: pick.label for pick in getattr(game.options[rule], "picks", ())} for rule in rules}
    return " · ".join(gettext_of(game, labels[rule][value]) for rule, value in rules.items())
