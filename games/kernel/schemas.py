"""JSON schemas of a game's events, made from their declarations (JSON Schema, draft 2020-12)."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from games.kernel.contract import JsonObject
from games.kernel.events import Fact, Registry

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: Mapping[Any, str] = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}


def event_schemas(events: Registry[Any]) -> dict[str, JsonObject]:
    """Return event name → schema of its data, in the order of the names."""
    return {name: event_schema(kind) for name, kind in sorted(events.kinds.items())}


def event_schema(kind: type[Fact[Any]]) -> JsonObject:
    """Return the schema of an event's data in its newest version.

    Fields with a default may be left out; `description` is the declaration's own. Raises TypeError for a field
    whose type is not one of JSON.
    """
    hints = get_type_hints(kind)
    return {
        "$schema": DIALECT,
        "title": kind.name,
        "description": " ".join((kind.__doc__ or "").split()),
        "type": "object",
        "properties": {name: _schema(hints[name], kind.name) for name in kind.annotations()},
        "required": sorted(kind.annotations().keys() - kind.defaults().keys()),
        "additionalProperties": False,
    }


def _schema(hint: Any, event: str) -> JsonObject:
    """Return the schema of a field's type."""
    if hint is Any:
        return {}
    if (simple := _SIMPLE.get(hint)) is not None:
        return {"type": simple}
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return {"anyOf": [_schema(each, event) for each in inner]}
    if origin is list:
        return {"type": "array", "items": _schema(inner[0], event)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inner[1], event)}
    raise TypeError(f"{event}: {hint} is no type of JSON")
