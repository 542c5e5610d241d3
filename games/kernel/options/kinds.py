"""The kinds of options for a declaration of house rules (see `games/kernel/options/__init__.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

Value: TypeAlias = bool | int | str


@dataclass(frozen=True, slots=True)
class Needs:
    """A condition: an option has an effect only while option `id` has one of `values`, and `also` holds."""

    id: str
    values: tuple[Value, ...]
    reason: str
    also: Needs | None = None

    def all(self) -> Iterator[Needs]:
        """Yield this need and its further ones (`also`)."""
        needs: Needs | None = self
        while needs is not None:
            yield needs
            needs = needs.also


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """The common part of all kinds of options. Texts are English message ids.

    Some kinds have a `card`, the sentence of the rules card; `{value}` in it stands for the value.
    """

    kind: ClassVar[str] = ""
    id: str
    label: str
    default: Value
    help: str = ""
    group: str = ""
    needs: Needs | None = None

    def kept(self, value: Any) -> Any:
        """Return a value in the form in which it is kept; a value of any type may come in, and is checked later."""
        return value

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return the error of an invalid value as (code, params), or None."""
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        raise NotImplementedError

    def sentence(self, value: Any) -> str:
        """Return the rules card's sentence for a value; "" if it has none."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class BoolOption(Option):
    """An option that is on or off, with a sentence for each."""

    kind: ClassVar[str] = "bool"
    on: str
    off: str = ""

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return the error `not_bool` unless the value is a bool."""
        return None if isinstance(value, bool) else ("not_bool", {})

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        return {"type": "boolean", "default": self.default}

    def sentence(self, value: Any) -> str:
        """Return the sentence for on or off."""
        return self.on if value else self.off


@dataclass(frozen=True, slots=True, kw_only=True)
class IntOption(Option):
    """A whole number from `low` to `high`, both included; `unit` is a word shown in the form."""

    kind: ClassVar[str] = "int"
    low: int
    high: int
    card: str
    zero: str | None = None
    unit: str = ""

    def problem(self, value: object) -> tuple[str, dict[str, Any]] | None:
        """Return the error `not_int` or `out_of_range`, or None."""
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
        """Return the sentence of the card; zero may have its own ("no limit")."""
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
        """Return the error `not_a_choice` unless the value is the id of a pick."""
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
        """Return the error `not_text` or `too_long`, or None."""
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            return "not_text", {}
        return ("too_long", {"longest": self.longest}) if len(value) > self.longest else None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the option's value."""
        lengths = {"minLength": 1, "maxLength": self.longest}
        return {"type": "string", "default": self.default, **lengths}

    def sentence(self, value: Any) -> str:
        """Return the sentence of the card."""
        return self.card
