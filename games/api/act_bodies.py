"""The bodies of the API's requests that carry out an act, made from the act's declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar

from rest_framework import serializers

from games.api.fields import Body, Moment, Text, Whole, YesNo
from games.kernel.contract import Illegal
from games.services import arguments
from games.services.acts import DeclaredActs
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

    acts: ClassVar[DeclaredActs[Any, Any]]
    act = Text(max_length=24)
    args = serializers.DictField(required=False)

    def validate_act(self, name: str) -> str:
        """Return the name of an act; raises Illegal `bad_argument` for another."""
        if name not in self.acts or self.acts[name].by_page:
            raise Illegal("bad_argument", name="act")
        return name

    @classmethod
    def schema(cls, plain: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schema of the body: its fields, and each act with its own arguments."""
        told = {name: act for name, act in cls.acts.items() if not act.by_page}
        says = {name: f"{act.says} ({act.right})" for name, act in told.items()}
        return plain | one_of("act", {name: arguments.schema(act.parameters) for name, act in told.items()}, says)


def one_of(field: str, args: Mapping[str, Mapping[str, Any]], says: Mapping[str, str]) -> dict[str, Any]:
    """Return the part of a body's schema that ties the schema of `args` to the name in the field `field`.

    `args` maps each name to the schema of its arguments, which may be left out where none is needed.
    """
    return {"oneOf": [_variant(field, name, shape, says.get(name, "")) for name, shape in args.items()]}


def _variant(field: str, name: str, args: Mapping[str, Any], says: str) -> dict[str, Any]:
    """Return the schema of a body that has a name in a field."""
    about = {"description": says} if says else {}
    return {
        "title": name,
        **about,
        "properties": {field: {"const": name}, "args": dict(args)},
        "required": [field, *(["args"] if args.get("required") or "anyOf" in args else [])],
    }
