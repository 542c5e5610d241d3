"""A form for a game's house rules, made from their declaration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext

from games import plugin
from games.game_texts import texts_of
from games.kernel.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    Needs,
    Option,
    OptionErrors,
    OptionSet,
    TextOption,
    Values,
    by_group,
)
from games.refusals import translate_option
from games.services.house_rules.cards import display_value

PREFIX = "o-"
# Up to this many picks are shown side by side, more in a drop-down list.
FEW_PICKS = 4


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option in the form, with its texts in the current language.

    `picks` are (id, label) pairs. `reason` says why the option has no effect now ("" if it has one); `needs` is [id,
    values] as JSON for the browser, with `why` as its reason.
    """

    option: Option
    name: str
    label: str
    help: str
    value: Any
    picks: tuple[tuple[str, str], ...]
    errors: tuple[str, ...]
    reason: str
    needs: str
    why: str
    unit: str
    few: bool


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Rows under a heading; `is_open` if a value was changed or is wrong."""

    label: str
    rows: tuple[OptionRow, ...]
    is_open: bool


class OptionsForm(forms.Form):
    """The house rules of a table before play, or of a named set.

    `preset` are the variant's own values; `base` are the values that the form shows at first, and that an option
    without effect keeps. Both are complete. `stored_faults` has the errors of stored values, by option id. After
    `is_valid`, `values` are complete and valid; a refused option has its value from `base`.
    """

    def __init__(
        self,
        options: OptionSet,
        preset: Values,
        base: Values | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        stored_faults: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(data)
        self.stored_faults = stored_faults or {}
        base = preset if base is None else base
        self.options, self.preset, self.base = options, preset, base
        self.sent: Values = dict(base)
        self.values: Values = dict(base)
        for option in options.options:
            self.fields[PREFIX + option.id] = _field(option)

    def clean(self) -> dict[str, Any]:
        """Check the values by the declaration; each error is shown at its field."""
        with texts_of(plugin.game_of(self.options)):
            self.sent = {o.id: self._sent(o) for o in self.options.options}
        for option in self.options.options:
            if not self.options.is_active(option, self.sent):
                self.sent[option.id] = self.base[option.id]
        try:
            self.values = self.options.validate(self.sent)
        except OptionErrors as refusal:
            self._show(refusal)
            self.values = self._without(refusal)
        return self.cleaned_data

    def _sent(self, option: Option) -> Any:
        """Return the value sent for an option, in the option's own type where possible."""
        name = PREFIX + option.id
        raw = self.cleaned_data.get(name, "")
        if isinstance(option, BoolOption):
            return bool(raw)
        if name not in self.data:
            return self.base[option.id]
        if isinstance(option, IntOption):
            return int(raw) if _is_int(raw) else raw
        if isinstance(option, TextOption) and raw == display_value(option, option.default):
            return option.default
        return raw

    def _show(self, refusal: OptionErrors) -> None:
        """Add each error to its field."""
        for option_id, (code, params) in refusal.errors.items():
            text = translate_option(self.options, option_id, code, params)
            self.add_error(PREFIX + option_id, text)

    def _without(self, refusal: OptionErrors) -> Values:
        """Return the values sent, with the refused ones replaced from `base`."""
        mixed = {k: self.base[k] if k in refusal.errors else v for k, v in self.sent.items()}
        try:
            return self.options.validate(mixed)
        except OptionErrors:
            return dict(self.base)

    def groups(self) -> list[OptionGroup]:
        """Return the rows of the form under the headings of the declaration."""
        if self.is_bound:
            self.is_valid()
        with texts_of(plugin.game_of(self.options)):
            return [
                self._group(gettext(group) if group else "", part) for group, part in by_group(self.options.options)
            ]

    def _group(self, label: str, options: list[Option]) -> OptionGroup:
        """Return a group, open if a value is wrong or differs from the preset."""
        rows = tuple(self._row(option) for option in options)
        changed = any(self.sent[o.id] != self.preset[o.id] for o in options)
        return OptionGroup(label, rows, changed or any(row.errors for row in rows))

    def _row(self, option: Option) -> OptionRow:
        name, needs = PREFIX + option.id, option.needs
        picks = option.picks if isinstance(option, ChoiceOption) else ()
        every = tuple(needs.all()) if needs else ()
        why = " ".join(gettext(each.reason) for each in every)
        return OptionRow(
            option=option,
            name=name,
            label=gettext(option.label),
            help=gettext(option.help) if option.help else "",
            value=self._value(option),
            picks=tuple((pick.id, gettext(pick.label)) for pick in picks),
            errors=self._errors_at(option),
            reason="" if self.options.is_active(option, self.sent) else why,
            needs=json.dumps([[each.id, self._field_values(each)] for each in every]) if every else "",
            why=why,
            unit=_unit(option),
            few=len(picks) <= FEW_PICKS,
        )

    def _field_values(self, needs: Needs) -> list[Any]:
        """Return the needed values, in the form in which the option's field holds them."""
        option = self.options[needs.id]
        is_text = isinstance(option, TextOption)
        return [display_value(option, value) if is_text else value for value in needs.values]

    def _errors_at(self, option: Option) -> tuple[str, ...]:
        """Return the errors of an option: of the value sent, else of the stored value."""
        if self.is_bound:
            return tuple(str(error) for error in self.errors.get(PREFIX + option.id, ()))
        return (self.stored_faults[option.id],) if option.id in self.stored_faults else ()

    def _value(self, option: Option) -> Any:
        """Return the value of an option's field: the typed one, even if it is wrong, else the stored one."""
        value = self.sent[option.id]
        return value if isinstance(option, BoolOption) else display_value(option, value)


def _unit(option: Option) -> str:
    """Return the unit of a number, "" for an option that is not a number."""
    return gettext(option.unit) if isinstance(option, IntOption) and option.unit else ""


def _field(option: Option) -> forms.Field:
    """Return a field that accepts any value: the declaration checks it."""
    kind = forms.BooleanField if isinstance(option, BoolOption) else forms.CharField
    return kind(required=False)


def _is_int(raw: object) -> bool:
    """Tell whether a text is a whole number of a sensible length."""
    text = str(raw).strip().removeprefix("-")
    return text.isascii() and text.isdecimal() and len(text) < 10
