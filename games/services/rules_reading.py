"""House rules as plain dicts, for the API: a game's variants and sets, with their cards.

Texts are in the active language. `differences` are where the rules leave their variant.
"""

from __future__ import annotations

from dataclasses import asdict

from django.db.models import Q, QuerySet

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import Preset
from games.models import HouseRules, HouseRulesVersion, Player, Table
from games.services import house_rules, terms
from games.services.cards import differences, rules_card
from games.services.fitting import fitted
from games.services.house_rules import HostsMay, Keeper, Status

MOST_VERSIONS = 50


def game_rules(game_id: str, player: Player | None = None) -> JsonObject:
    """Return what a game can be played by: variants, the house's sets and the player's own.

    Raises Illegal `no_such_game`.
    """
    try:
        game = plugin.game(game_id)
    except plugin.UnknownGame:
        raise Illegal("no_such_game") from None
    return {
        "game": game_id,
        "hosts_may": house_rules.policy(game_id),
        "schema": game.options.json_schema(),
        "presets": [_preset_json(game, preset) for preset in game.options.presets],
        "sets": [set_json(rules) for rules in terms.on_offer(player, game_id)],
    }


def _preset_json(game: plugin.GameConfig, preset: Preset) -> JsonObject:
    """Return a variant with its values and its card."""
    values = game.options.values(preset.id)
    return {
        "id": preset.id,
        "label": gettext_of(game, preset.label),
        "blurb": gettext_of(game, preset.blurb),
        "seats": list(preset.seats),
        "options": values,
        "card": rules_card(game.game_id, preset.id, values).to_json(),
    }


def set_json(rules: HouseRules) -> JsonObject:
    """Return a set as it reads under the present declaration; raises `no_such_game`."""
    now = fitted(rules)
    options = plugin.game(rules.game_id).options
    changed = differences(options, options.values(now.preset.id), now.values)
    card = rules_card(rules.game_id, now.preset.id, now.values, rules.name, rules.version)
    return {
        "id": rules.public_id,
        "game": rules.game_id,
        "name": rules.name,
        "version": rules.version,
        "of_the_house": rules.is_of_the_house,
        "default": rules.is_default,
        "hosts_may": rules.hosts_may,
        "status": rules.status,
        "preset": now.preset.id,
        "options": now.values,
        "sound": now.is_sound,
        "problems": {key: code for key, (code, _params) in now.problems.items()},
        "differences": [asdict(one) for one in changed],
        "card": card.to_json(),
        "updated_at": rules.updated_at.isoformat(),
    }


def one_set(public_id: str, keeper: Keeper) -> JsonObject:
    """Return a set that a keeper may see; raises Illegal `no_such_rules`, `no_such_game`."""
    return set_json(_visible_set(public_id, keeper))


def _visible_set(public_id: str, keeper: Keeper) -> HouseRules:
    rules = house_rules.find(public_id)
    if not house_rules.may_see(keeper, rules):
        raise Illegal("no_such_rules")
    return rules


def visible(keeper: Keeper) -> QuerySet[HouseRules]:
    """Return the sets that a keeper sees: those on offer to everybody, and all that are kept."""
    whose = Q(owner__isnull=True)
    if not keeper.is_house:
        whose &= Q(status=Status.ACTIVE) & ~Q(hosts_may=HostsMay.NOTHING)
    if keeper.player is not None:
        whose |= Q(owner=keeper.player)
    return HouseRules.objects.filter(whose)


def versions(public_id: str, keeper: Keeper) -> list[JsonObject]:
    """Return the newest versions of a set, newest first, to its keeper.

    Raises Illegal as `one_set`, and `not_your_rules`.
    """
    rules = _visible_set(public_id, keeper)
    house_rules.check_keeper(keeper, rules)
    rows = list(rules.versions.select_related("rules")[: MOST_VERSIONS + 1])
    pairs = zip(rows, [*rows[1:], None], strict=True)
    return [_version_json(row, before) for row, before in pairs][:MOST_VERSIONS]


def _version_json(row: HouseRulesVersion, before: HouseRulesVersion | None) -> JsonObject:
    """Return a version, and what it changed of the one before."""
    now = fitted(row)
    options = plugin.game(row.rules.game_id).options
    changed = differences(options, fitted(before).values, now.values) if before else []
    return {
        "version": row.version,
        "name": row.name,
        "preset": now.preset.id,
        "options": now.values,
        "changed": [asdict(one) for one in changed],
        "by": row.by_name,
        "created_at": row.created_at.isoformat(),
    }


def of_table(table: Table) -> JsonObject:
    """Return what a table is played by, with its card and the mark that accepts it."""
    card = rules_card(table.game_id, table.preset, table.options)
    named, rules = terms.set_named(table), table.house_rules
    return {
        "game": table.game_id,
        "preset": table.preset,
        "house_rules": named and {**named, "id": rules.public_id if rules else None},
        "options": table.options,
        "mark": card.mark,
        "card": card.to_json(),
    }
