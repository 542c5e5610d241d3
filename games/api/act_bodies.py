"""The bodies of the API's requests that carry out an act, made from the act's declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from games.api.fields import Body, Moment, Text, Whole, YesNo
from games.services.arguments import Parameter

FIELDS: Mapping[type, Callable[..., Any]] = {
    bool: YesNo,
    datetime: lambda **about: Moment(help_text="With a zone, such as 2026-11-25T21:40:00+01:00.", **about),
    int: lambda **about: Whole(min_value=1, max_value=2**53, **about),
    str: Text,
}
"""Type of an argument → its field."""


def body_of(name: str, parameters: Iterable[Parameter], says: str) -> type[Body]:
    """Return the body with the arguments of an act; in the description it is called `name`, and `says` what it is."""
    fields = {each.name: FIELDS[each.kind](**_about(each)) for each in parameters}
    return type(name, (Body,), {"__doc__": says, "__module__": __name__, **fields})


def _about(parameter: Parameter) -> dict[str, Any]:
    """Return what a field is told of an argument: that it may be left out, if so."""
    return {} if parameter.is_needed else {"required": False}
