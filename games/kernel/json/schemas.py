"""JSON schemas of a game's events, choices and view, made from their declarations (JSON Schema, draft 2020-12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from games.kernel.contract import JsonObject
from games.kernel.events import Fact, Registry
from games.kernel.rules import Rules
from games.kernel.sent import ChoiceShape, Items, OneOf, SentChoice

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: Mapping[Any, str] = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "boolean": bool, "integer": int, "number": (int, float), "string": str, "null": NoneType,
}  # fmt: skip


def event_schemas(events: Registry[Any]) -> dict[str, JsonObject]:
    """Return event name → schema of its data, in the order of the names."""
    return {name: event_schema(kind) for name, kind in sorted(events.kinds.items())}


def event_schema(kind: type[Fact[Any]]) -> JsonObject:
    """Return the schema of an event's data in its newest version.

    Fields with a default may be left out; `description` is the declaration's own. Raises TypeError for a field
    whose type is not one of JSON.
    """
    hints, shapes = get_type_hints(kind, include_extras=True), _Shapes(kind.name)
    found = {
        "$schema": DIALECT,
        "title": kind.name,
        "description": described(kind),
        "type": "object",
        "properties": {name: shapes.schema(hints[name]) for name in kind.annotations()},
        "required": sorted(kind.annotations().keys() - kind.defaults().keys()),
        "additionalProperties": False,
    }
    return shapes.with_parts(found)


def view_schema(rules: Rules[Any]) -> JsonObject | None:
    """Return the schema of a game's view; None for a game that does not declare its shape."""
    if rules.view_shape is None:
        return None
    shapes = _Shapes("view")
    return shapes.with_parts({"$schema": DIALECT, "title": "view", **shapes.of_object(rules.view_shape)})


def choice_schemas(rules: Rules[Any]) -> dict[str, JsonObject]:
    """Return choice name → schema of the choice as sent, in the order of the names."""
    return {name: _choice_schema(name, shape) for name, shape in sorted(rules.choice_shapes.items())}


def argument_schemas(rules: Rules[Any]) -> dict[str, JsonObject]:
    """Return choice name → schema of the arguments that answer it, whole in itself, in the order of the names."""
    return {
        name: _Shapes(name, is_whole=True).schema(shape.arguments)
        for name, shape in sorted(rules.choice_shapes.items())
    }


def of_shapes(*shapes: type[Any]) -> dict[str, JsonObject]:
    """Return the schemas of TypedDicts, and of those that they name, by their names."""
    found = _Shapes("shapes")
    for shape in shapes:
        found.schema(shape)
    return found.parts


def _choice_schema(name: str, shape: ChoiceShape) -> JsonObject:
    shapes = _Shapes(name)
    found = shapes.of_object(SentChoice)
    properties = found["properties"]
    properties["name"] = {"const": name}
    properties["options"] = {"type": "array", "items": shapes.schema(shape.arguments)}
    del properties["about"]
    if shape.about is not None:
        properties["about"] = shapes.schema(shape.about)
    return shapes.with_parts({"$schema": DIALECT, "title": name, **found, "description": described(shape.arguments)})


def described(declared: type[Any]) -> str:
    """Return what a declaration says of itself, on one line."""
    return " ".join((vars(declared).get("__doc__") or "").split())


def members(shape: type[Any]) -> Iterator[tuple[str, Any, bool]]:
    """Yield each member of a TypedDict: its name, its type, and whether it is always there."""
    for name, hint in get_type_hints(shape, include_extras=True).items():
        is_optional = get_origin(hint) is NotRequired
        yield name, get_args(hint)[0] if is_optional else hint, not is_optional


class _Shapes:
    """The schemas of types; each TypedDict that they name is a part, `$defs`, of its own, unless all is whole."""

    def __init__(self, title: str, *, is_whole: bool = False) -> None:
        self.title, self.is_whole = title, is_whole
        self.parts: dict[str, JsonObject] = {}

    def with_parts(self, schema: JsonObject) -> JsonObject:
        """Return a schema with the parts that it names."""
        return {**schema, "$defs": dict(sorted(self.parts.items()))} if self.parts else schema

    def of_object(self, shape: type[Any]) -> JsonObject:
        """Return the schema of a TypedDict."""
        found = list(members(shape))
        return {
            "description": described(shape),
            "type": "object",
            "properties": {name: self.schema(hint) for name, hint, _ in found},
            "required": sorted(name for name, _, is_needed in found if is_needed),
            "additionalProperties": False,
        }

    def schema(self, hint: Any) -> JsonObject:
        """Return the schema of a type; raises TypeError for one that is not of JSON."""
        if hint is Any or hint is object:
            return {}
        if (simple := _SIMPLE.get(hint)) is not None:
            return {"type": simple}
        if is_typeddict(hint):
            return self._part(hint)
        origin, inner = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._marked(inner[0], inner[1:])
        if origin in (UnionType, Union):
            return {"anyOf": [self.schema(each) for each in inner]}
        if origin is list:
            return {"type": "array", "items": self.schema(inner[0])}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.schema(inner[1])}
        raise TypeError(f"{self.title}: {hint} is no type of JSON")

    def _part(self, shape: type[Any]) -> JsonObject:
        if self.is_whole:
            return self.of_object(shape)
        name = shape.__name__
        if name not in self.parts:
            self.parts[name] = {}
            self.parts[name] = self.of_object(shape)
        return {"$ref": f"#/$defs/{name}"}

    def _marked(self, hint: Any, marks: tuple[Any, ...]) -> JsonObject:
        for mark in marks:
            if isinstance(mark, OneOf):
                return {"enum": list(mark.words)}
            if isinstance(mark, Items):
                items = [self.schema(each) for each in mark.types]
                return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        return self.schema(hint)


def is_as_declared(value: Any, schema: JsonObject | None, parts: Mapping[str, JsonObject] | None = None) -> bool:
    """Tell whether a JSON value keeps to a schema of this module; False without one."""
    if schema is None:
        return False
    parts = schema.get("$defs", {}) if parts is None else parts
    if "$ref" in schema:
        return is_as_declared(value, parts[schema["$ref"].rsplit("/", 1)[1]], parts)
    if "anyOf" in schema:
        return any(is_as_declared(value, each, parts) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return value in schema.get("enum", [schema.get("const")])
    kind = schema.get("type")
    if kind == "object":
        return isinstance(value, dict) and _is_object(value, schema, parts)
    if kind == "array":
        return isinstance(value, list) and _is_list(value, schema, parts)
    return kind is None or (isinstance(value, _KINDS[kind]) and isinstance(value, bool) is (kind == "boolean"))


def _is_object(value: JsonObject, schema: JsonObject, parts: Mapping[str, JsonObject]) -> bool:
    known, rest = schema.get("properties", {}), schema["additionalProperties"]
    if not value.keys() >= set(schema.get("required", ())) or (rest is False and not value.keys() <= known.keys()):
        return False
    return all(is_as_declared(member, known.get(name, rest), parts) for name, member in value.items())


def _is_list(value: list[Any], schema: JsonObject, parts: Mapping[str, JsonObject]) -> bool:
    if "prefixItems" not in schema:
        return all(is_as_declared(item, schema["items"], parts) for item in value)
    each = schema["prefixItems"]
    return len(value) == len(each) and all(is_as_declared(a, b, parts) for a, b in zip(value, each, strict=True))
