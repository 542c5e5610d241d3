"""The pairs of draws of versions 1 and 2: as many as possible, of little cost; kept to prove what they have drawn."""

from __future__ import annotations

from collections import deque
from itertools import combinations

from games.kernel.tournaments.pairing.matching import Costs, cheapest

VERY_FEW = 12
"""Up to so many people, all pairs are tried."""
FEW = 40
"""Up to so many people, three pairs are looked at together: with n people there are n³/48 of them."""
OTHER_PAIRS = ((0, 2, 1, 4, 3, 5), (0, 2, 1, 5, 3, 4), (0, 3, 1, 4, 2, 5), (0, 3, 1, 5, 2, 4),
               (0, 4, 1, 2, 3, 5), (0, 4, 1, 3, 2, 5), (0, 5, 1, 2, 3, 4), (0, 5, 1, 3, 2, 4))  # fmt: skip
"""The ways to pair six people so that none of the pairs (0, 1), (2, 3) and (4, 5) stays."""


def best_pairs(costs: Costs) -> list[tuple[int, int]]:
    """Return pairs of numbers: as many as there can be, of little cost; of the least where people are few.

    The cheapest pairs first, then Edmonds' augmenting paths for those who are left, then swaps of partners as long
    as they help. Equal costs follow the order of the numbers: shuffle before, where the lot shall decide.
    """
    mate = _greedy(costs)
    _augment(costs, mate)
    _improve(costs, mate)
    is_free = all(other < 0 or not costs[one][other] for one, other in enumerate(mate))
    if len(costs) <= VERY_FEW and not is_free:
        return _first_of_best(costs)
    while len(costs) <= FEW and _regroup(costs, mate):
        _improve(costs, mate)
    return [(one, other) for one, other in enumerate(mate) if one < other]


def _first_of_best(costs: Costs) -> list[tuple[int, int]]:
    """Return the best pairs; of equally good ones the first in the order of the numbers."""
    count = len(costs)
    base = count + 1
    pairs = combinations(range(count), 2)
    known = [(one, other, cost) for one, other in pairs if (cost := costs[one][other]) is not None]
    # Whoever comes first has the first partner, if any; that counts for more than all who follow.
    return cheapest(count, [(a, b, cost * base**base + (b - count) * base ** (count - a)) for a, b, cost in known])


def _greedy(costs: Costs) -> list[int]:
    """Return the partner of each vertex, -1 for none, of a first matching by the cheapest pairs."""
    count = len(costs)
    pairs = [
        (cost, one, other) for one in range(count) for other in range(one) if (cost := costs[one][other]) is not None
    ]
    mate = [-1] * count
    for _, one, other in sorted(pairs):
        if mate[one] < 0 and mate[other] < 0:
            mate[one], mate[other] = other, one
    return mate


def _improve(costs: Costs, mate: list[int]) -> None:
    """Let two pairs swap partners as long as the sum of costs falls."""
    is_better = True
    while is_better:
        is_better = False
        pairs = [(one, other) for one, other in enumerate(mate) if one < other]
        for at, (a, b) in enumerate(pairs):
            for c, d in pairs[:at]:
                # An earlier swap of this round may have parted them.
                if mate[a] != b or mate[c] != d:
                    continue
                now = (costs[a][b] or 0) + (costs[c][d] or 0)
                for one, other in ((c, d), (d, c)):
                    first, second = costs[a][one], costs[b][other]
                    if first is not None and second is not None and first + second < now:
                        mate[a], mate[one], mate[b], mate[other] = one, a, other, b
                        is_better = True
                        break


def _regroup(costs: Costs, mate: list[int]) -> bool:
    """Pair the people of three pairs in another way if the sum of costs falls; return whether it did."""
    pairs = [(one, other) for one, other in enumerate(mate) if one < other]
    prices = {pair: costs[pair[0]][pair[1]] or 0 for pair in pairs}
    for three in combinations(pairs, 3):
        now = sum(prices[pair] for pair in three)
        if not now:
            continue
        six = [one for pair in three for one in pair]
        for way in OTHER_PAIRS:
            new = [(six[way[at]], six[way[at + 1]]) for at in (0, 2, 4)]
            sums = [costs[one][other] for one, other in new]
            if None not in sums and sum(each or 0 for each in sums) < now:
                for one, other in new:
                    mate[one], mate[other] = other, one
                return True
    return False


def _augment(costs: Costs, mate: list[int]) -> None:
    """Pair more people as long as there is an augmenting path (Edmonds 1965)."""
    for root in range(len(costs)):
        if mate[root] < 0:
            _PathSearch(costs, mate).augment(root)


class _PathSearch:
    """The search for one augmenting path; odd cycles (blossoms) are contracted to their base."""

    def __init__(self, costs: Costs, mate: list[int]) -> None:
        self.costs = costs
        self.mate = mate
        self.count = len(costs)
        self.parent = [-1] * self.count
        self.base = list(range(self.count))
        self.is_outer = [False] * self.count
        self.waiting: deque[int] = deque()

    def augment(self, root: int) -> None:
        """Find an augmenting path from a vertex without a partner, and swap the pairs on it."""
        self.is_outer[root] = True
        self.waiting.append(root)
        while self.waiting:
            one = self.waiting.popleft()
            for other in range(self.count):
                if self.costs[one][other] is None or self.base[one] == self.base[other] or self.mate[one] == other:
                    continue
                if other == root or (self.mate[other] >= 0 and self.parent[self.mate[other]] >= 0):
                    self._contract(one, other, root)
                elif self.parent[other] < 0:
                    self.parent[other] = one
                    if self.mate[other] < 0:
                        self._swap(other)
                        return
                    self.is_outer[self.mate[other]] = True
                    self.waiting.append(self.mate[other])

    def _swap(self, end: int) -> None:
        """Swap the pairs on the path that ends here."""
        while end >= 0:
            before = self.parent[end]
            following = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = following

    def _contract(self, one: int, other: int, root: int) -> None:
        """Contract the blossom of two outer people."""
        base = self._common(one, other, root)
        inside = [False] * self.count
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        for each in range(self.count):
            if inside[self.base[each]]:
                self.base[each] = base
                if not self.is_outer[each]:
                    self.is_outer[each] = True
                    self.waiting.append(each)

    def _common(self, one: int, other: int, root: int) -> int:
        """Return the base at which the paths of two people to the root meet."""
        seen = set()
        while True:
            one = self.base[one]
            seen.add(one)
            if one == root or self.mate[one] < 0:
                break
            one = self.parent[self.mate[one]]
        while self.base[other] not in seen:
            other = self.parent[self.mate[self.base[other]]]
        return self.base[other]

    def _mark(self, one: int, base: int, child: int, inside: list[bool]) -> None:
        """Mark the bases on the way from a vertex to the blossom's base."""
        while self.base[one] != base:
            inside[self.base[one]] = inside[self.base[self.mate[one]]] = True
            self.parent[one] = child
            child = self.mate[one]
            one = self.parent[self.mate[one]]
