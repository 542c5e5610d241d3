"""The options of a choice, stated as a rule: the subsets of some things that the laws allow.

Nine things have 512 subsets. So a choice of a subset is sent as the things that it may contain and the
laws that forbid some subsets (docs/protocol.md §3), from which the receiver computes the options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Protocol, TypeAlias, overload

from games.kernel.sent import SentLaw, SentMarks, SentSets

Chosen: TypeAlias = frozenset[int]


class Law(Protocol):
    """A law that forbids some non-empty sets; `why` is the id of the house rule behind it."""

    @property
    def why(self) -> str:
        """The id of the house rule."""

    def forbids(self, chosen: Chosen) -> bool:
        """Tell whether a non-empty set is forbidden."""

    def to_json(self) -> SentLaw:
        """Return the law as sent."""


@dataclass(frozen=True, slots=True)
class Alike:
    """The law that a set contains all things of a group or none."""

    why: str
    groups: tuple[tuple[int, ...], ...]

    def forbids(self, chosen: Chosen) -> bool:
        """Tell whether a group is split."""
        return any(len({one in chosen for one in group}) > 1 for group in self.groups)

    def to_json(self) -> SentLaw:
        """Return `{"why", "alike": [[id]]}`."""
        return {"why": self.why, "alike": [list(group) for group in self.groups]}


@dataclass(frozen=True, slots=True)
class Requires:
    """The law that a set with any of `one_of` also contains `needs`."""

    why: str
    one_of: tuple[int, ...]
    needs: int

    def forbids(self, chosen: Chosen) -> bool:
        """Tell whether the needed thing is missing."""
        return self.needs not in chosen and not chosen.isdisjoint(self.one_of)

    def to_json(self) -> SentLaw:
        """Return `{"why", "any": [id], "needs": id}`."""
        return {"why": self.why, "any": list(self.one_of), "needs": self.needs}


@dataclass(frozen=True, slots=True)
class Least:
    """The law that a set contains at least `least` things, or is one of the smaller sets in `smaller`."""

    why: str
    least: int
    smaller: tuple[tuple[int, ...], ...] = ()

    def forbids(self, chosen: Chosen) -> bool:
        """Tell whether a set is too small."""
        return len(chosen) < self.least and tuple(sorted(chosen)) not in self.smaller

    def to_json(self) -> SentLaw:
        """Return `{"why", "least": n, "or": [[id]]}`."""
        return {"why": self.why, "least": self.least, "or": [list(some) for some in self.smaller]}


def least(why: str, of: Iterable[int], is_too_small: Callable[[Chosen], bool]) -> Least | None:
    """Return the law that forbids exactly the sets for which a predicate is true; None if there are none.

    The predicate should mostly depend on a set's size: each smaller set that it does not forbid is listed.
    """
    every = [some for some in subsets(of) if some]
    bad = [some for some in every if is_too_small(some)]
    if not bad:
        return None
    fewest = 1 + max(map(len, bad))
    smaller = (some for some in every if len(some) < fewest and some not in set(bad))
    return Least(why, fewest, tuple(tuple(sorted(some)) for some in smaller))


def subsets(of: Iterable[int]) -> list[Chosen]:
    """Return every subset, smallest first."""
    pool = tuple(of)
    return [frozenset(c) for size in range(len(pool) + 1) for c in combinations(pool, size)]


@dataclass(frozen=True, slots=True)
class Marks:
    """Things of a chosen set that are also marked: `{key: [id, …]}`, left out if nothing is marked.

    Only things in `of` may be marked. In a set of `forced` all things are marked; `why` is the id of the
    house rule behind that.
    """

    key: str
    of: tuple[int, ...]
    forced: tuple[tuple[int, ...], ...] = ()
    why: str = ""

    def ways(self, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return every allowed marking of a chosen set, ids ascending."""
        if chosen in self.forced:
            return [chosen]
        return [tuple(sorted(some)) for some in subsets(one for one in chosen if one in self.of)]

    def to_json(self) -> SentMarks:
        """Return the rule as sent."""
        return {"name": self.key, "of": list(self.of), "forced": [list(some) for some in self.forced], "why": self.why}


@dataclass(frozen=True, slots=True)
class Sets(Sequence[dict[str, Any]]):
    """The options `{key: [id, …]}`, ids ascending: the subsets of `of` that no law forbids.

    `may_be_empty` says whether the empty set, which no law forbids, is an option. With `marks`, some
    of the chosen things may also be marked. It is a sequence like any other options, smallest sets
    first; `in` checks the laws without listing the sets.
    """

    key: str
    of: tuple[int, ...]
    laws: tuple[Law, ...] = ()
    may_be_empty: bool = False
    marks: Marks | None = None

    def why_not(self, chosen: Chosen) -> tuple[str, ...]:
        """Return the house rules that forbid a set of things in `of`."""
        return tuple([law.why for law in self.laws if law.forbids(chosen)]) if chosen else ()

    def __contains__(self, args: object) -> bool:
        if not isinstance(args, dict) or not isinstance(ids := args.get(self.key), list):
            return False
        if not all(type(one) is int for one in ids) or ids != sorted(set(ids) & set(self.of)):
            return False
        is_allowed = not self.why_not(frozenset(ids)) if ids else self.may_be_empty
        return is_allowed and self._is_marked({key: args[key] for key in args if key != self.key}, tuple(ids))

    def _is_marked(self, rest: dict[str, Any], chosen: tuple[int, ...]) -> bool:
        """Tell whether the arguments beside the chosen set are an allowed marking of it."""
        if self.marks is None:
            return not rest
        return any(_same(rest, _marked(self.marks, some)) for some in self.marks.ways(chosen))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._args(*found) for found in _listed(self))

    def __len__(self) -> int:
        return len(_listed(self))

    def _args(self, chosen: tuple[int, ...], marked: tuple[int, ...]) -> dict[str, Any]:
        return {self.key: list(chosen)} | (_marked(self.marks, marked) if self.marks else {})

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(index, slice):
            return [self._args(*found) for found in _listed(self)[index]]
        return self._args(*_listed(self)[index])

    def to_json(self) -> SentSets:
        """Return the rule as sent."""
        laws = [law.to_json() for law in self.laws]
        rule: SentSets = {"name": self.key, "of": list(self.of), "may_be_empty": self.may_be_empty, "laws": laws}
        return {**rule, "marks": self.marks.to_json()} if self.marks else rule


def _marked(marks: Marks, some: tuple[int, ...]) -> dict[str, Any]:
    return {marks.key: list(some)} if some else {}


def _same(rest: dict[str, Any], marked: dict[str, Any]) -> bool:
    """Tell whether two markings are equal, including the type of each id."""
    ids = [one for some in rest.values() if isinstance(some, list) for one in some]
    return rest == marked and all(type(one) is int for one in ids)


@lru_cache(maxsize=64)
def _listed(sets: Sets) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return every allowed set with every allowed marking of it."""
    allowed = (some for some in subsets(sets.of) if (not sets.why_not(some) if some else sets.may_be_empty))
    chosen = [tuple(sorted(some)) for some in allowed]
    ways = sets.marks.ways if sets.marks is not None else lambda _: [()]
    return tuple((some, marked) for some in chosen for marked in ways(some))
