"""The rounds that remain: whether they can be played without a pair twice, by lots or by trying everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.pairing.matching import Costs

Numbers = tuple[tuple[int, int], ...]
"""Pairs of people, each by their numbers, the smaller one first."""
Allowed = Sequence[Sequence[bool]]
"""For each two people, by their numbers, whether they may meet."""


def rest_of(allowed: Allowed, rounds: int, asking: Asking) -> list[tuple[int, int]] | None:
    """Return the first of so many rounds drawn by lot without a pair twice; None if the lots give none.

    Each round is a perfect matching of what the rounds before have left.
    """
    left = [list(row) for row in allowed]
    first: list[tuple[int, int]] | None = None
    for _ in range(rounds):
        numbers = asking.lot.shuffled(range(len(left)))
        costs = [[0 if left[one][other] else None for other in numbers] for one in numbers]
        pairs = [(numbers[one], numbers[other]) for one, other in asking.best_pairs(costs)]
        if 2 * len(pairs) < len(left):
            return None
        for one, other in pairs:
            left[one][other] = left[other][one] = False
        first = pairs if first is None else first
    return first


def pairings(costs: Costs) -> list[Numbers]:
    """Return all ways to pair everybody, the cheapest first; those of equal cost in the order of the numbers.

    For few people: ten have 945 ways.
    """
    masks = [sum(1 << other for other, cost in enumerate(row) if cost is not None) for row in costs]
    found = list(_matchings(masks, (1 << len(costs)) - 1))
    found.sort(key=lambda pairs: sum(costs[one][other] or 0 for one, other in pairs))
    return found


def can_be_played(allowed: Allowed, rounds: int) -> bool:
    """Tell whether so many rounds can be played without a pair twice; all ways are tried, so for few people."""
    masks = tuple(sum(1 << other for other, may in enumerate(row) if may) for row in allowed)
    return _can_be_played(masks, rounds, {})


def _can_be_played(masks: tuple[int, ...], rounds: int, known: dict[tuple[int, ...], bool]) -> bool:
    """Tell whether rounds remain; `masks` has for each person the possible partners as bits, `known` what was tried."""
    if rounds <= 0:
        return True
    if any(mask.bit_count() < rounds for mask in masks):
        return False
    if masks not in known:
        # Somebody who must meet all possible partners meets the first one now: the order of rounds does not matter.
        tight = next((one for one, mask in enumerate(masks) if mask.bit_count() == rounds), None)
        now = list(masks)
        if tight is not None:
            now[tight] &= -now[tight]
            for other in range(len(now)):
                if other != tight and not now[tight] >> other & 1:
                    now[other] &= ~(1 << tight)
        ways = _matchings(now, (1 << len(masks)) - 1)
        known[masks] = any(_can_be_played(_without(masks, pairs), rounds - 1, known) for pairs in ways)
    return known[masks]


def _without(masks: Sequence[int], pairs: Numbers) -> tuple[int, ...]:
    left = list(masks)
    for one, other in pairs:
        left[one] &= ~(1 << other)
        left[other] &= ~(1 << one)
    return tuple(left)


def _matchings(masks: Sequence[int], people: int) -> Iterator[Numbers]:
    """Yield all ways to pair the people of a set of bits."""
    if not people:
        yield ()
        return
    one = (people & -people).bit_length() - 1
    rest = people & ~(1 << one)
    partners = masks[one] & rest
    while partners:
        bit = partners & -partners
        partners ^= bit
        for more in _matchings(masks, rest ^ bit):
            yield ((one, bit.bit_length() - 1), *more)
