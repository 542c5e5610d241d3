"""Caches of results of pure functions, all cleared together at intervals.

A cache limited only by its size fills up with results for states that no table is in any more, and keeps
these states alive. So the house clears all caches every few minutes (games/ops/system/memory.py); a result that is
needed again is computed again, once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])

TABLES = 3000
"""The number of tables that a process plays at once (tests/bench/results).

A cache with room for fewer than all of them helps none: each result is dropped before it is needed again. It takes no
memory for tables that are not there.
"""

_forgetting: list[Callable[[], None]] = []


def keeps_answers(size: int) -> Callable[[F], F]:
    """Cache the last `size` results of a function until `forget`; they are shared, so callers must not change them."""

    def keeper(function: F) -> F:
        keeping = lru_cache(maxsize=size)(function)
        _forgetting.append(keeping.cache_clear)
        return cast(F, keeping)

    return keeper


def forget() -> None:
    """Clear all caches of results. Thread-safe."""
    for forget_answers in _forgetting:
        forget_answers()
