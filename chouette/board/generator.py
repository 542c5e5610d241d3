"""The distinct results of a roll, fast: plays are added up as differences of packed ints.

A position is packed into one int, a byte for each of its 26 numbers, so that playing a
checker adds a constant, and all results go through `bytes` and `struct` at once. A point
that is open when the dice fall stays open for the whole turn, since hits only take blots
away; so steps that don't bear off can be listed once and combined.

Nothing here knows moves or notation; tests hold it to `steps` and to a brute force.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from struct import Struct
from typing import TypeAlias

from chouette.board.position import BAR, HOME, OFF, Position
from chouette.board.steps import sources

SIZE = BAR + 1
"""Bytes of one packed result: 26 signed bytes in the order of a position's numbers."""

_STRUCT = Struct(f"{SIZE}b")
_SIGN = bytes(byte ^ 0x80 for byte in range(256))
"""Table for `bytes.translate`: signed bytes to bytes counted from -128, which add without borrowing, and back."""

_ONE = [1 << 8 * point for point in range(SIZE)]
_HIT = [one - _ONE[OFF] for one in _ONE]
"""Change that a hit on a point adds to a step: the blot goes from there to its bar."""
# By die and source: the change of one checker's step; checkers borne off are counted nowhere.
_STEP = [[(_ONE[s - die] if s > die else 0) - _ONE[s] for s in range(SIZE)] for die in range(7)]

_Change: TypeAlias = int
_ByUsed: TypeAlias = list[list[_Change]]
"""The changes of plays, listed by how many dice they use."""


def packed_results(position: Position, high: int, low: int) -> bytes:
    """Return each distinct result of a roll once, 26 signed bytes each, in no special order."""
    own = [s for s in range(BAR - 1, 0, -1) if position[s] > 0]
    outside = sum([position[s] for s in own if s > HOME])
    found: Collection[_Change]
    # A checker on the bar stays outside home for the whole turn, or uses all of it.
    if not position[BAR] and outside < (4 if high == low else 2):
        found = _bearing_off(position, high, low)
    elif high == low:
        found = _doubles(position, high)
    else:
        found = _two_dice(position, own, high, low)
    start = int.from_bytes(_STRUCT.pack(*position).translate(_SIGN), "little")
    return b"".join([(start + change).to_bytes(SIZE, "little") for change in found]).translate(_SIGN)


def unpacked(results: bytes) -> list[Position]:
    """Return the positions of packed results."""
    return list(_STRUCT.iter_unpack(results))


def _two_dice(position: Position, own: list[int], high: int, low: int) -> Collection[_Change]:
    """Return the changes of complete plays of two different dice, none of them bearing off."""
    by_high, by_low = _singles(position, own, high), _singles(position, own, low)
    if not position[BAR]:
        found = _pairs(position, by_high, high, by_low, low)
        found |= _pairs(position, by_low, low, {}, high)
        return found or by_high.values() or by_low.values() or (0,)
    enter_high, enter_low = _singles(position, [BAR], high), _singles(position, [BAR], low)
    if position[BAR] > 1:
        found = {a + b for a in enter_high.values() for b in enter_low.values()}
    else:
        found = _pairs(position, enter_high, high, by_low, low)
        found |= _pairs(position, enter_low, low, by_high, high)
    return found or enter_high.values() or enter_low.values() or (0,)


def _singles(position: Position, own: list[int], die: int) -> dict[int, _Change]:
    """Return the change that one step of `die` makes, by its source."""
    steps = _STEP[die]
    return {
        s: steps[s] if position[s - die] != -1 else steps[s] + _HIT[s - die]
        for s in own
        if s > die and position[s - die] > -2
    }


def _pairs(
    position: Position, firsts: dict[int, _Change], die: int, others: dict[int, _Change], other: int
) -> set[_Change]:
    """Return the changes of two steps: one of `firsts` by `die`, then `other` by one of `others` or itself."""
    steps = _STEP[other]
    found: set[_Change] = set()
    for source, change in firsts.items():
        middle = source - die
        taken = source if position[source] == 1 else 0
        again = middle + other if position[middle] == -1 else 0
        found.update([change + c for s, c in others.items() if s not in (taken, again)])
        if again in others:
            # Both land on one blot, which is hit only once.
            found.add(change + steps[again])
        target = middle - other
        # With another checker on `middle` already, the pair of the two gives the same result.
        if target > 0 and position[middle] <= 0 and position[target] > -2:
            found.add(change + steps[middle] + (_HIT[target] if position[target] == -1 else 0))
    return found


def _doubles(position: Position, die: int) -> list[_Change]:
    """Return the changes of complete plays of a double, none of them bearing off.

    Points a multiple of the die apart form a chain. Along each chain from above, a number of
    steps is made from each point; each list of such numbers is a distinct result.
    """
    settled: _ByUsed = [[0], [], [], [], []]
    tops = range(BAR - 1, BAR - 1 - die, -1)
    if entering := min(position[BAR], 4):
        if position[BAR - die] < -1:
            return [0]
        hit = _HIT[BAR - die] if position[BAR - die] == -1 else 0
        entered = {(entering, entering): [entering * _STEP[die][BAR] + hit]}
        settled = _down_a_chain(position, die, BAR - die, [[], [], [], [], []], entered)
        tops = range(BAR - 1, BAR - die, -1)
    for top in tops:
        settled = _down_a_chain(position, die, top, settled, {})
    return next(changes for changes in reversed(settled) if changes)


def _down_a_chain(
    position: Position,
    die: int,
    top: int,
    settled: _ByUsed,
    arrived: dict[tuple[int, int], list[_Change]],
) -> _ByUsed:
    """Return `settled` with every way to step on along the chain that begins at `top`.

    `arrived` holds, by dice used and checkers just arrived at a point, the changes so far.
    """
    for source in range(top, die, -die):
        own, occupants = max(position[source], 0), position[source - die]
        going: dict[tuple[int, int], list[_Change]] = defaultdict(list)
        if occupants > -2 and (own or arrived):
            step, hit = _STEP[die][source], _HIT[source - die] if occupants == -1 else 0
            staying = [((used, 0), settled[used]) for used in range(4) if own and settled[used]]
            for (used, new), changes in [*staying, *arrived.items()]:
                for count in range(1, min(own + new, 4 - used) + 1):
                    more = count * step + hit
                    going[used + count, count] += [change + more for change in changes]
        for (used, _), changes in arrived.items():
            settled[used] += changes
        arrived = going
    for (used, _), changes in arrived.items():
        settled[used] += changes
    return settled


def _bearing_off(position: Position, high: int, low: int) -> Collection[_Change]:
    """Return the changes of complete plays in which checkers may bear off."""
    if high == low:
        by_used: _ByUsed = [[], [], [], [], []]
        _descend(position, (high,) * 4, BAR, 0, by_used)
        return next(changes for changes in reversed(by_used) if changes)
    by_high: _ByUsed = [[], [], []]
    by_low: _ByUsed = [[], [], []]
    _descend(position, (high, low), BAR, 0, by_high)
    _descend(position, (low, high), BAR, 0, by_low)
    return {*by_high[2], *by_low[2]} or by_high[1] or by_low[1] or (0,)


def _descend(points: Sequence[int], dice: tuple[int, ...], top: int, change: _Change, by_used: _ByUsed) -> None:
    """Add to `by_used` the change of every play of `dice` from `top` down, as far as they go; see `steps.walk`."""
    usable = [s for s in sources(points, dice[0]) if s <= top] if dice else []
    for source in usable:
        target = max(source - dice[0], OFF)
        after = list(points)
        after[source] -= 1
        more = change + _STEP[dice[0]][source]
        if target != OFF:
            more += _HIT[target] if points[target] == -1 else 0
            after[target] = max(after[target], 0) + 1
        _descend(after, dice[1:], source, more, by_used)
    if not usable:
        by_used[-1 - len(dice)].append(change)
