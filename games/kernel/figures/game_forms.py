"""The form of one game that was played without the house, as data: its fields, their words, and the check of one told.

Page, sheet on paper, schema and past game are made of it. A game as told (contract.PLAYED) is

    {"game": {field: value}, "seats": {"0": {field: value}}, "rounds": [{field: value}]}

with the parts that the form has. A value is a word of the field, a seat, a list of seats, or a whole number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from games.kernel.contract import Illegal, JsonObject

MOST_ROUNDS = 60
"""The most rounds of one game as told."""
Kind: TypeAlias = Literal["word", "seat", "seats", "count"]


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form; `words` are those of a `word`, by their values, and `most` is the limit of a `count`.

    One that is not `needed` may be left out: then `unsaid` tells what holds. `only` is the id of another field of the
    same part and its word without which this one means nothing.
    """

    id: str
    label: Any
    kind: Kind = "word"
    words: Mapping[str, Any] = field(default_factory=dict)
    needed: bool = False
    unsaid: Any = ""
    most: int = 0
    only: tuple[str, str] | None = None

    def takes(self, value: object, seats: int) -> bool:
        """Tell whether a value is one of this field at a table of so many seats."""
        if self.kind == "word":
            return isinstance(value, str) and value in self.words
        if self.kind == "seats":
            return isinstance(value, list) and all(_is_number(n, seats - 1) for n in value) and _is_once(value)
        return _is_number(value, self.most if self.kind == "count" else seats - 1)

    def schema(self) -> JsonObject:
        """Return the JSON schema of its value."""
        whole: JsonObject = {"type": "integer", "minimum": 0}
        if self.kind == "word":
            return {"enum": [*self.words]}
        if self.kind == "seats":
            return {"type": "array", "items": whole, "uniqueItems": True}
        return {**whole, "maximum": self.most} if self.kind == "count" else whole


Fields: TypeAlias = tuple[FormField, ...]


@dataclass(frozen=True, slots=True)
class GameForm:
    """The fields of a whole game, of each seat in it, and of each of its rounds; a part without fields is left out."""

    of_game: Fields = ()
    of_seat: Fields = ()
    of_round: Fields = ()

    def check(self, told: object, seats: int) -> None:
        """Raise Illegal `bad_form`, with the `field`, unless a game as told keeps the form at a table of so many seats.

        Of a list of rounds that is empty or too long the field is `rounds`.
        """
        if not isinstance(told, dict) or set(told) != {name for name, fields in self._parts().items() if fields}:
            raise Illegal("bad_form", field="game")
        if self.of_game:
            _check(self.of_game, told["game"], seats)
        if self.of_seat:
            _check_seats(self.of_seat, told["seats"], seats)
        if self.of_round:
            rounds = told["rounds"]
            if not isinstance(rounds, list) or not 0 < len(rounds) <= MOST_ROUNDS:
                raise Illegal("bad_form", field="rounds")
            for one in rounds:
                _check(self.of_round, one, seats)

    def schema(self) -> JsonObject:
        """Return the JSON schema of a game as told."""
        found: JsonObject = {}
        if self.of_game:
            found["game"] = _schema(self.of_game)
        if self.of_seat:
            names = {"pattern": "^(0|[1-9][0-9]?)$"}
            found["seats"] = {"type": "object", "propertyNames": names, "additionalProperties": _schema(self.of_seat)}
        if self.of_round:
            rows = {"items": _schema(self.of_round), "minItems": 1, "maxItems": MOST_ROUNDS}
            found["rounds"] = {"type": "array", **rows}
        return {"type": "object", "properties": found, "required": [*found], "additionalProperties": False}

    def to_json(self, text: Callable[[Any], str]) -> JsonObject:
        """Return the form as sent, its labels and words as `text` says them."""
        return {name: [_field_json(one, text) for one in fields] for name, fields in self._parts().items()}

    def _parts(self) -> dict[str, Fields]:
        return {"game": self.of_game, "seats": self.of_seat, "rounds": self.of_round}


def _field_json(one: FormField, text: Callable[[Any], str]) -> JsonObject:
    found: JsonObject = {"id": one.id, "label": text(one.label), "kind": one.kind, "needed": one.needed}
    if one.words:
        found["words"] = [{"value": value, "label": text(label)} for value, label in one.words.items()]
    if one.unsaid:
        found["unsaid"] = text(one.unsaid)
    if one.kind == "count":
        found["most"] = one.most
    if one.only is not None:
        found["only"] = {"field": one.only[0], "word": one.only[1]}
    return found


def _check_seats(fields: Fields, told: object, seats: int) -> None:
    if not isinstance(told, dict) or not set(told) <= {str(seat) for seat in range(seats)}:
        raise Illegal("bad_form", field="seats")
    for part in told.values():
        _check(fields, part, seats)


def _check(fields: Fields, told: object, seats: int) -> None:
    known = {one.id: one for one in fields}
    if not isinstance(told, dict) or not set(told) <= set(known):
        raise Illegal("bad_form", field=next(iter(known)))
    for name, one in known.items():
        is_wrong = not one.takes(told[name], seats) if name in told else one.needed
        if is_wrong or (name in told and one.only is not None and told.get(one.only[0]) != one.only[1]):
            raise Illegal("bad_form", field=name)


def _schema(fields: Fields) -> JsonObject:
    return {
        "type": "object",
        "properties": {one.id: one.schema() for one in fields},
        "required": [one.id for one in fields if one.needed],
        "additionalProperties": False,
    }


def _is_number(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _is_once(values: Sequence[object]) -> bool:
    return len(set(values)) == len(values)
