"""Frozen records, quickly: copies with some fields changed, and answers that are kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

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
    """An object as a key that equals itself alone: `lru_cache` then asks which object it is.

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
    once. Whoever gets the answer may not change it. Any thread may ask.
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
