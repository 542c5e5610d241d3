"""The starting values of a table's form of house rules: from a set on offer, a preset, or the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import Preset, Values
from games.models import GamePolicy, HouseRules, Player, Series, Table
from games.row_ids import number
from games.services.house_rules import offers
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.compatibility import fit, fitted
from games.web.errors import refusal_text
from games.web.house_rules.editor import preset_cards, preset_of
from games.web.house_rules.options_form import PREFIX, OptionsForm
from games.web.house_rules.set_notes import set_summary, stored_faults


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """The starting point of a form. `rules` and `version` are the set's, None for a preset.

    `base` are the values that it shows first, `stored_faults` their errors by option id; `locked` says why nothing may
    be changed, "" if changes are allowed.
    """

    game: plugin.GameConfig
    preset: Preset
    base: Values
    rules: HouseRules | None = None
    version: int | None = None
    name: str = ""
    locked: str = ""
    stored_faults: dict[str, str] | None = None

    def form(self, data: QueryDict | None = None) -> OptionsForm:
        """Return the form; a locked one ignores values that are sent with it."""
        if self.locked and data is not None and not any(key.startswith(PREFIX) for key in data):
            data = None
        options = self.game.options
        return OptionsForm(options, options.values(self.preset.id), self.base, data, stored_faults=self.stored_faults)

    def renewed(self) -> StartingPoint:
        """Return the same set with its current values."""
        return self if self.rules is None else _of_set(self.game, self.rules, self.rules.version)

    @property
    def chosen(self) -> offers.Chosen:
        """Return the set as arguments of the services."""
        return {"rules": self.rules, "version": self.version}


def start_of(
    request: HttpRequest,
    game: plugin.GameConfig,
    host: Player,
    table: Table | None = None,
    series: Series | None = None,
) -> StartingPoint | None:
    """Return the start that the request asks for, else that of the table, of the series, or the house's first choice.

    None if the house allows only its own sets and has none. Raises Illegal `no_such_rules`, `rules_archived`,
    `no_such_preset`, `sets_only`.
    """
    sent = request.POST if request.method == "POST" else request.GET
    if public_id := sent.get("rules", ""):
        return _of_named_set(sent, game, host, public_id, table)
    if "preset" in sent and (table is None or table.house_rules or sent["preset"] != table.preset):
        preset = preset_of(game, sent["preset"])
        offers.check_anything(game.game_id)
        return StartingPoint(game, preset, game.options.values(preset.id))
    if table is not None:
        return _of_table(game, table)
    return (_of_series(game, host, series) if series is not None else None) or _first(game, host)


def _of_series(game: plugin.GameConfig, host: Player, series: Series) -> StartingPoint | None:
    """Return the start of a series; None if it has none for a game, or if the house does not allow it any more."""
    if series.game_id != game.game_id:
        return None
    if series.house_rules is not None:
        is_on_offer = series.house_rules in offers.on_offer(host, game.game_id)
        return _of_set(game, series.house_rules, series.house_rules.version) if is_on_offer else None
    is_free = house_rule_sets.policy(game.game_id) == GamePolicy.HostsMay.ANYTHING
    if not series.preset or not is_free:
        return None
    now = fit(game.options, series.preset, series.options)
    return StartingPoint(game, now.preset, now.values)


def _of_named_set(
    sent: QueryDict, game: plugin.GameConfig, host: Player, public_id: str, table: Table | None
) -> StartingPoint:
    """Return the start of the set that the request names; the table's own set keeps the table's version."""
    rules = house_rule_sets.find(public_id)
    had = (table.house_rules, str(table.house_rules_version)) if table is not None else None
    if table is not None and had == (rules, sent.get("version")):
        return _of_table(game, table)
    offers.check_offer(host, game.game_id, rules)
    seen_version = number(sent.get("version", ""))
    return _of_set(game, rules, rules.version if seen_version is None else seen_version)


def _of_set(game: plugin.GameConfig, rules: HouseRules, version: int) -> StartingPoint:
    """Return the start of a set with its current values."""
    now = fitted(rules)
    faults = stored_faults(game.options, now)
    locked = _locked(rules, rules.name)
    return StartingPoint(game, now.preset, now.values, rules, version, rules.name, locked, faults)


def _of_table(game: plugin.GameConfig, table: Table) -> StartingPoint:
    """Return the start of a waiting table."""
    now = fit(game.options, table.preset, table.options)
    rules, name = table.house_rules, table.house_rules_name
    locked = _locked(rules, name) if rules else ""
    return StartingPoint(game, now.preset, now.values, rules, table.house_rules_version, name, locked)


def _locked(rules: HouseRules, name: str) -> str:
    """Return why a set may not be changed at a table, "" if it may."""
    return refusal_text(Illegal("rules_fixed", name=name)) if offers.is_fixed(rules) else ""


def _first(game: plugin.GameConfig, host: Player) -> StartingPoint | None:
    """Return the house's default, else the first variant, or the first set if only sets may be played."""
    offered = offers.on_offer(host, game.game_id)
    is_free = house_rule_sets.policy(game.game_id) == GamePolicy.HostsMay.ANYTHING
    if offered and (offered[0].is_default or not is_free):
        return _of_set(game, offered[0], offered[0].version)
    preset = game.options.presets[0]
    return StartingPoint(game, preset, game.options.values(preset.id)) if is_free else None


def on_offer(game: plugin.GameConfig, host: Player, start: StartingPoint | None) -> dict[str, Any]:
    """Return the choices of the page: the house's sets, the host's own, the variants."""
    rules = start.rules if start else None
    sets = [(set_summary(one), one == rules) for one in offers.on_offer(host, game.game_id)]
    is_free = house_rule_sets.policy(game.game_id) == GamePolicy.HostsMay.ANYTHING
    chosen = start.preset if start and rules is None else None
    return {
        "house_sets": [pair for pair in sets if pair[0].rules.is_of_the_house],
        "own_sets": [pair for pair in sets if not pair[0].rules.is_of_the_house],
        "presets": preset_cards(game, chosen) if is_free else [],
        "sets_only": not is_free,
    }
