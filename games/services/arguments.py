"""The arguments of acts: read once, from the types of the parameters of the service that carries an act out.

A parameter whose type is `Annotated[…, Argument(…)]` is an argument that the sender of the act gives. Its name is the
parameter's, of a row's id without `_id`, unless its type names it; one with a default may be left out, or null.
Parameters of other types are the house's own and never the sender's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime, parse_time

from games import row_ids
from games.kernel.contract import Illegal
from games.models.house import zone

BAD_ARGS = "bad_args"
SITTER = "sitter"
"""The name of the argument beside an occupied seat: the id of the person that the sender sees on it."""
LONGEST_TEXT = 200
MOST_LISTED = 1000
"""The most values of a list, or of an object, that is sent as JSON."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A type of arguments: how one is read from a form, and from a value of JSON; None where no act of it comes so.

    `typed` takes the form and the argument's name, `told` the value, None where nothing was sent. They raise
    ValueError for what they cannot read, which is refused with `code`. `schema` is the JSON schema of `told`.
    `name` is the sender's name of it where that is not the parameter's.
    `is_occupied`: it is a seat beside which the sender names the person on it, as `sitter` (None for a bot and nobody).
    """

    typed: Callable[[QueryDict, str], Any] | None = None
    told: Callable[[Any], Any] | None = None
    code: str = BAD_ARGS
    schema: Mapping[str, Any] = field(default_factory=dict, hash=False)
    is_occupied: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a service that is an argument: `name` is the sender's name of it, `keyword` the service's.

    `kind` is the type of its values; it may be left out unless it `is_needed`.
    """

    name: str
    keyword: str
    kind: Any
    argument: Argument
    is_needed: bool

    def typed(self, form: QueryDict) -> Any:
        """Return the value in a form; raises Illegal with the argument's code."""
        reader = self.argument.typed
        if reader is None:
            raise TypeError(f"{self.name} is sent by no form")
        try:
            return reader(form, self.name)
        except ValueError:
            raise self._refused(self.argument.code) from None

    def told(self, sent: Any) -> Any:
        """Return the value of what was sent as JSON; raises Illegal with the argument's code."""
        reader = self.argument.told
        if reader is None:
            raise TypeError(f"{self.name} is sent as no JSON")
        try:
            return reader(sent)
        except ValueError:
            # A form's code says what a person typed wrong; a program hears which argument it is.
            raise self._refused(self.argument.code if self.argument.typed is None else BAD_ARGS) from None

    def _refused(self, code: str) -> Illegal:
        return Illegal(code, **({"name": self.name} if code == BAD_ARGS else {}))


def parameters(service: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the parameters of a service that are arguments of its act, in their order."""
    hints = get_type_hints(service, include_extras=True)
    found = []
    for keyword, each in inspect.signature(service).parameters.items():
        kind, argument = _declared(hints[keyword])
        if argument is not None:
            is_needed = each.default is inspect.Parameter.empty
            name = argument.name or keyword.removesuffix("_id")
            found.append(Parameter(name, keyword, kind, argument, is_needed))
    return tuple(found)


def _declared(hint: Any) -> tuple[Any, Argument | None]:
    """Return the type of a parameter's values and its `Argument`, None for a parameter of the house's own."""
    for each in (hint, *get_args(hint)):
        if get_origin(each) is Annotated:
            kind, *notes = get_args(each)
            return kind, next((note for note in notes if isinstance(note, Argument)), None)
    return hint, None


def as_sent(_wanted: Iterable[Parameter], args: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return arguments that are values already."""
    return args


def typed(wanted: Iterable[Parameter], form: QueryDict) -> dict[str, Any]:
    """Return the arguments in a form, by name; raises Illegal with the code of the first that cannot be read."""
    return {each.name: each.typed(form) for each in wanted if each.is_needed or form.get(each.name)}


def told(wanted: Iterable[Parameter], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a JSON object, by name; raises Illegal with the code of the first that cannot be read."""
    given = (each for each in wanted if each.is_needed or sent.get(each.name) is not None)
    return {each.name: each.told(sent.get(each.name)) for each in given}


def told_all(wanted: Iterable[Parameter], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a JSON object that has no others; raises as `told`, and `bad_args` for an unknown one."""
    known = tuple(wanted)
    for name in sent.keys() - {each.name for each in known}:
        raise Illegal(BAD_ARGS, name=name)
    return told(known, sent)


def schema(wanted: Iterable[Parameter]) -> dict[str, Any]:
    """Return the JSON schema of an object with these arguments and no others."""
    known = tuple(wanted)
    needed = [each.name for each in known if each.is_needed]
    properties = {each.name: dict(each.argument.schema) for each in known}
    if any(each.argument.is_occupied for each in known):
        properties[SITTER] = {"type": ["integer", "null"]}
        needed.append(SITTER)
    found: dict[str, Any] = {"type": "object", "properties": properties}
    return found | ({"required": needed} if needed else {}) | {"additionalProperties": False}


def by_keyword(wanted: Iterable[Parameter], args: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as a service takes them; raises KeyError for a missing one that is needed."""
    return {each.keyword: args[each.name] for each in wanted if each.is_needed or each.name in args}


# What a form sends: text, and nothing for a box that is not ticked.


def row_id(text: str | None) -> int:
    """Return a row's id; raises ValueError."""
    found = row_ids.row_id(text or "")
    if found is None:
        raise ValueError(text)
    return found


def digits(text: str | None) -> str:
    """Return the digits of a number that somebody reads off a phone and types."""
    return "".join(c for c in (text or "")[:40] if c.isdecimal())


def count(text: str | None) -> int:
    """Return a count; raises ValueError."""
    found = row_ids.number((text or "").strip())
    if found is None:
        raise ValueError(text)
    return found


def any_number(text: str | None) -> int:
    """Return a count; -1, which no service takes, for what is none."""
    found = row_ids.number((text or "").strip())
    return -1 if found is None else found


def day(text: str | None) -> date:
    """Return a day; raises ValueError."""
    found = parse_date(text or "")
    if found is None:
        raise ValueError(text)
    return found


def clock_time(text: str | None) -> time:
    """Return a time of day in whole minutes; raises ValueError."""
    found = parse_time(text or "")
    if found is None or found.tzinfo is not None:
        raise ValueError(text)
    return found.replace(second=0, microsecond=0)


def _last_time(text: str | None) -> datetime:
    """Return the last time that the house's clocks showed a typed "21:40"; raises ValueError."""
    typed_time = time.fromisoformat((text or "")[:8])
    now = timezone.localtime(timezone=zone())
    found = now.replace(hour=typed_time.hour, minute=typed_time.minute, second=0, microsecond=0)
    return found if found <= now else found - timedelta(days=1)


def _moment(text: str | None) -> datetime:
    """Return a day and time of the house's clocks, such as "2026-01-31T21:40"; raises ValueError."""
    found = parse_datetime((text or "")[:LONGEST_TEXT])
    if found is None or found.tzinfo is not None:
        raise ValueError(text)
    return found.replace(tzinfo=zone())


def field_of(read: Callable[[str | None], Any]) -> Callable[[QueryDict, str], Any]:
    """Return the reader of a form's field that reads its text with a function."""
    return lambda form, name: read(form.get(name))


def word(*known: str) -> Callable[[str | None], str]:
    """Return a reader of one of several fixed words, which raises ValueError for another."""

    def read(text: str | None) -> str:
        if text not in known:
            raise ValueError(text)
        return text

    return read


def _row_ids(form: QueryDict, name: str) -> list[int]:
    """Return the ids of rows that are ticked; what is no id is passed over."""
    found = (row_ids.row_id(str(text)) for text in form.getlist(name))
    return [each for each in found if each is not None]


# What a command sends as JSON: a value of any type.


def whole(sent: object) -> int:
    """Return a whole number; raises ValueError."""
    if isinstance(sent, bool) or not isinstance(sent, int):
        raise ValueError(sent)
    return sent


def natural(sent: object) -> int:
    """Return a whole number from 0 that JSON can hold exactly; raises ValueError."""
    found = whole(sent)
    if not 0 <= found < 2**53:
        raise ValueError(sent)
    return found


def naturals(sent: object) -> list[int]:
    """Return a list of whole numbers as `natural`; raises ValueError."""
    if not isinstance(sent, list) or len(sent) > MOST_LISTED:
        raise ValueError(sent)
    return [natural(each) for each in sent]


def _string(sent: object) -> str:
    """Return a string; raises ValueError."""
    if not isinstance(sent, str):
        raise ValueError(sent)
    return sent


def short(sent: object) -> str:
    """Return a string of 1 to 200 characters; raises ValueError."""
    found = _string(sent)
    if not 0 < len(found) <= LONGEST_TEXT:
        raise ValueError(sent)
    return found


def _object(sent: object) -> dict[str, Any]:
    """Return an object, an empty one where nothing was sent; raises ValueError."""
    if not isinstance(sent, dict | None):
        raise ValueError(sent)
    return sent or {}


OBJECT: Mapping[str, Any] = {"type": "object"}
WHOLE: Mapping[str, Any] = {"type": "integer"}
NATURAL: Mapping[str, Any] = {"type": "integer", "minimum": 0}
STRING: Mapping[str, Any] = {"type": "string"}
SHORT: Mapping[str, Any] = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}

# Of forms alone.
RowId: TypeAlias = Annotated[int, Argument(field_of(row_id), natural, "no_such_player", NATURAL)]
Digits: TypeAlias = Annotated[str, Argument(field_of(digits))]
Cap: TypeAlias = Annotated[int, Argument(field_of(count), code="bad_cap")]
PastTime: TypeAlias = Annotated[datetime, Argument(field_of(_last_time), code="bad_time")]
Moment: TypeAlias = Annotated[datetime, Argument(field_of(_moment), code="bad_moment")]
Ticked: TypeAlias = Annotated[bool, Argument(field_of(lambda text: text is not None))]
Yes: TypeAlias = Annotated[bool, Argument(field_of(lambda text: text == "yes"))]
Typed: TypeAlias = Annotated[str, Argument(field_of(lambda text: text or ""))]

# Of commands alone.
Whole: TypeAlias = Annotated[int, Argument(told=whole, schema=WHOLE)]
Occupied: TypeAlias = Annotated[int, Argument(told=whole, schema=WHOLE, is_occupied=True)]
Waited: TypeAlias = Annotated[int, Argument(told=whole, code="no_link_wanted", schema=WHOLE)]
Level: TypeAlias = Annotated[str, Argument(told=_string, code="bad_level", schema=STRING)]
Tip: TypeAlias = Annotated[str, Argument(told=_string, code="bad_tip", schema=STRING)]
Said: TypeAlias = Annotated[bool, Argument(told=lambda sent: sent is True, schema={"type": "boolean"})]
Told: TypeAlias = Annotated[dict[str, Any], Argument(told=_object, schema=OBJECT)]

# Of both.
Short: TypeAlias = Annotated[str, Argument(field_of(lambda text: (text or "")[:LONGEST_TEXT]), short, schema=SHORT)]
Number: TypeAlias = Annotated[int, Argument(field_of(any_number), natural, schema=NATURAL)]
"""A number; one that cannot be read in a form is -1, which the service refuses as one out of its range."""
NumberOrNone: TypeAlias = Annotated[
    int, Argument(field_of(lambda text: any_number(text or "0")), natural, schema=NATURAL)
]
"""As `Number`; 0 where a form's field is empty."""
RowIds: TypeAlias = Annotated[list[int], Argument(_row_ids, naturals, schema={"type": "array", "items": NATURAL})]
