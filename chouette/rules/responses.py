"""What the Box may answer to a batch of doubles, and offer (docs/rules-chouette.md §4.5).

The legal answers are the sets of cubes to take; dropping them all is always among them.
Each obligation is a predicate of its own, so that the table can say why a set is not legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from chouette.rules.options import rule
from games.kernel.options import Values

Takes: TypeAlias = frozenset[int]


@dataclass(frozen=True, slots=True)
class Doubled:
    """A cube in a batch: its value before the double, its category, whose it is."""

    id: int
    value: int
    is_initial: bool
    is_captains: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Cubes of one turn.

    `holds_others`: the Box holds cubes of others than the Captain from earlier turns.
    `is_all_centred`: the batch is every cube in the game, all turned from the centre.
    """

    cubes: tuple[Doubled, ...]
    holds_others: bool = False
    is_all_centred: bool = False

    @property
    def captains(self) -> Doubled | None:
        """The Captain's cube, if it is in the batch."""
        return next((cube for cube in self.cubes if cube.is_captains), None)


def legal_answers(options: Values, batch: Batch) -> tuple[Takes, ...]:
    """Return every set of cubes that the Box may take, smallest first."""
    return tuple(t for t in subsets(c.id for c in batch.cubes) if not why_not(options, batch, t))


def legal_offers(options: Values, batch: Batch) -> tuple[Takes, ...]:
    """Return every set of cubes that the Box may offer; none of them is empty."""
    every = subsets(c.id for c in batch.cubes)
    return tuple(o for o in every if o and not why_no_offer(options, batch, o))


def why_not(options: Values, batch: Batch, takes: Takes) -> tuple[str, ...]:
    """Return the options that forbid the Box to take just these cubes of a batch."""
    if not takes:
        return ()
    return tuple([name for name, breaks in _ANSWERS if breaks(options, batch, takes)])


def why_no_offer(options: Values, batch: Batch, offered: Takes) -> tuple[str, ...]:
    """Return the options that forbid the Box to offer just these cubes."""
    return tuple([name for name, breaks in _OFFERS if breaks(options, batch, offered)])


def must_beaver(options: Values, batch: Batch, takes: Takes) -> bool:
    """Tell whether the Box takes the Captain's cube alone and so must beaver it."""
    captains = batch.captains
    return (
        rule(options, "sole_captain_beaver")
        and captains is not None
        and takes == {captains.id}
        and len(batch.cubes) > 1
    )


def net_if_won(options: Values, batch: Batch, takes: Takes) -> int:
    """Return what the Box nets on a batch if it wins a single game with what it takes.

    A drop costs v, a take is worth 2v, a take that it must beaver 4v.
    """
    times = 4 if must_beaver(options, batch, takes) else 2
    return sum(times * cube.value if cube.id in takes else -cube.value for cube in batch.cubes)


def subsets(ids: Iterable[int]) -> list[Takes]:
    """Return every subset, smallest first."""
    pool = tuple(ids)
    return [frozenset(c) for size in range(len(pool) + 1) for c in combinations(pool, size)]


def _is_split(options: Values, batch: Batch, chosen: Takes) -> bool:
    """Tell whether cubes that must be treated alike are not."""
    how = rule(options, "uniform_response")
    if how == "none":
        return False
    groups: dict[int, bool] = {}
    for cube in batch.cubes:
        key = cube.value if how == "by_value" else int(cube.is_initial)
        is_chosen = cube.id in chosen
        if groups.setdefault(key, is_chosen) != is_chosen:
            return True
    return False


def _leaves_captain(options: Values, batch: Batch, takes: Takes) -> bool:
    captains = batch.captains
    return (
        rule(options, "must_take_captain")
        and captains is not None
        and captains.id not in takes
        and not batch.holds_others
    )


def _takes_too_few(options: Values, batch: Batch, takes: Takes) -> bool:
    asked, count = rule(options, "min_takes"), len(batch.cubes)
    if asked == "none" or not batch.is_all_centred:
        return False
    if asked == "break_even":
        return net_if_won(options, batch, takes) < 0
    return len(takes) * 2 < count if asked == "half" else len(takes) < count


def _passes_captain_by(options: Values, batch: Batch, offered: Takes) -> bool:
    captains = batch.captains
    if not rule(options, "box_must_double_captain") or captains is None:
        return False
    levels = {cube.value for cube in batch.cubes if cube.id in offered}
    return captains.id not in offered and captains.value in levels


Rule: TypeAlias = Callable[[Values, Batch, Takes], bool]
_ANSWERS: tuple[tuple[str, Rule], ...] = (
    ("uniform_response", _is_split),
    ("must_take_captain", _leaves_captain),
    ("min_takes", _takes_too_few),
)
_OFFERS: tuple[tuple[str, Rule], ...] = (
    ("uniform_response", _is_split),
    ("box_must_double_captain", _passes_captain_by),
)
