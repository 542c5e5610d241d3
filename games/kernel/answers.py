"""Answers that are kept for a while: of pure functions, until they are forgotten all at once.

A cache that only has a size fills up with answers about states that no table is in any more, and holds
those states. So the house forgets all kept answers every few minutes (games/ops/memory.py); what is asked
for again is worked out again, once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])

TABLES = 500
"""So many tables a process plays at once (tests/bench/results.md). A cache that holds less than all of them have
in use helps none of them: each answer is gone before it is asked for again."""

_forgetting: list[Callable[[], None]] = []


def keeps_answers(size: int) -> Callable[[F], F]:
    """Let a function keep its last `size` answers until `forget`; they are shared: not to be changed."""

    def keeper(function: F) -> F:
        keeping = lru_cache(maxsize=size)(function)
        _forgetting.append(keeping.cache_clear)
        return cast(F, keeping)

    return keeper


def forget() -> None:
    """Forget all kept answers. Any thread may."""
    for forget_those in _forgetting:
        forget_those()
