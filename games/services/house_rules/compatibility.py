"""Stored rule sets under the game's present declaration, which may have changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games import plugin
from games.kernel.options import OptionErrors, OptionSet, Preset, Values
from games.models import HouseRules, HouseRulesVersion

Problems = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Option id → code and params of the error in its value."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Stored values under the present declaration. `values` are complete and valid.

    `added` options did not exist when the set was stored and have their variant's value; `dropped` ones are
    no longer declared. `problems` are stored values that are refused now: `values` has the variant's own values
    instead, `stored` keeps the stored ones. `lost_preset` is the stored variant if it no longer exists, else "".
    """

    preset: Preset
    values: Values
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    problems: Problems = field(default_factory=dict)
    stored: Mapping[str, Any] = field(default_factory=dict)
    lost_preset: str = ""

    @property
    def is_sound(self) -> bool:
        """Tell whether a table can be opened under the set as it is stored."""
        return not self.problems


def fitted(stored: HouseRules | HouseRulesVersion) -> Fitted:
    """Return a stored set, or a version of one, under the present declaration; raises `no_such_game`."""
    rules = stored.rules if isinstance(stored, HouseRulesVersion) else stored
    return fit(plugin.game(rules.game_id).options, stored.preset, stored.options)


def fit(options: OptionSet, preset_id: str, stored: Mapping[str, Any]) -> Fitted:
    """Return stored values of a preset under a declaration."""
    ids = [option.id for option in options.options]
    presets = {p.id: p for p in options.presets}
    preset = presets.get(preset_id, options.presets[0])
    base = options.values(preset.id)
    kept = {key: value for key, value in stored.items() if key in base}
    values, problems = _valid(options, base, base | kept)
    return Fitted(
        preset=preset,
        values=values,
        added=tuple(key for key in ids if key not in stored),
        dropped=tuple(key for key in stored if key not in base),
        problems=problems,
        stored=stored,
        lost_preset="" if preset_id in presets else preset_id,
    )


def _valid(options: OptionSet, base: Values, values: Values) -> tuple[Values, Problems]:
    """Return the values, with the variant's own in place of refused ones, and the refusals."""
    try:
        return options.validate(values), {}
    except OptionErrors as refusal:
        problems = refusal.errors
    mixed = {key: base[key] if key in problems else value for key, value in values.items()}
    try:
        return options.validate(mixed), problems
    except OptionErrors as more:
        # Even without the refused values the others contradict each other.
        return dict(base), {**more.errors, **problems}
