"""The arguments of acts: read once, from the types of the parameters of the service that carries an act out.

A parameter whose type is `Annotated[…, Argument(…)]` is an argument that the sender of the act gives. Its name is the
parameter's, of a row's id without `_id`; one with a default may be left out, or null. Parameters of other types are
the house's own and never the sender's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from django.utils import timezone

from games import row_ids
from games.kernel.contract import Illegal
from games.models.house import zone

BAD_ARGS = "bad_args"


@dataclass(frozen=True, slots=True)
class Argument:
    """A type of arguments: `read` returns the value of what was sent, None where nothing was.

    It raises ValueError for what it cannot read, which is refused with `code`.
    """

    read: Callable[[Any], Any]
    code: str = BAD_ARGS


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

    def read(self, sent: Any) -> Any:
        """Return the value of what was sent; raises Illegal with the argument's code."""
        try:
            return self.argument.read(sent)
        except ValueError:
            code = self.argument.code
            raise Illegal(code, **({"name": self.name} if code == BAD_ARGS else {})) from None


def parameters(service: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the parameters of a service that are arguments of its act, in their order."""
    hints = get_type_hints(service, include_extras=True)
    found = []
    for keyword, each in inspect.signature(service).parameters.items():
        kind, argument = _declared(hints[keyword])
        if argument is not None:
            is_needed = each.default is inspect.Parameter.empty
            found.append(Parameter(keyword.removesuffix("_id"), keyword, kind, argument, is_needed))
    return tuple(found)


def _declared(hint: Any) -> tuple[Any, Argument | None]:
    """Return the type of a parameter's values and its `Argument`, None for a parameter of the house's own."""
    for each in (hint, *get_args(hint)):
        if get_origin(each) is Annotated:
            kind, *notes = get_args(each)
            return kind, next((note for note in notes if isinstance(note, Argument)), None)
    return hint, None


def read(wanted: Iterable[Parameter], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that were sent, by name; raises Illegal with the code of the first that cannot be read."""
    given = (each for each in wanted if each.is_needed or sent.get(each.name) is not None)
    return {each.name: each.read(sent.get(each.name)) for each in given}


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


def _count(text: str | None) -> int:
    """Return a count; raises ValueError."""
    found = row_ids.number(text or "")
    if found is None:
        raise ValueError(text)
    return found


def _last_time(text: str | None) -> datetime:
    """Return the last time that the house's clocks showed a typed "21:40"; raises ValueError."""
    typed = time.fromisoformat((text or "")[:8])
    now = timezone.localtime(timezone=zone())
    found = now.replace(hour=typed.hour, minute=typed.minute, second=0, microsecond=0)
    return found if found <= now else found - timedelta(days=1)


RowId: TypeAlias = Annotated[int, Argument(row_id, "no_such_player")]
Digits: TypeAlias = Annotated[str, Argument(digits)]
Cap: TypeAlias = Annotated[int, Argument(_count, "bad_cap")]
PastTime: TypeAlias = Annotated[datetime, Argument(_last_time, "bad_time")]
Ticked: TypeAlias = Annotated[bool, Argument(lambda sent: sent is not None)]
Typed: TypeAlias = Annotated[str, Argument(lambda sent: sent or "")]


# What a command sends as JSON: a value of any type.


def _whole(sent: object) -> int:
    """Return a whole number; raises ValueError."""
    if isinstance(sent, bool) or not isinstance(sent, int):
        raise ValueError(sent)
    return sent


def _string(sent: object) -> str:
    """Return a string; raises ValueError."""
    if not isinstance(sent, str):
        raise ValueError(sent)
    return sent


def _object(sent: object) -> dict[str, Any]:
    """Return an object, an empty one where nothing was sent; raises ValueError."""
    if not isinstance(sent, dict | None):
        raise ValueError(sent)
    return sent or {}


Whole: TypeAlias = Annotated[int, Argument(_whole)]
Waited: TypeAlias = Annotated[int, Argument(_whole, "no_link_wanted")]
Level: TypeAlias = Annotated[str, Argument(_string, "bad_level")]
Tip: TypeAlias = Annotated[str, Argument(_string, "bad_tip")]
Said: TypeAlias = Annotated[bool, Argument(lambda sent: sent is True)]
Told: TypeAlias = Annotated[dict[str, Any], Argument(_object)]
