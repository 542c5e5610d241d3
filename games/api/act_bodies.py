"""The bodies of the API's requests that carry out an act, made from the act's declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, TypeAlias

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import View
from games.api.fields import Body, Text
from games.api.schema import described
from games.kernel.contract import Illegal
from games.refusals import translate
from games.services import arguments
from games.services.acts import Act, DeclaredActs

Find: TypeAlias = Callable[[Request, str], Any]
Tell: TypeAlias = Callable[[Request, Any, Any], Any]


class ArgsOf(Body):
    """The body of an address that an act has had since 1.0.0: the act's arguments, as they are declared."""

    act: ClassVar[Act]

    def to_internal_value(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments; raises ValidationError, as 1.0.0 did, for one that cannot be read."""
        try:
            sent = {name: _as_in_1_0(value) for name, value in data.items()}
            return arguments.told_all(self.act.parameters, sent)
        except Illegal as refused:
            name = str(refused.params["name"])
            raise ValidationError({name: [translate(refused.code, refused.params)]}) from None

    @classmethod
    def schema(cls, plain: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schema of the arguments."""
        return plain | arguments.schema(cls.act.parameters)


def _as_in_1_0(value: Any) -> Any:
    """Return a value as acts take it: 5.0, which 1.0.0 took, is 5, and a time without a zone one of the house's."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    with suppress(TypeError, ValueError, OverflowError):
        found = parse_datetime(value)
        return timezone.make_aware(found).isoformat() if found and found.tzinfo is None else value
    return value


def old_act(acts: DeclaredActs[Any, Any], name: str, find: Find, tell: Tell, **told: Any) -> Callable[..., Response]:
    """Return the POST of an address that an act has had since 1.0.0, described as `told` (`described`).

    `find` returns the thing by its address, `tell` the answer by the thing and what the service has returned.
    """
    title = f"{name.title().replace('_', '')}Body"
    about = {"__doc__": "The arguments of the act.", "__module__": __name__, "act": acts[name]}
    body: Any = type(title, (ArgsOf,), about)

    @described(is_old=True, body=body, **told)
    def post(self: View, request: Request, public_id: str) -> Response:
        """Carry out the act."""
        args, player = self.body(body), self.player()
        thing = find(request, public_id)
        done = acts.do(thing, player, name, args)
        return Response(tell(request, thing, done), told.get("status", 200))

    return post


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
    return {
        "oneOf": [
            {
                "title": name,
                **({"description": says[name]} if says.get(name) else {}),
                "properties": {field: {"const": name}, "args": dict(shape)},
                "required": [field, *(["args"] if shape.get("required") or "anyOf" in shape else [])],
            }
            for name, shape in args.items()
        ]
    }
