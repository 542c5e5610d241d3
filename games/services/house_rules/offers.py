"""Offers: the house rules under which a host may open a table, and the rule sets on offer to hosts.

A table's terms are a preset with complete values, and the rule set that they come from,
if any. They are copied into the table: later changes of the set do not affect it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from django.db.models import Q

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.options import OptionErrors, Values
from games.models import GamePolicy, HouseRules, Player, Table, Tournament
from games.services.house_rules import sets
from games.services.house_rules.compatibility import fitted
from games.services.house_rules.sets import HostsMay, Status
from games.services.people import name_order
from games.services.point_values import own_values

TABLE_FIELDS = (
    "preset", "options", "house_rules", "house_rules_name", "house_rules_version",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules of a table; `name` and `version` are the set's at that time."""

    preset: str
    options: Values
    rules: HouseRules | None = None
    name: str = ""
    version: int | None = None

    def fields(self) -> dict[str, Any]:
        """Return the terms as fields of a table."""
        values = self.preset, self.options, self.rules, self.name, self.version
        return dict(zip(TABLE_FIELDS, values, strict=True))

    def apply(self, table: Table) -> None:
        """Set the terms on a table, which is not saved."""
        for name, value in self.fields().items():
            setattr(table, name, value)


class Chosen(TypedDict, total=False):
    """The set that a host chose, and the version that the host saw (None: any)."""

    rules: HouseRules | None
    version: int | None


def set_named(table: Table) -> JsonObject | None:
    """Return the set that a table was opened under, as the log stores it; None without one."""
    if not table.house_rules_name:
        return None
    return {"name": table.house_rules_name, "version": table.house_rules_version}


def table_offer(table: Table | Tournament) -> Terms:
    """Return the terms of a table, or of the tables of a tournament."""
    return Terms(*(getattr(table, name) for name in TABLE_FIELDS))


def agree(
    host: Player,
    game_id: str,
    preset: str,
    changes: Mapping[str, Any],
    **chosen: Unpack[Chosen],
) -> Terms:
    """Return the terms of a new table: a preset with changes, or a set with changes.

    Raises Illegal `no_such_game`, `no_such_preset`, `sets_only` (the house allows only its own
    sets), `no_such_rules`, `rules_archived`, `rules_moved_on` (the set has another version
    by now), `rules_broken`, `rules_fixed` (the set may not be changed), and as `limits.check`; OptionErrors.
    """
    rules = chosen.get("rules")
    if rules is None:
        values = sets.complete(game_id, preset, changes)
        check_anything(game_id)
        own_values.check_limits(game_id, values)
        return Terms(preset, values)
    check_offer(host, game_id, rules)
    if chosen.get("version") not in {None, rules.version}:
        raise Illegal("rules_moved_on")
    return _of_set(rules, changes)


def _of_set(rules: HouseRules, changes: Mapping[str, Any]) -> Terms:
    """Return the terms of a set with changes."""
    now = fitted(rules)
    if not now.is_sound and (is_fixed(rules) or not changes):
        raise Illegal("rules_broken", name=rules.name)
    values = sets.complete(rules.game_id, now.preset.id, {**now.values, **changes})
    if is_fixed(rules) and values != now.values:
        raise Illegal("rules_fixed", name=rules.name)
    own_values.check_limits(rules.game_id, values)
    return Terms(now.preset.id, values, rules, rules.name, rules.version)


def agree_anew(
    table: Table,
    host: Player,
    preset: str,
    changes: Mapping[str, Any],
    **chosen: Unpack[Chosen],
) -> Terms:
    """Return the terms of a waiting table with other rules or changes; raises as `agree`.

    A table that stays under its set and version keeps both, even if the set has since been changed or
    archived.
    """
    rules, standing = chosen.get("rules"), table_offer(table)
    is_kept = rules is not None and (rules, chosen.get("version")) == (
        standing.rules,
        standing.version,
    )
    if rules is None or not is_kept:
        return agree(host, table.game_id, preset, changes, **chosen)
    values = sets.complete(table.game_id, table.preset, {**table.options, **changes})
    if is_fixed(rules) and values != table.options:
        raise Illegal("rules_fixed", name=standing.name)
    own_values.check_limits(table.game_id, values)
    return replace(standing, options=values)


def check_anything(game_id: str) -> None:
    """Raise Illegal `sets_only` if the house allows only its own sets."""
    if sets.policy(game_id) == GamePolicy.HostsMay.SETS_ONLY:
        raise Illegal("sets_only")


def check_offer(host: Player, game_id: str, rules: HouseRules) -> None:
    """Raise Illegal unless a host may open a table of the game under a set."""
    is_own = rules.owner_id == host.pk
    is_offered = rules.is_of_the_house and rules.hosts_may != HostsMay.NOTHING
    if rules.game_id != game_id or not (is_own or is_offered):
        raise Illegal("no_such_rules")
    if rules.status == Status.ARCHIVED:
        raise Illegal("rules_archived")
    if is_own:
        check_anything(game_id)


def first_choice(host: Player, game_id: str) -> Terms | None:
    """Return the terms that a new table has where nobody chooses: the house's default, else the first variant.

    None if the house allows only its own sets and has none, or none that is sound.
    """
    offered, options = on_offer(host, game_id), plugin.game(game_id).options
    is_free = sets.policy(game_id) == GamePolicy.HostsMay.ANYTHING
    try:
        if offered and (offered[0].is_default or not is_free):
            return agree(host, game_id, "", {}, rules=offered[0])
        return agree(host, game_id, options.presets[0].id, {}) if is_free else None
    except (Illegal, OptionErrors):
        return None


def is_fixed(rules: HouseRules) -> bool:
    """Tell whether hosts may use a set only unchanged."""
    return rules.is_of_the_house and rules.hosts_may != HostsMay.CHANGE


def on_offer(host: Player | None, game_id: str) -> list[HouseRules]:
    """Return the sets under which a host may open a table.

    The house's sets come first, the default at their head, then the host's own, unless the
    house allows only its own sets.
    """
    condition = Q(owner__isnull=True) & ~Q(hosts_may=HostsMay.NOTHING)
    if host is not None and sets.policy(game_id) == GamePolicy.HostsMay.ANYTHING:
        condition |= Q(owner=host)
    found = HouseRules.objects.filter(condition, game_id=game_id, status=Status.ACTIVE)
    return sorted(found, key=lambda r: (not r.is_of_the_house, not r.is_default, name_order.key(r.name)))


def default_of(game_id: str) -> HouseRules | None:
    """Return the default set for new tables of a game, or None."""
    return HouseRules.objects.filter(game_id=game_id, is_default=True).first()
