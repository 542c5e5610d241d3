"""Frozen records, quickly: copies with some fields changed, and answers that are kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, TypeVar

from games.kernel.answers import keeps_answers

R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")


def changed(record: R, **fields: Any) -> R:
    """Return a copy of a frozen dataclass with some fields changed.

    `dataclasses.replace` sets every field anew by way of `__init__`, which takes several times
    as long where fields are many. Needs a record without `__slots__`; raises TypeError for a
    field that it has not.
    """
    copy: R = object.__new__(type(record))
    values = copy.__dict__
    values.update(record.__dict__)
    count = len(values)
    values.update(fields)
    if len(values) != count:
        raise TypeError(f"{type(record).__name__} has not all of {', '.join(fields)}")
    return copy


class Same:
    """An object as a key that equals itself alone: a cache then asks which object it is.

    It must not be changed as long as the key is in use.
    """

    __slots__ = ("thing",)

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.thing is self.thing


def kept(function: Callable[[S], T]) -> Callable[[S], T]:
    """Let a function of a state remember what it said of the state that it saw last.

    A state is looked at for one seat after another; what is the same for all is worked out
    once. The answer is shared: nobody may change it. Any thread may ask.
    """
    last: list[tuple[S, T]] = []

    @wraps(function)
    def asked(state: S) -> T:
        for known, answer in last:
            if known is state:
                return answer
        answer = function(state)
        last[:] = [(state, answer)]
        return answer

    return asked


class _Parts:
    """A record as a key that equals another one with the very same parts; it keeps them alive."""

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
    """Let a function of a state remember its answers for states that share some parts.

    `parts` returns all that the answer depends on; states share what has not been `changed`.
    The answer is shared: nobody may change it. Any thread may ask. `size` answers are kept, with what
    they hold of their states: 2 to 10 kB each.
    """

    def keeper(function: Callable[[S], T]) -> Callable[[S], T]:
        @keeps_answers(size)
        def answer(key: _Parts) -> T:
            return function(key.record)

        @wraps(function)
        def asked(state: S) -> T:
            return answer(_Parts(state, parts(state)))

        return asked

    return keeper
