"""Fast helpers for frozen records: copies with changed fields, and cached results of pure functions.

A cache limited only by its size fills up with results for states that no table is in any more, and keeps
these states alive. So the house clears all caches every few minutes (games/ops/system/memory.py); a result that is
needed again is computed again, once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar, cast

__all__ = [
    "TABLES",
    "Same",
    "as_dict",
    "as_list",
    "changed",
    "forget_answers",
    "keeps_answers",
    "kept",
    "kept_by",
    "record",
]

F = TypeVar("F", bound=Callable[..., object])
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

_set = object.__setattr__
"""Sets an attribute of a frozen record, too."""

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen: bool, slots: bool = False) -> Callable[[type], type]:
        """Make a class a dataclass that is frozen for the type checker alone, with the hash of a frozen one.

        A frozen one takes four times as long to make. For classes of which every move makes several.
        """
        return dataclass(slots=slots, unsafe_hash=frozen)


TABLES = 3000
"""The number of tables that a process plays at once (tests/bench/results).

A cache with room for fewer than all of them helps none: each result is dropped before it is needed again. It takes no
memory for tables that are not there.
"""

_forgetting: list[Callable[[], None]] = []


def keeps_answers(size: int) -> Callable[[F], F]:
    """Cache the last `size` results of a function; they are shared, so callers must not change them."""

    def keeper(function: F) -> F:
        keeping = lru_cache(maxsize=size)(function)
        _forgetting.append(keeping.cache_clear)
        return cast(F, keeping)

    return keeper


def forget_answers() -> None:
    """Clear all caches of results. Thread-safe."""
    for forget in _forgetting:
        forget()


def changed(record: R, **fields: Any) -> R:
    """Return a copy of a frozen dataclass with some fields changed.

    Faster than `dataclasses.replace`, which sets every field again through `__init__`. Works only for
    records without `__slots__`; raises TypeError for a field that the record does not have.
    """
    # A dict's `copy` takes half as long as an `update` of an empty one.
    values = record.__dict__.copy()
    count = len(values)
    values.update(fields)
    if len(values) != count:
        raise TypeError(f"{type(record).__name__} has not all of {', '.join(fields)}")
    copy: R = object.__new__(type(record))
    _set(copy, "__dict__", values)
    return copy


class Same:
    """A cache key for an object, compared by identity.

    The object must not be changed while the key is in use.
    """

    __slots__ = ("thing",)

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.thing is self.thing


def kept(function: Callable[[S], T]) -> Callable[[S], T]:
    """Cache the last result of a function of a state, keyed by the state's identity.

    The same state is usually read for one seat after another; parts that are equal for all seats are computed
    once. The result is shared, so callers must not change it. Thread-safe.
    """
    last: list[tuple[S, T]] = []

    @wraps(function)
    def answer_of(state: S) -> T:
        for known, answer in last:
            if known is state:
                return answer
        answer = function(state)
        last[:] = [(state, answer)]
        return answer

    return answer_of


def as_dict(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a mapping as a dict: the same one for the same mapping, so never change it."""
    return _dict_of(Same(values))


def as_list(values: tuple[T, ...]) -> list[T]:
    """Return a copy of a tuple as a list: the same one for the same tuple, so never change it."""
    found: list[T] = _list_of(Same(values))
    return found


@keeps_answers(2 * TABLES)
def _dict_of(values: Same) -> dict[str, Any]:
    return dict(values.thing)


@keeps_answers(2 * TABLES)
def _list_of(values: Same) -> list[Any]:
    return list(values.thing)


class _Parts:
    """A cache key for a record, compared by the identity of some of its parts; it keeps the parts alive."""

    __slots__ = ("_hash", "parts", "record")

    def __init__(self, record: Any, parts: tuple[Any, ...]) -> None:
        self.record = record
        self.parts = parts
        self._hash = hash(tuple(map(id, parts)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Parts) and all(map(is_, self.parts, other.parts))


def kept_by(parts: Callable[[S], tuple[Any, ...]], size: int) -> Callable[[Callable[[S], T]], Callable[[S], T]]:
    """Cache up to `size` results of a function of a state, keyed by the identity of parts of the state.

    `parts` returns everything that the result depends on; a copy made by `changed` shares the parts that were not
    changed. Results are shared, so callers must not change them. Thread-safe. Each cached result takes 2 to 10 kB
    together with the parts of the state that it keeps alive.
    """

    def keeper(function: Callable[[S], T]) -> Callable[[S], T]:
        @keeps_answers(size)
        def answer(key: _Parts) -> T:
            return function(key.record)

        @wraps(function)
        def answer_of(state: S) -> T:
            return answer(_Parts(state, parts(state)))

        return answer_of

    return keeper
