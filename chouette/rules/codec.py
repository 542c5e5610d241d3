"""The state as JSON and back: a cache of the log, keyed by the rules' version."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from chouette.rules.state import State
from games.kernel.contract import JsonObject


def dump(state: State) -> JsonObject:
    """Return the state as JSON."""
    raw: JsonObject = _plain(state)
    return raw


def load(raw: JsonObject) -> State:
    """Return the state that `dump` wrote."""
    state: State = _typed(State, raw)
    return state


def _plain(value: Any) -> Any:
    """Return a record as an object of its fields, a tuple as a list, the rest as it is."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(getattr(value, name)) for name in _hints(type(value))}
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def _typed(kind: Any, value: Any) -> Any:
    """Return a JSON value as what a type hint asks for."""
    if value is None:
        return None
    if is_dataclass(kind) and isinstance(kind, type):
        return kind(**{name: _typed(h, value[name]) for name, h in _hints(kind).items()})
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _typed(next(arg for arg in args if arg is not type(None)), value)
    if origin is tuple:
        kinds = [args[0]] * len(value) if args[1:] == (...,) else args
        return tuple(_typed(k, v) for k, v in zip(kinds, value, strict=True))
    return value


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    """Return the fields of a record with their types."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
