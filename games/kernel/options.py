"""House rules as a declaration.

A game declares its options once; the form, the rules card, the API's schema, the admin and
the presets all come from here. A variant is a preset (a set of changes to the defaults),
never a branch in the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

Value: TypeAlias = bool | int | str
Values: TypeAlias = dict[str, Any]
"""A complete set of house rules: option id → bool, int or str."""


class OptionErrors(ValueError):
    """A refused rule set: `errors` maps option id → (code, params)."""

    def __init__(self, errors: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
        super().__init__(", ".join(f"{k}: {code}" for k, (code, _) in errors.items()))
        self.errors = dict(errors)


@dataclass(frozen=True, slots=True)
class Needs:
    """An option means something only while option `id` has one of `values`."""

    id: str
    values: tuple[Value, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What the kinds of option share. Texts are English message ids.

    `card` is the sentence of the rules card. `{value}` in it stands for the value.
    """

    kind: ClassVar[str] = ""
    id: str
    label: str
    default: Value
    help: str = ""
    group: str = ""
    needs: Needs | None = None

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return the (code, params) of what is wrong with a value, or None."""
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        raise NotImplementedError

    def sentence(self, value: Any) -> str:
        """Return the rules card's sentence for a value; "" when there is nothing to say."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class BoolOption(Option):
    """Yes or no, with a sentence for each."""

    kind: ClassVar[str] = "bool"
    on: str
    off: str = ""

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return `not_bool` unless the value is a bool."""
        return None if isinstance(value, bool) else ("not_bool", {})

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        return {"type": "boolean", "default": self.default}

    def sentence(self, value: Any) -> str:
        """Return the sentence for yes or no."""
        return self.on if value else self.off


@dataclass(frozen=True, slots=True, kw_only=True)
class IntOption(Option):
    """A whole number from `low` to `high`, both included; `unit` is a word for the form."""

    kind: ClassVar[str] = "int"
    low: int
    high: int
    card: str
    zero: str | None = None
    unit: str = ""

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return `not_int` or `out_of_range`, or None."""
        if isinstance(value, bool) or not isinstance(value, int):
            return "not_int", {}
        if not self.low <= value <= self.high:
            return "out_of_range", {"low": self.low, "high": self.high}
        return None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        bounds = {"minimum": self.low, "maximum": self.high}
        return {"type": "integer", "default": self.default, **bounds}

    def sentence(self, value: Any) -> str:
        """Return the sentence; zero may have one of its own ("no limit")."""
        return self.zero if value == 0 and self.zero is not None else self.card


@dataclass(frozen=True, slots=True)
class Pick:
    """One value of a choice: its id, its label in the form and its sentence on the card."""

    id: str
    label: str
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceOption(Option):
    """One of several named values."""

    kind: ClassVar[str] = "choice"
    picks: tuple[Pick, ...]

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return `not_a_choice` unless the value is one of the picks."""
        ids = [p.id for p in self.picks]
        return None if value in ids else ("not_a_choice", {"choices": ", ".join(ids)})

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        return {"type": "string", "default": self.default, "enum": [p.id for p in self.picks]}

    def sentence(self, value: Any) -> str:
        """Return the sentence of the picked value."""
        return next(p.card for p in self.picks if p.id == value)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOption(Option):
    """A short text of at most `longest` characters, not empty, without control characters."""

    kind: ClassVar[str] = "text"
    longest: int
    card: str

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return `not_text` or `too_long`, or None."""
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            return "not_text", {}
        return ("too_long", {"longest": self.longest}) if len(value) > self.longest else None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        lengths = {"minLength": 1, "maxLength": self.longest}
        return {"type": "string", "default": self.default, **lengths}

    def sentence(self, value: Any) -> str:
        """Return the sentence of the text."""
        return self.card


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A combination that contradicts itself; the error shows at option `field`."""

    when: Mapping[str, tuple[Value, ...]]
    field: str
    code: str
    reason: str

    def hits(self, values: Mapping[str, Any]) -> bool:
        """Tell whether the values are the excluded combination."""
        return all(values[key] in wanted for key, wanted in self.when.items())


@dataclass(frozen=True, slots=True)
class Preset:
    """A named variant: changes to the defaults, and the seats it is meant for."""

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

    The first preset is the default one.
    """

    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    exclusions: tuple[Exclusion, ...] = ()
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
        at its option. A value that its `needs` makes meaningless is kept, not refused.
        """
        errors: dict[str, tuple[str, dict[str, Any]]] = {}
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

    def is_active(self, option: Option, values: Mapping[str, Any]) -> bool:
        """Tell whether an option means something under these values."""
        while option.needs is not None:
            if values[option.needs.id] not in option.needs.values:
                return False
            option = self[option.needs.id]
        return True

    def card(self, values: Mapping[str, Any], preset_id: str | None = None) -> list[CardLine]:
        """Return the rules card: a sentence for each option that says something.

        With a preset, `changed` marks where the values leave it.
        """
        base = self.values(preset_id) if preset_id else dict(values)
        lines = []
        for option in self.options:
            value = values[option.id]
            sentence = option.sentence(value)
            if sentence and self.is_active(option, values):
                changed = value != base[option.id]
                lines.append(CardLine(option.id, option.group, sentence, value, changed))
        return lines

    def diff(self, values: Mapping[str, Any], preset_id: str) -> dict[str, tuple[Value, Value]]:
        """Return where values leave a preset: option id → (preset's value, value)."""
        base = self.values(preset_id)
        return {k: (base[k], values[k]) for k in base if base[k] != values[k]}

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON schema (2020-12) of a complete set of values."""
        return {
            "type": "object",
            "properties": {o.id: o.schema() for o in self.options},
            "required": [o.id for o in self.options],
            "additionalProperties": False,
        }
