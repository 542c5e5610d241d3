"""House rules as a declaration.

A game declares its options once; the form, the rules card, the API's schema, the admin and
the presets are all derived from the declaration. A variant is a preset (a set of changes to the
defaults), never a branch in the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from games.kernel.options.kinds import (
    BoolOption,
    ChoiceOption,
    IntOption,
    Needs,
    Option,
    Pick,
    TextOption,
    Value,
)

__all__ = [
    "BoolOption", "CardLine", "ChoiceOption", "Exclusion", "IntOption", "Needs", "Option",
    "OptionErrors", "OptionSet", "Pick", "Preset", "TextOption", "Value", "Values",
]  # fmt: skip

Values: TypeAlias = dict[str, Any]
"""A complete set of house rules: option id → bool, int or str."""


class OptionErrors(ValueError):
    """The refusal of a rule set: `errors` maps option id → (code, params)."""

    def __init__(self, errors: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
        super().__init__(", ".join(f"{k}: {code}" for k, (code, _) in errors.items()))
        self.errors = dict(errors)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A contradictory combination of values; the error is shown at option `field`."""

    when: Mapping[str, tuple[Value, ...]]
    field: str
    code: str
    reason: str

    def hits(self, values: Mapping[str, Any]) -> bool:
        """Tell whether the values are the excluded combination."""
        return all(values[key] in excluded for key, excluded in self.when.items())


@dataclass(frozen=True, slots=True)
class Preset:
    """A named variant: changes to the defaults, and the number of seats (fewest, most) it is meant for."""

    id: str
    label: str
    blurb: str
    changes: Mapping[str, Value]
    seats: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CardLine:
    """One sentence of the rules card: an English message id and the value to fill in."""

    option: str
    group: str
    sentence: str
    value: Value
    changed: bool


@dataclass(frozen=True)
class OptionSet:
    """All house rules of a game: options in the order of the form, presets, exclusions.

    The first preset is the default. If house rules limit the number of players, `seats_by` returns
    (fewest, most) for complete values, in agreement with the presets. `idle` returns the ids of options
    that have no effect under complete values for reasons beyond their `needs`. `words` returns the replacement
    of `{name}` in a card's sentences under complete values, as (context, English message) by name. `bots_need`
    is the condition under which bots can play at a table, with the reason that is shown where it does not hold;
    `points_need` is that under which points may be worth something (games/kernel/payments/point_values.py).
    """

    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    exclusions: tuple[Exclusion, ...] = ()
    seats_by: Callable[[Mapping[str, Any]], tuple[int, int]] | None = None
    idle: Callable[[Mapping[str, Any]], Collection[str]] | None = None
    words: Callable[[Mapping[str, Any]], Mapping[str, tuple[str, str]]] | None = None
    bots_need: Needs | None = None
    points_need: Needs | None = None
    _by_id: dict[str, Option] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {o.id: o for o in self.options})
        if len(self._by_id) != len(self.options):
            raise ValueError("two options share an id")

    def __getitem__(self, option_id: str) -> Option:
        """Return an option by its id; raises KeyError."""
        return self._by_id[option_id]

    def preset(self, preset_id: str) -> Preset:
        """Return a preset by its id; raises KeyError."""
        for preset in self.presets:
            if preset.id == preset_id:
                return preset
        raise KeyError(preset_id)

    def values(self, preset_id: str, changes: Mapping[str, Any] | None = None) -> Values:
        """Return the complete, validated values of a preset with changes.

        Raises KeyError for an unknown preset and OptionErrors for bad changes.
        """
        base: Values = {o.id: o.default for o in self.options}
        base |= self.preset(preset_id).changes
        return self.validate({**base, **(changes or {})})

    def validate(self, values: Mapping[str, Any]) -> Values:
        """Return the values in declared order; raises OptionErrors.

        Unknown ids, missing ids, wrong types, bounds and exclusions are all reported, each
        at its option. A value without effect because of the option's `needs` is kept, not refused.
        """
        errors: dict[str, tuple[str, dict[str, Any]]] = {}
        values = {key: self._by_id[key].kept(each) if key in self._by_id else each for key, each in values.items()}
        for key in values:
            if key not in self._by_id:
                errors[key] = ("unknown_option", {})
        for option in self.options:
            if option.id not in values:
                errors[option.id] = ("missing", {})
            elif (problem := option.problem(values[option.id])) is not None:
                errors[option.id] = problem
        if not errors:
            for exclusion in self.exclusions:
                if exclusion.hits(values):
                    errors.setdefault(exclusion.field, (exclusion.code, {}))
        if errors:
            raise OptionErrors(errors)
        return {o.id: values[o.id] for o in self.options}

    def seats(self, preset_id: str, values: Mapping[str, Any]) -> tuple[int, int]:
        """Return the fewest and the most seats of a table under these house rules."""
        return self.seats_by(values) if self.seats_by else self.preset(preset_id).seats

    def is_active(self, option: Option, values: Mapping[str, Any]) -> bool:
        """Tell whether an option has an effect under these values."""
        if self.idle is not None and option.id in self.idle(values):
            return False
        return self.lacks(option, values) is None

    def lacks(self, option: Option, values: Mapping[str, Any]) -> Needs | None:
        """Return the first unmet need of an option under these values, direct needs first; None if all are met."""
        every = tuple(option.needs.all()) if option.needs is not None else ()
        unmet = (needs for needs in every if values[needs.id] not in needs.values)
        deeper = (found for needs in every if (found := self.lacks(self[needs.id], values)) is not None)
        return next(unmet, None) or next(deeper, None)

    def takes_bots(self, values: Mapping[str, Any]) -> bool:
        """Tell whether bots can play under these values; an option missing from `values` counts with its default."""
        every = self.bots_need.all() if self.bots_need is not None else ()
        return all(values.get(needs.id, self[needs.id].default) in needs.values for needs in every)

    def card(self, values: Mapping[str, Any], preset_id: str | None = None) -> list[CardLine]:
        """Return the rules card: a line for each active option that has a sentence for its value.

        With a preset, `changed` marks the values that differ from it. An option that the values lack, because
        the table is older than it, has its default.
        """
        values = {**{option.id: option.default for option in self.options}, **values}
        base = self.values(preset_id) if preset_id else values
        lines = []
        for option in self.options:
            value = values[option.id]
            sentence = option.sentence(value)
            if sentence and self.is_active(option, values):
                changed = value != base[option.id]
                lines.append(CardLine(option.id, option.group, sentence, value, changed))
        return lines

    def diff(self, values: Mapping[str, Any], preset_id: str) -> dict[str, tuple[Value, Value]]:
        """Return the differences from a preset: option id → (preset's value, value)."""
        base = self.values(preset_id)
        return {k: (base[k], values[k]) for k in base if k in values and base[k] != values[k]}

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON schema (2020-12) of a complete set of values."""
        return {
            "type": "object",
            "properties": {o.id: o.schema() for o in self.options},
            "required": [o.id for o in self.options],
            "additionalProperties": False,
        }


Grouped = TypeVar("Grouped", CardLine, Option)


def by_group(parts: Iterable[Grouped]) -> list[tuple[str, list[Grouped]]]:
    """Return lines or options by their groups: each group once, where its first part stands."""
    found: dict[str, list[Grouped]] = {}
    for part in parts:
        found.setdefault(part.group, []).append(part)
    return list(found.items())
