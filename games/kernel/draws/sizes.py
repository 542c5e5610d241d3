"""Sizes of tables: as near to the wanted size as possible."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from games.kernel.draws.wishes import Size


def sizes(people: int, size: Size, groups: Sequence[int]) -> list[int]:
    """Return the sizes of tables for as many of the people as allowed sizes hold, larger ones first.

    The i-th largest of `groups`, people who sit together, fits the i-th largest table; without sizes that hold all
    groups, there is no table.
    """
    for held in range(people, sum(groups) - 1, -1):
        if held and (found := _exact(held, size, sorted(groups, reverse=True))):
            return found
    return []


def _exact(people: int, size: Size, groups: list[int]) -> list[int] | None:
    """Return the sizes that hold exactly so many people: least sum of (size - want)², then fewer tables."""
    if size.tables:
        numbers = range(size.tables, size.tables + 1)
    else:
        numbers = range(-(-people // size.most), people // size.least + 1)
    found = [filled for number in numbers if (filled := _filled(people, number, size, groups))]
    return min(found, key=lambda each: (sum((one - size.want) ** 2 for one in each), len(each)), default=None)


def _filled(people: int, number: int, size: Size, groups: list[int]) -> list[int] | None:
    """Return as equal sizes as possible of a number of tables; None if people or groups do not fit.

    One seat after another goes to the smallest table, which is best for any sum of convex costs.
    """
    if len(groups) > number or not number * size.least <= people <= number * size.most:
        return None
    tables = [max(size.least, group) for group in groups] + [size.least] * (number - len(groups))
    if max(tables) > size.most or sum(tables) > people:
        return None
    heapq.heapify(tables)
    for _ in range(people - sum(tables)):
        heapq.heapreplace(tables, tables[0] + 1)
    return sorted(tables, reverse=True)
