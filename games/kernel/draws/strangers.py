"""The search for tables of people who have met least.

All ways to seat few people at tables, so that the fewest earlier meetings are found for sure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import comb

from games.kernel.draws.lots import Lot

MOST_WAYS = 10_000
"""As many ways are gone through: 12 people at three tables have 5,775."""

Group = tuple[str, ...]
Sizes = tuple[int, ...]


def are_few_ways(groups: Sequence[Group], places: Sizes) -> bool:
    """Tell whether so few ways lead to tables of these sizes that each can be looked at."""
    sizes = tuple(len(group) for group in groups)
    return _count(sizes, sum(places) - sum(sizes), tuple(sorted(places))) <= MOST_WAYS


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


def all_ways(groups: Sequence[Group], singles: Group, places: Sizes) -> Iterator[list[Group]]:
    """Yield all ways: the tables in no order. Groups sit at a table of their own, single people anywhere."""
    if not places:
        yield []
        return
    first, others = (groups[0], singles) if groups else (singles[:1], singles[1:])
    for size in sorted(set(places)):
        for more in combinations(others, size - len(first)) if size >= len(first) else ():
            left = tuple(name for name in others if name not in more)
            for rest in all_ways(groups[1:], left, _without(places, size)):
                yield [first + more, *rest]


def _without(places: Sizes, size: int) -> Sizes:
    at = places.index(size)
    return places[:at] + places[at + 1 :]


EVALUATIONS = 30_000
"""Swaps that are weighed in one draw: 40 people take some 30 milliseconds."""
STARTS = 3

Tables = list[list[str]]
Met = Mapping[frozenset[str], int]


def repeats(tables: Sequence[Sequence[str]], met: Met) -> int:
    """Return the sum of earlier meetings over all pairs at one table."""
    return sum(met.get(frozenset(pair), 0) for table in tables for pair in combinations(table, 2))


def fewest_of_all(order: Sequence[str], groups: Sequence[Group], places: Sizes, met: Met, lot: Lot) -> Tables:
    """Return tables with the least repeats of all ways, larger ones first; of equal ones those that the lot names."""
    grouped = {name for group in groups for name in group}
    repeats_at = cache(lambda table: repeats([table], met))
    least, found = -1, list[list[Group]]()
    for tables in all_ways(groups, tuple(name for name in order if name not in grouped), places):
        number = sum(map(repeats_at, tables))
        if not found or number < least:
            least, found = number, [tables]
        elif number == least:
            found.append(tables)
    return sorted(map(list, found[lot.below(len(found))]), key=len, reverse=True)


def fewest_repeats(starts: Sequence[Tables], met: Met, fixed: Collection[str], lot: Lot) -> Tables:
    """Return tables with few repeats, found by swaps from several starts; people of `fixed` keep their places."""
    best, fewest = starts[0], repeats(starts[0], met)
    for start in starts:
        if fewest:
            search = _SeatingSearch(start, met, fixed, lot)
            search.run()
            if search.fewest < fewest:
                best, fewest = search.best(), search.fewest
    return best


class _SeatingSearch:
    """A local search from one seating: a person of a repeated pair swaps places with the best other person.

    The swap is made also where it brings repeats, so that the search leaves a local minimum.
    """

    def __init__(self, tables: Tables, met: Met, fixed: Collection[str], lot: Lot) -> None:
        self.people = [name for table in tables for name in table]
        self.where = [at for at, table in enumerate(tables) for _ in table]
        self.times = [[met.get(frozenset((a, b)), 0) for b in self.people] for a in self.people]
        self.free = [at for at, name in enumerate(self.people) if name not in fixed]
        self.number = len(tables)
        self.lot = lot
        # For each person and table: the meetings with those who sit there.
        self.load = [[0] * self.number for _ in self.people]
        for row, load in zip(self.times, self.load, strict=True):
            for at, times in enumerate(row):
                load[self.where[at]] += times
        self.now = self.fewest = sum(load[at] for load, at in zip(self.load, self.where, strict=True)) // 2
        self.kept = list(self.where)

    def best(self) -> Tables:
        """Return the tables with the fewest repeats that were seen."""
        tables: Tables = [[] for _ in range(self.number)]
        for name, at in zip(self.people, self.kept, strict=True):
            tables[at].append(name)
        return tables

    def run(self) -> None:
        """Swap until no pair is repeated, or the number of steps is used up."""
        for _ in range(EVALUATIONS // STARTS // max(1, len(self.free))):
            unhappy = [at for at in self.free if self.load[at][self.where[at]]]
            if not unhappy:
                return
            one = unhappy[self.lot.below(len(unhappy))]
            other, gain = self._best_swap(one)
            if other < 0:
                continue
            self._swap(one, other)
            self.now += gain
            if self.now < self.fewest:
                self.fewest, self.kept = self.now, list(self.where)
            if not self.now:
                return

    def _best_swap(self, one: int) -> tuple[int, int]:
        """Return the best person to swap with, -1 without one, and the growth of the repeats by the swap."""
        here = self.where[one]
        load, times = self.load[one], self.times[one]
        ties: list[int] = []
        least = 0
        for other in self.free:
            there = self.where[other]
            if there == here:
                continue
            theirs = self.load[other]
            growth = load[there] - load[here] + theirs[here] - theirs[there] - 2 * times[other]
            if not ties or growth < least:
                ties, least = [other], growth
            elif growth == least:
                ties.append(other)
        return (ties[self.lot.below(len(ties))], least) if ties else (-1, 0)

    def _swap(self, one: int, other: int) -> None:
        """Let two people change places."""
        here, there = self.where[one], self.where[other]
        ones, others = self.times[one], self.times[other]
        for at, load in enumerate(self.load):
            difference = ones[at] - others[at]
            load[here] -= difference
            load[there] += difference
        self.where[one], self.where[other] = there, here
