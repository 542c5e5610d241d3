"""The published shapes of what games send: JSON schemas, and the types of the modules in the browser.

Of each game `GAME.json` has the schemas of its events, its choices and its view, `GAME.d.ts` the same as a namespace of
TypeScript; `house.d.ts` has what all games share.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.kernel.contract import JsonObject
from games.kernel.json.schemas import choice_schemas, event_schemas, of_shapes, view_schema
from games.kernel.sent import KitView, NoArguments, SentChoice, SentEvent, SentHeadline, SentTable, TypedFaces
from games.plugin import GameConfig

WIDTH = 116
_SHARED = of_shapes(SentChoice, SentEvent, SentHeadline, SentTable, KitView, NoArguments, TypedFaces)
_WORDS = {"boolean": "boolean", "integer": "number", "number": "number", "string": "string", "null": "null"}
_HEAD = "// Written by `manage.py browser_types` from the declarations in Python.\n"
_GENERIC = """
  /** A choice of a game, by its name, its arguments and the data of its words. */
  type ChoiceOf<Name extends string, Args, About = undefined> =
    Omit<SentChoice, "name" | "options" | "about"> & { name: Name; options?: Args[]; about?: About };
  /** An event that not everybody may read, and those of the house. */
  type OtherEvent = { type: "hidden"; data?: undefined } | { type: `table.${string}`; data: any };
  /** The events of a game, from the shapes of their data by their names. */
  type EventOf<Events> =
    { [Name in keyof Events]: { type: Name; data: Events[Name]; v?: number; private?: boolean } }[keyof Events];
"""


def files(games: Iterable[GameConfig]) -> dict[str, str]:
    """Return the files by their names, with those of these games; of a game without shapes only its events."""
    found = {"house.d.ts": house_types()}
    for game in games:
        rules = game.rules
        shapes: JsonObject = {"events": event_schemas(rules.events), "choices": choice_schemas(rules)}
        if (view := view_schema(rules)) is not None:
            shapes["view"] = view
        found[f"{game.game_id}.json"] = json.dumps(shapes, indent=1, ensure_ascii=False) + "\n"
        found[f"{game.game_id}.d.ts"] = game_types(game.game_id, shapes)
    return found


def house_types() -> str:
    """Return the types of what all games share."""
    return f"{_HEAD}declare namespace House {{{''.join(_interfaces(_SHARED))}{_GENERIC}}}\n"


def game_types(game_id: str, shapes: JsonObject) -> str:
    """Return the types of a game, from its schemas."""
    every = [*shapes["events"].values(), *shapes["choices"].values(), shapes.get("view", {})]
    named = {name: part for schema in every for name, part in schema.get("$defs", {}).items()}
    parts = {name: part for name, part in named.items() if name not in _SHARED}
    if "view" in shapes:
        parts["View"] = shapes["view"]
    inside = [
        *_interfaces(dict(sorted(parts.items()))),
        *_table("Events", "The data of each event.", {name: _object(one, 4) for name, one in shapes["events"].items()}),
        "  type Event = House.EventOf<Events>;\n",
        *_table("Choices", "Each choice.", {name: _choice(name, one) for name, one in shapes["choices"].items()}),
        "  type Choice = Choices[keyof Choices];\n",
    ]
    return f"{_HEAD}declare namespace {game_id.title()} {{{''.join(inside)}}}\n"


def _interfaces(parts: Mapping[str, JsonObject]) -> Iterator[str]:
    for name, schema in parts.items():
        yield _comment(schema.get("description", ""))
        yield f"  type {name} = {_object(schema)};\n"


def _table(name: str, text: str, rows: Mapping[str, str]) -> Iterator[str]:
    yield _comment(text)
    yield f"  interface {name} {{\n"
    yield from (f"    {key}: {value};\n" for key, value in rows.items())
    yield "  }\n"


def _comment(text: str) -> str:
    if not text:
        return "\n"
    lines = textwrap.wrap(text, WIDTH - len("   * "))
    inside = f" {lines[0]} " if len(lines) == 1 else "".join(f"\n   * {line}" for line in lines) + "\n   "
    return f"\n  /**{inside}*/\n"


def _choice(name: str, schema: JsonObject) -> str:
    properties = schema["properties"]
    shapes = [json.dumps(name), _type(properties["options"]["items"])]
    shapes += [_type(properties["about"])] if "about" in properties else []
    return f"House.ChoiceOf<{', '.join(shapes)}>"


def _object(schema: JsonObject, indent: int = 2) -> str:
    needed = schema["required"]
    rows = [f"{name}{'' if name in needed else '?'}: {_type(one)}" for name, one in schema["properties"].items()]
    if len(short := "; ".join(rows)) < WIDTH - 40:
        return f"{{ {short} }}" if rows else "{}"
    inside = "".join(f"{' ' * (indent + 2)}{row};\n" for row in rows)
    return f"{{\n{inside}{' ' * indent}}}"


def _type(schema: JsonObject) -> str:
    """Return a schema as a type of TypeScript."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[1]
        return f"House.{name}" if name in _SHARED else name
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(word) for word in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return _list(schema)
    if kind == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return _WORDS[kind] if kind else "any"


def _list(schema: JsonObject) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(each) for each in schema['prefixItems'])}]"
    item: Any = _type(schema["items"])
    return f"({item})[]" if " | " in item else f"{item}[]"
