"""The bodies of the API's requests that carry out an act, made from the act's declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar

from rest_framework import serializers

from games.api.fields import Body, Moment, Text, Whole, YesNo
from games.kernel.contract import Illegal
from games.services import arguments
from games.services.acts import Act, DeclaredActs
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


class ActOf(Body):
    """The body of a request for one of several acts: its name, and its arguments as they are declared."""

    acts: ClassVar[DeclaredActs[Any]]
    act = Text(max_length=24)
    args = serializers.DictField(required=False)

    def validate_act(self, name: str) -> str:
        """Return the name of an act; raises Illegal `bad_args` for another."""
        if name not in self.acts:
            raise Illegal("bad_args", name="act")
        return name

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON schema: one of the acts, each with its own arguments."""
        return {
            "oneOf": [_act_schema(name, act) for name, act in cls.acts.items()],
            "description": " ".join((cls.__doc__ or "").split()),
        }


def _act_schema(name: str, act: Act) -> dict[str, Any]:
    """Return the schema of a body that names an act; its arguments may be left out where none is needed."""
    needs_args = any(each.is_needed for each in act.parameters)
    return {
        "type": "object",
        "title": name,
        "description": f"{act.says} ({act.right})",
        "properties": {
            "act": {"type": "string", "const": name},
            "args": arguments.schema(act.parameters),
        },
        "required": ["act", *(["args"] if needs_args else [])],
        "additionalProperties": False,
    }
