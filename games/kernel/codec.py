"""Conversion of records to JSON and back, by the annotations of their fields.

`codec(State)` returns the `dump` and `load` of the contract. A record is a frozen dataclass; a
field holds another record, a `tuple[X, ...]` or `tuple[X, Y]`, a mapping with string keys, a JSON
value, or any of these or None. A record becomes an object of its fields, a tuple becomes a list.
JSON values are not copied: do not change a value that was dumped or loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from games.kernel.contract import JsonObject

T = TypeVar("T")

_PLAIN = (int, str, bool, float, NoneType, Any)


class _Ways(NamedTuple):
    """The two functions of one type: to JSON, and back."""

    dump: Callable[[Any], Any]
    load: Callable[[Any], Any]


def codec(kind: type[T]) -> tuple[Callable[[T], JsonObject], Callable[[JsonObject], T]]:
    """Return `dump` and `load` of a record type, made at the first call.

    They raise TypeError for a record with a field that has no form in JSON; `load` raises
    KeyError for an object that lacks a field.
    """
    record_type: Any = kind

    def dump(record: T) -> JsonObject:
        raw: JsonObject = _record(record_type).dump(record)
        return raw

    def load(raw: JsonObject) -> T:
        record: T = _record(record_type).load(raw)
        return record

    return dump, load


@cache
def _record(kind: type[Any]) -> _Ways:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    nested = {name: ways for name in names if (ways := _ways(hints[name])) is not None}
    plain = [name for name in names if name not in nested]

    def dump(record: Any) -> JsonObject:
        raw = {name: getattr(record, name) for name in names}
        for name, ways in nested.items():
            raw[name] = ways.dump(raw[name])
        return raw

    def load(raw: JsonObject) -> Any:
        values = {name: raw[name] for name in plain}
        for name, ways in nested.items():
            values[name] = ways.load(raw[name])
        return kind(**values)

    return _Ways(dump, load)


def _ways(kind: Any) -> _Ways | None:
    """Return the conversion of a field; None if its value is JSON already."""
    if kind in _PLAIN:
        return None
    if isinstance(kind, type) and is_dataclass(kind):
        return _nested(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _list_of(_ways(args[0])) if args[1:] == (...,) else _row_of([_ways(arg) for arg in args])
    if origin in (Union, UnionType):
        return _one_of(args)
    if isinstance(origin, type) and issubclass(origin, Mapping) and args[0] is str and _ways(args[1]) is None:
        return None
    raise TypeError(f"{kind} has no form in JSON")


def _nested(kind: type[Any]) -> _Ways:
    """Return the conversion of a record in a field.

    It looks the record's own conversion up at each call, because a record may contain its own type.
    """
    record_type: Any = kind
    return _Ways(lambda record: _record(record_type).dump(record), lambda raw: _record(record_type).load(raw))


def _list_of(ways: _Ways | None) -> _Ways:
    if ways is None:
        return _Ways(list, tuple)
    return _Ways(lambda value: [ways.dump(v) for v in value], lambda raw: tuple([ways.load(v) for v in raw]))


def _row_of(columns: Sequence[_Ways | None]) -> _Ways:
    if not any(columns):
        return _Ways(list, tuple)

    def dump(row: Any) -> list[Any]:
        return [value if ways is None else ways.dump(value) for ways, value in zip(columns, row, strict=True)]

    def load(raw: Any) -> tuple[Any, ...]:
        return tuple(value if ways is None else ways.load(value) for ways, value in zip(columns, raw, strict=True))

    return _Ways(dump, load)


def _one_of(kinds: Sequence[Any]) -> _Ways | None:
    """Return the conversion of a union: None if all its types are JSON already, else that of one other type or None."""
    nested = [ways for kind in kinds if (ways := _ways(kind)) is not None]
    if not nested:
        return None
    if len(kinds) != 2 or NoneType not in kinds:
        raise TypeError(f"{' | '.join(map(str, kinds))} cannot be told apart in JSON")
    (ways,) = nested
    return _Ways(
        lambda value: None if value is None else ways.dump(value),
        lambda raw: None if raw is None else ways.load(raw),
    )
