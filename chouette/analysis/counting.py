"""Counting: what a choice costs, and whether it counts, as players know it from XG.

All equities are normalised to the cube before the double; a dropped double is 1. The constants are those of the
page of the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouette.analysis.engine import Candidate, CubeEquities
from chouette.export.record import BEAVER, DOUBLE, DROP, NO_DOUBLE, TAKE

FORMULA = 1
"""The version of the formula; it rises when a figure would become another one."""

PER_DECISION = 500
"""A PR is so many times the mean error of what counts."""

SAME = 0.001
"""Two equities of cube actions that are no further apart are the same."""
SAME_PLAY = 0.0001
"""Plays whose equities spread by less are no choice."""
FAR = 0.200
"""The bound of a close decision: not to double counts only if doubling would lose at most this much, or give away at
most this much of a game that is too good to double.
"""
LOST = -0.900
"""Below, with and without a double, a game is lost."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The price of a choice, and whether it counts; `best` names the better one.

    `is_forced` says that obligations left no better one.
    """

    error: float
    counts: bool
    best: str = ""
    is_forced: bool = False


def of_play(candidates: Sequence[Candidate], played: Candidate) -> Cost:
    """Return the cost of a play against the first of the list; the spread is that of the deepest level."""
    best = candidates[0]
    deepest = [each.equity for each in candidates if each.level == best.level]
    spread = max(deepest) - min(deepest)
    return Cost(max(best.equity - played.equity, 0.0), len(candidates) > 1 and spread >= SAME_PLAY)


def of_double(equities: CubeEquities, has_doubled: bool) -> Cost:
    """Return the cost of a double, or of none; one that was made always counts."""
    gain = equities.best_double - equities.no_double
    error = max(-gain if has_doubled else gain, 0.0)
    is_right = gain > 0.0 or (gain == 0.0 and has_doubled)
    best = DOUBLE if is_right else NO_DOUBLE
    return Cost(error, has_doubled or error >= SAME or is_close(equities), best)


def is_close(equities: CubeEquities) -> bool:
    """Tell whether a double had to be thought about."""
    rolled, taken, dropped = equities.no_double, equities.take, equities.drop
    if abs(rolled - equities.best_double) < SAME:
        return False
    if rolled - taken > FAR or rolled - dropped > FAR:
        return False
    return not (rolled < LOST and taken < LOST)


def of_answer(equities: CubeEquities, kind: str, raised: float | None = None, *, must_raise: bool = False) -> Cost:
    """Return the cost of an answer to a double, to the answering player; `raised` is a beaver's or raccoon's equity.

    Equities are the doubler's, so that the answerer wants them small. A raise counts as the take that it
    contains, against its own equity. Who `must_raise` may beaver or drop, and no more.
    """
    by_kind = {TAKE: equities.take, DROP: equities.drop}
    if raised is not None:
        by_kind[BEAVER if must_raise else kind] = raised
    if must_raise:
        del by_kind[TAKE]
    best = min(by_kind, key=lambda each: (by_kind[each], each != kind))
    counts = abs(by_kind[BEAVER if must_raise else TAKE] - equities.drop) >= SAME
    return Cost(by_kind[kind] - by_kind[best], counts, best)


def of_extra(equities: CubeEquities, *, is_given: bool, is_beavered: bool) -> tuple[Cost, float]:
    """Return the cost of giving an extra, or none, and what one is worth to its giver; it counts in no PR.

    Who has dropped pays the cube's value before the double, and has the doubler's side of another one that was taken:
    at twice its value where the taker beavers, which is dropped for two cubes where that costs less.
    """
    worth = (max(2 * equities.take, -2.0) if is_beavered else equities.take) - equities.drop
    return Cost(max(-worth if is_given else worth, 0.0), counts=False), worth


def pr(error: float, decisions: int) -> float | None:
    """Return the PR of a sum of errors over so many decisions; None without any."""
    return PER_DECISION * error / decisions if decisions else None
