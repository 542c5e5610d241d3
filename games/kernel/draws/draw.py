"""A draw: everybody gets a table, or is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from games.kernel.draws import strangers, wishes
from games.kernel.draws.lots import Lot
from games.kernel.draws.wishes import Number, Wishes, WishesRefused, sizes

Tables = list[list[str]]


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw: the tables, larger ones first, the people without a table, and the number of repeated meetings."""

    tables: Tables
    over: list[str]
    repeats: int


def answer(given: Any) -> dict[str, Any]:
    """Return the draw of an input, or its refusal, as JSON."""
    try:
        found = draw(wishes.read(given))
    except WishesRefused as refused:
        return {"error": {"code": refused.code, "at": refused.at}}
    return {"tables": found.tables, "over": found.over, "repeats": found.repeats}


def draw(wish: Wishes) -> Draw:
    """Return the draw that the wishes lead to; raises WishesRefused for people who cannot be kept together."""
    lot = Lot(wish.seed, 0)
    groups = [group for group in wish.keep if len(group) > 1]
    places = sizes(len(wish.people), wish.size, [len(group) for group in groups])
    if groups and not places:
        raise WishesRefused("bad_format", "keep")
    order = lot.shuffled(wish.people)
    over = _over(order, len(order) - sum(places), groups, wish.captains)
    left = set(over)
    order = [name for name in order if name not in left]
    if wish.way == "strangers":
        tables = _strangers(order, places, groups, wish, lot)
    else:
        tables = _seated(_sorted(order, wish), places, groups, wish)
    return Draw(tables, [name for name in wish.people if name in left], strangers.repeats(tables, wish.met))


def _over(order: Sequence[str], count: int, groups: Sequence[Sequence[str]], captains: Sequence[str]) -> list[str]:
    """Return the people without a table, by lot: never members of a `keep` group, captains last."""
    kept = {name for group in groups for name in group}
    free = [name for name in order if name not in kept]
    free.sort(key=lambda name: name in captains)
    return free[:count]


def _sorted(order: list[str], wish: Wishes) -> list[str]:
    """Return people in the order in which a way seats them; those it does not tell apart stay in the lot's order."""
    if wish.way == "captains":
        chosen = [name for name in wish.captains if name in set(order)]
        return chosen + [name for name in order if name not in set(chosen)]
    if wish.way in ("strong", "snake"):
        return sorted(order, key=_by(wish.ranks or wish.strengths))
    return sorted(order, key=_by(wish.strengths or wish.ranks)) if wish.way == "strength" else order


def _by(numbers: Mapping[str, Number]) -> Callable[[str], tuple[bool, Number]]:
    """Return a key that sorts people by number, those without one last."""
    return lambda name: (name not in numbers, numbers.get(name, 0))


def _seated(order: list[str], places: list[int], groups: Sequence[Sequence[str]], wish: Wishes) -> Tables:
    """Return the tables of people in an order."""
    if wish.way == "snake":
        tables = _snake(order, places)
    elif wish.way == "captains":
        tables = _with_captains(order, places, len(wish.captains))
    else:
        tables = _in_turn(order, places)
    _keep_together(tables, groups, order, wish.captains if wish.way == "captains" else ())
    return tables


def _in_turn(order: Sequence[str], places: Sequence[int]) -> Tables:
    """Return tables filled one after another."""
    rest = iter(order)
    return [[next(rest) for _ in range(place)] for place in places]


def _snake(order: Sequence[str], places: Sequence[int]) -> Tables:
    """Return tables filled one seat each, forth and back; a full table is passed over."""
    tables: Tables = [[] for _ in places]
    rest = list(order)
    way = list(range(len(places)))
    while rest:
        for at in way:
            if rest and len(tables[at]) < places[at]:
                tables[at].append(rest.pop(0))
        way.reverse()
    return tables


def _with_captains(order: Sequence[str], places: Sequence[int], captains: int) -> Tables:
    """Return tables with a captain each, as far as they go; the others follow in their order."""
    tables: Tables = [[] for _ in places]
    rest = list(order)
    for _ in range(captains):
        if rest:
            open_ = [at for at, place in enumerate(places) if len(tables[at]) < place]
            tables[min(open_, key=lambda at: len(tables[at]))].append(rest.pop(0))
    for table, place in zip(tables, places, strict=True):
        missing = place - len(table)
        table.extend(rest[:missing])
        del rest[:missing]
    return tables


def _keep_together(tables: Tables, groups: Sequence[Sequence[str]], order: list[str], captains: Sequence[str]) -> None:
    """Swap people until each group sits at a table of its own, where most of it, or its captain, sits already.

    Who changes places is the nearest in the order, a captain only where need be.
    """
    rank = {name: at for at, name in enumerate(order)}
    taken: set[int] = set()

    def distance(one: str, other: str) -> tuple[bool, int]:
        return (one in captains) != (other in captains), abs(rank[one] - rank[other])

    for group in sorted(groups, key=len, reverse=True):
        weights = {name: 1 + len(group) * (name in captains) for name in group}
        fitting = [at for at, table in enumerate(tables) if at not in taken and len(table) >= len(group)]
        chosen = max(fitting, key=lambda at: sum(weights.get(name, 0) for name in tables[at]))
        taken.add(chosen)
        there = tables[chosen]
        for name in [each for each in group if each not in there]:
            others = [other for other in there if other not in group]
            other = min(others, key=partial(distance, name))
            here = next(table for table in tables if name in table)
            here[here.index(name)], there[there.index(other)] = other, name


def _strangers(order: list[str], places: list[int], groups: Sequence[Sequence[str]], wish: Wishes, lot: Lot) -> Tables:
    """Return tables of people who have met least: of few ways the best, of many the best that a search finds."""
    together = [tuple(group) for group in groups]
    if wish.met and strangers.are_few_ways(together, tuple(places)):
        return strangers.fewest_of_all(order, together, tuple(places), wish.met, lot)
    starts = []
    for _ in range(strangers.STARTS):
        starts.append(_in_turn(order, places))
        _keep_together(starts[-1], groups, order, ())
        order = lot.shuffled(order)
    return strangers.fewest_repeats(starts, wish.met, {name for group in groups for name in group}, lot)
