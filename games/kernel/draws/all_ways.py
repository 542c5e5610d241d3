"""All ways to seat few people at tables, so that the fewest earlier meetings are found for sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

MOST = 10_000
"""As many ways are gone through: 12 people at three tables have 5,775."""

Group = tuple[str, ...]
Sizes = tuple[int, ...]


def are_few(groups: Sequence[Group], places: Sizes) -> bool:
    """Tell whether so few ways lead to tables of these sizes that each can be looked at."""
    sizes = tuple(len(group) for group in groups)
    return _count(sizes, sum(places) - sum(sizes), tuple(sorted(places))) <= MOST


@lru_cache(maxsize=4096)
def _count(groups: Sizes, singles: int, places: Sizes) -> int:
    """Return the number of ways for groups and single people; tables of one size are not told apart."""
    if not places:
        return 1
    first, others = (groups[0], singles) if groups else (1, singles - 1)
    return sum(
        comb(others, size - first) * _count(groups[1:], others - size + first, _without(places, size))
        for size in set(places)
        if size >= first
    )


def each(groups: Sequence[Group], singles: Group, places: Sizes) -> Iterator[list[Group]]:
    """Yield all ways: the tables in no order. Groups sit at a table of their own, single people anywhere."""
    if not places:
        yield []
        return
    first, others = (groups[0], singles) if groups else (singles[:1], singles[1:])
    for size in sorted(set(places)):
        for more in combinations(others, size - len(first)) if size >= len(first) else ():
            left = tuple(name for name in others if name not in more)
            for rest in each(groups[1:], left, _without(places, size)):
                yield [first + more, *rest]


def _without(places: Sizes, size: int) -> Sizes:
    at = places.index(size)
    return places[:at] + places[at + 1 :]
