"""House rules as they read today, for pages and the API: variants, sets, versions, a table's.

Texts are in the active language; values are complete and valid under the game's declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import Preset, Values
from games.models import HouseRules, HouseRulesVersion, Player, Table
from games.services import house_rules, terms
from games.services.cards import Card, Difference, differences, rules_card
from games.services.fitting import Fitted, fitted
from games.services.house_rules import HostsMay, Keeper, Status

MOST_VERSIONS = 50


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a game: its words, its whole values (`options`) and its rules card."""

    game: plugin.GameConfig
    preset: Preset

    @property
    def id(self) -> str:
        """Return the variant's id."""
        return self.preset.id

    @property
    def label(self) -> str:
        """Return the name."""
        return gettext(self.preset.label)

    @property
    def blurb(self) -> str:
        """Return the line under the name."""
        return gettext(self.preset.blurb)

    @property
    def seats(self) -> tuple[int, int]:
        """Return the fewest and the most seats."""
        return self.preset.seats

    @property
    def options(self) -> Values:
        """Return the whole values."""
        return self.game.options.values(self.preset.id)

    @property
    def card(self) -> Card:
        """Return the rules card."""
        return rules_card(self.game.game_id, self.preset.id, self.options)


@dataclass(frozen=True, slots=True)
class PlayableGame:
    """A game, with its variants and the sets on offer to a player (None: to everybody)."""

    config: plugin.GameConfig
    player: Player | None = None

    @property
    def seats(self) -> tuple[int, int]:
        """Return the fewest and the most seats."""
        return self.config.min_seats, self.config.max_seats

    @property
    def has_odds(self) -> bool:
        """Tell whether the game has exact odds."""
        return self.config.odds is not None

    @property
    def hosts_may(self) -> str:
        """Return what hosts may play by (GamePolicy.HostsMay)."""
        return house_rules.policy(self.config.game_id)

    @property
    def presets(self) -> list[Variant]:
        """Return the variants."""
        return [Variant(self.config, preset) for preset in self.config.options.presets]

    @property
    def sets(self) -> list[RuleSet]:
        """Return the sets on offer."""
        return [RuleSet(rules) for rules in terms.on_offer(self.player, self.config.game_id)]


def game_rules(game_id: str, player: Player | None = None) -> PlayableGame:
    """Return what a game can be played by; raises Illegal `no_such_game`."""
    game = plugin.all_games().get(game_id)
    if game is None:
        raise Illegal("no_such_game")
    return PlayableGame(game, player)


@dataclass(frozen=True)
class RuleSet:
    """A set by name, as it reads now; raises Illegal `no_such_game` where the game is gone."""

    rules: HouseRules

    @cached_property
    def now(self) -> Fitted:
        """Return the set under the game's present declaration."""
        return fitted(self.rules)

    @property
    def problems(self) -> Mapping[str, str]:
        """Return option id → code of what the game refuses now."""
        return {key: code for key, (code, _params) in self.now.problems.items()}

    @property
    def differences(self) -> list[Difference]:
        """Return where the set leaves its variant."""
        options = plugin.game(self.rules.game_id).options
        return differences(options, options.values(self.now.preset.id), self.now.values)

    @property
    def card(self) -> Card:
        """Return the rules card."""
        return card_of(self.rules, self.now)


def card_of(stored: HouseRules | HouseRulesVersion, now: Fitted | None = None) -> Card:
    """Return the rules card of a set or of a version of one, under its name."""
    now = now or fitted(stored)
    game_id = (stored if isinstance(stored, HouseRules) else stored.rules).game_id
    return rules_card(game_id, now.preset.id, now.values, stored.name, stored.version)


def visible_set(public_id: str, keeper: Keeper) -> HouseRules:
    """Return a set that a keeper may see; raises Illegal `no_such_rules`."""
    rules = house_rules.find(public_id)
    if not house_rules.may_see(keeper, rules):
        raise Illegal("no_such_rules")
    return rules


def visible(keeper: Keeper) -> QuerySet[HouseRules]:
    """Return the sets that a keeper sees, the default first: those on offer to everybody, and all that are kept."""
    whose = Q(owner__isnull=True)
    if not keeper.is_house:
        whose &= Q(status=Status.ACTIVE) & ~Q(hosts_may=HostsMay.NOTHING)
    if keeper.player is not None:
        whose |= Q(owner=keeper.player)
    return HouseRules.objects.filter(whose).order_by("-is_default", "owner_id", "name", "pk")


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a set, and what it changed of the one before (None for the oldest)."""

    row: HouseRulesVersion
    now: Fitted
    before: HouseRulesVersion | None

    @property
    def preset(self) -> str:
        """Return the variant's name."""
        return gettext(self.now.preset.label)

    @property
    def changed(self) -> Sequence[Difference]:
        """Return what differs from the version before."""
        if self.before is None:
            return ()
        options = plugin.game(self.row.rules.game_id).options
        return differences(options, fitted(self.before).values, self.now.values)

    @property
    def is_first(self) -> bool:
        """Tell whether this is the oldest version."""
        return self.before is None

    @property
    def is_current(self) -> bool:
        """Tell whether the set is at this version."""
        return self.row.version == self.row.rules.version

    @property
    def old_name(self) -> str:
        """Return the name before; "" where it stayed."""
        return "" if self.before is None or self.before.name == self.row.name else self.before.name


def versions(rules: HouseRules, most: int) -> list[Version]:
    """Return the newest versions of a set, newest first."""
    rows = list(rules.versions.select_related("rules")[: most + 1])
    pairs = zip(rows, [*rows[1:], None], strict=True)
    return [Version(row, fitted(row), before) for row, before in pairs][:most]


@dataclass(frozen=True, slots=True)
class TableRules:
    """What a table is played by; `card.mark` goes with the acceptance of the card."""

    table: Table
    card: Card

    @property
    def house_rules(self) -> JsonObject | None:
        """Return name and version of the set as the table was opened under it, and its id today."""
        named, rules = terms.set_named(self.table), self.table.house_rules
        return named and {**named, "id": rules.public_id if rules else None}


def of_table(table: Table) -> TableRules:
    """Return what a table is played by."""
    return TableRules(table, rules_card(table.game_id, table.preset, table.options))
