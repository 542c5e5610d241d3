"""Payments: debts of a night settled in the fewest transfers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from games.kernel.payments.owed import share

K = TypeVar("K", bound=Hashable)

MOST_EXACT = 13
"""The most people for an exact solution; for more people there may be slightly more payments than needed."""


def transfers(balances: Mapping[K, int]) -> list[tuple[K, K, int]]:
    """Return payments (payer, payee, points) that bring every balance to 0.

    The balances must add up to 0. A group of people whose balances add up to 0 settles within the
    group: n people need n - 1 payments, so the more groups, the fewer payments.
    """
    open_ = {person: n for person, n in balances.items() if n}
    if len(open_) > MOST_EXACT:
        return _settle(open_)
    names = list(open_)
    groups = _most_groups([open_[name] for name in names])
    found = []
    for group in groups:
        found += _settle({names[i]: open_[names[i]] for i in group})
    return found


def among_people(balances: Sequence[int], is_bot: Sequence[bool]) -> list[int]:
    """Return the balances without the bots' debts and claims: bots have 0, and the people's add up to 0.

    If people have lost more than people have won, each loser owes the same share of the loss,
    and each winner gets the full amount; and the reverse.
    """
    own = [0 if bot else balance for balance, bot in zip(balances, is_bot, strict=True)]
    won, lost = sum(n for n in own if n > 0), -sum(n for n in own if n < 0)
    if won == lost:
        return own
    sign = -1 if lost > won else 1
    parts = share(min(won, lost), [max(0, sign * n) for n in own])
    return [sign * part if sign * n > 0 else n for n, part in zip(own, parts, strict=True)]


def _most_groups(amounts: Sequence[int]) -> list[list[int]]:
    """Split amounts that add up to 0 into the largest number of groups that each add up to 0.

    Dynamic programming over sets of people, as bits: `best[s]` is the largest number of groups that can be
    completed while the people of `s` are added one by one.
    """
    full = (1 << len(amounts)) - 1
    sums = [0] * (full + 1)
    best = [0] * (full + 1)
    last = [-1] * (full + 1)
    for subset in range(1, full + 1):
        low = (subset & -subset).bit_length() - 1
        sums[subset] = sums[subset & (subset - 1)] + amounts[low]
        chosen = max(_bits(subset), key=lambda i: best[subset ^ (1 << i)])
        last[subset] = chosen
        best[subset] = best[subset ^ (1 << chosen)] + (sums[subset] == 0)
    groups: list[list[int]] = []
    subset = full
    while subset:
        if sums[subset] == 0:
            groups.append([])
        groups[-1].append(last[subset])
        subset ^= 1 << last[subset]
    return groups


def _bits(subset: int) -> list[int]:
    return [i for i in range(subset.bit_length()) if subset >> i & 1]


def _settle(balances: Mapping[K, int]) -> list[tuple[K, K, int]]:
    """Pay the largest claim from the largest debt until nothing is left."""
    left = dict(balances)
    found = []
    while any(left.values()):
        payer, payee = min(left, key=lambda k: left[k]), max(left, key=lambda k: left[k])
        points = min(-left[payer], left[payee])
        left[payer] += points
        left[payee] -= points
        found.append((payer, payee, points))
    return found
