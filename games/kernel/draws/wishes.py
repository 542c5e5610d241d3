"""The wishes for a draw, read from JSON: people, sizes of tables, and the way to draw.

Sizes of tables: as near to the wanted size as possible.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WAYS = ("lot", "strong", "snake", "strength", "strangers", "captains")
SMALLEST, LARGEST = 2, 10
KEYS = {"people", "size", "way", "captains", "met", "keep", "seed"}

Number = int | float


class WishesRefused(Exception):
    """Wishes that cannot be read; `at` is the place in the input, as "people/3"."""

    def __init__(self, code: str, at: str) -> None:
        super().__init__(code, at)
        self.code = code
        self.at = at


@dataclass(frozen=True, slots=True)
class Size:
    """The sizes that tables may have: a wanted one, or a number of tables as equal as possible."""

    want: int
    least: int
    most: int
    tables: int | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """Everything that a draw follows from; `ranks` and `strengths` lack people without one, 1 is the strongest."""

    people: tuple[str, ...]
    size: Size
    way: str
    ranks: Mapping[str, Number]
    strengths: Mapping[str, Number]
    captains: tuple[str, ...]
    met: Mapping[frozenset[str], int]
    keep: tuple[tuple[str, ...], ...]
    seed: int | str


def read(given: Any) -> Wishes:
    """Return the wishes of an input; raises WishesRefused."""
    _check(isinstance(given, dict), "")
    for key in given:
        _check(key in KEYS, key)
    people = _people(given.get("people"))
    known = set(people)
    _check(given.get("way", "lot") in WAYS, "way")
    captains = _names(given.get("captains", []), "captains", known)
    keep = given.get("keep", [])
    _check(isinstance(keep, list), "keep")
    groups = [_names(group, f"keep/{at}", known) for at, group in enumerate(keep)]
    _once([name for group in groups for name in group], "keep")
    seed = given.get("seed", 0)
    _check(is_whole(seed) or isinstance(seed, str), "seed")
    return Wishes(
        people=people,
        size=_size(given.get("size")),
        way=given.get("way", "lot"),
        ranks=_numbers(given["people"], "rank"),
        strengths=_numbers(given["people"], "strength"),
        captains=captains,
        met=_met(given.get("met", [])),
        keep=tuple(group for group in groups if group),
        seed=seed,
    )


def is_whole(given: Any) -> bool:
    """Tell whether a value of JSON is a whole number; true and false are none."""
    return isinstance(given, int) and not isinstance(given, bool)


def _check(is_good: bool, at: str) -> None:
    if not is_good:
        raise WishesRefused("bad_format", at)


def _people(given: Any) -> tuple[str, ...]:
    """Return the players of the people; everybody once."""
    _check(isinstance(given, list), "people")
    for at, person in enumerate(given):
        _check(isinstance(person, dict) and person.keys() <= {"player", "strength", "rank"}, f"people/{at}")
        _check(isinstance(person.get("player"), str) and person["player"] != "", f"people/{at}/player")
        for key in ("strength", "rank"):
            value = person.get(key)
            is_number = is_whole(value) or isinstance(value, float)
            _check(value is None or is_number, f"people/{at}/{key}")
    names = tuple(person["player"] for person in given)
    _once(names, "people")
    return names


def _once(names: Iterable[str], at: str) -> None:
    """Refuse a name that stands twice."""
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            raise WishesRefused("player_twice", f"{at}/{index}" if at == "people" else at)
        seen.add(name)


def _numbers(people: list[dict[str, Any]], key: str) -> dict[str, Number]:
    return {person["player"]: person[key] for person in people if person.get(key) is not None}


def _names(given: Any, at: str, known: set[str]) -> tuple[str, ...]:
    """Return a list of people, each known and named once."""
    _check(isinstance(given, list), at)
    for index, name in enumerate(given):
        _check(isinstance(name, str), f"{at}/{index}")
        if name not in known:
            raise WishesRefused("no_such_player", f"{at}/{index}")
    _once(given, at)
    return tuple(given)


def _size(given: Any) -> Size:
    """Return the sizes; without limits, three to six people sit at a table, or as many as are wanted."""
    _check(isinstance(given, dict), "size")
    if "tables" in given:
        tables = given["tables"]
        _check(given.keys() == {"tables"} and is_whole(tables) and tables >= 1, "size")
        return Size(SMALLEST, SMALLEST, LARGEST, tables)
    _check(given.keys() <= {"want", "least", "most"} and is_whole(given.get("want")), "size")
    want = given["want"]
    least, most = given.get("least", min(3, want)), given.get("most", max(6, want))
    _check(is_whole(least) and is_whole(most), "size")
    _check(SMALLEST <= least <= want <= most <= LARGEST, "size")
    return Size(want, least, most)


def _met(given: Any) -> dict[frozenset[str], int]:
    """Return pair → meetings; pairs with an absent person are allowed, and count for nothing."""
    _check(isinstance(given, list), "met")
    found: dict[frozenset[str], int] = {}
    for at, one in enumerate(given):
        _check(isinstance(one, list) and len(one) == 3, f"met/{at}")
        first, second, times = one
        _check(isinstance(first, str) and isinstance(second, str) and first != second, f"met/{at}")
        _check(is_whole(times) and times >= 0, f"met/{at}")
        pair = frozenset((first, second))
        found[pair] = found.get(pair, 0) + times
    return found


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
