"""House rules under the present declaration, for pages and the API: variants, sets, versions, tables.

Texts are in the active language; values are complete and valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import Values
from games.models import HouseRules, HouseRulesVersion, Player, Table
from games.services.house_rules import offers
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.cards import Difference, RulesCard, differences, rules_card
from games.services.house_rules.compatibility import Fitted, fitted
from games.services.house_rules.sets import HostsMay, SetKeeper, Status
from games.services.people import name_order


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a game: its words, its complete values (`options`) and its rules card."""

    id: str
    label: str
    blurb: str
    seats: tuple[int, int]
    options: Values
    card: RulesCard


def variants(game: plugin.GameConfig) -> list[Variant]:
    """Return the variants of a game in their order."""
    values = {preset.id: game.options.values(preset.id) for preset in game.options.presets}
    return [
        Variant(
            preset.id,
            gettext_of(game, preset.label),
            gettext_of(game, preset.blurb),
            preset.seats,
            values[preset.id],
            rules_card(game.game_id, preset.id, values[preset.id]),
        )
        for preset in game.options.presets
    ]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set under the present declaration.

    `problems` are codes by option id, `differences` are from its variant.
    """

    rules: HouseRules
    now: Fitted
    problems: Mapping[str, str]
    differences: Sequence[Difference]
    card: RulesCard


def read(rules: HouseRules) -> RuleSet:
    """Return a set under the present declaration; raises Illegal `no_such_game` if its game is gone."""
    now = fitted(rules)
    options = plugin.game(rules.game_id).options
    problems = {key: code for key, (code, _params) in now.problems.items()}
    changed = differences(options, options.values(now.preset.id), now.values)
    return RuleSet(rules, now, problems, changed, card_of(rules, now))


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules on offer for a game: its variants, and the sets that a player may use."""

    config: plugin.GameConfig
    hosts_may: str
    presets: Sequence[Variant]
    sets: Sequence[RuleSet]


def game_rules(game_id: str, player: Player | None = None) -> GameRules:
    """Return the rules that a host (None: anybody) may choose for a game; raises Illegal `no_such_game`."""
    game = plugin.all_games().get(game_id)
    if game is None:
        raise Illegal("no_such_game")
    sets = [read(rules) for rules in offers.on_offer(player, game_id)]
    return GameRules(game, house_rule_sets.policy(game_id), variants(game), sets)


def card_of(stored: HouseRules | HouseRulesVersion, now: Fitted | None = None) -> RulesCard:
    """Return the rules card of a set or of a version of one, under its name."""
    now = now or fitted(stored)
    game_id = (stored if isinstance(stored, HouseRules) else stored.rules).game_id
    return rules_card(game_id, now.preset.id, now.values, stored.name, stored.version)


def visible_set(public_id: str, keeper: SetKeeper) -> HouseRules:
    """Return a set that a keeper may see; raises Illegal `no_such_rules`."""
    rules = house_rule_sets.find(public_id)
    if not house_rule_sets.may_see(keeper, rules):
        raise Illegal("no_such_rules")
    return rules


def visible(keeper: SetKeeper) -> QuerySet[HouseRules]:
    """Return the sets that a keeper sees, the default first: sets on offer to everybody, and the keeper's own."""
    condition = Q(owner__isnull=True)
    if not keeper.is_house:
        condition &= Q(status=Status.ACTIVE) & ~Q(hosts_may=HostsMay.NOTHING)
    if keeper.player is not None:
        condition |= Q(owner=keeper.player)
    return HouseRules.objects.filter(condition).order_by("-is_default", "owner_id", name_order.order("name"), "pk")


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a set: its variant's name (`preset`), and its changes from the version before.

    `old_name` is "" if the name stayed.
    """

    row: HouseRulesVersion
    now: Fitted
    preset: str
    changed: Sequence[Difference]
    old_name: str
    is_first: bool
    is_current: bool


def versions(rules: HouseRules, most: int) -> list[Version]:
    """Return the newest versions of a set, newest first."""
    rows = list(rules.versions.select_related("rules")[: most + 1])
    pairs = zip(rows, [*rows[1:], None], strict=True)
    return [_version(row, before, rules) for row, before in pairs][:most]


def _version(row: HouseRulesVersion, before: HouseRulesVersion | None, rules: HouseRules) -> Version:
    now = fitted(row)
    game = plugin.game(rules.game_id)
    changed = differences(game.options, fitted(before).values, now.values) if before else []
    old_name = before.name if before and before.name != row.name else ""
    is_current = row.version == rules.version
    return Version(row, now, gettext_of(game, now.preset.label), changed, old_name, before is None, is_current)


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules of a table.

    `house_rules` is the rule set at the time of opening, with its present id; `card.mark` is needed to accept.
    """

    table: Table
    house_rules: JsonObject | None
    card: RulesCard


def table_rules(table: Table) -> TableRules:
    """Return the rules of a table."""
    named, rules = offers.set_named(table), table.house_rules
    rule_set = named and {**named, "id": rules.public_id if rules else None}
    return TableRules(table, rule_set, rules_card(table.game_id, table.preset, table.options))
