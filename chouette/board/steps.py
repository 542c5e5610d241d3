"""Single steps of one checker, and how they add up to complete plays.

The direct implementation of docs/rules-chouette.md §3, used where single moves are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from chouette.board.position import BAR, HOME, OFF, BoardError, Position

Dice: TypeAlias = Sequence[int]
"""Two dice from 1 to 6, in any order."""


class Move(NamedTuple):
    """One checker by one die: from `source` (25 = the bar) to `target` (0 = off)."""

    source: int
    target: int
    hit: bool = False


def orders(dice: Dice) -> list[tuple[int, ...]]:
    """Return the orders in which a roll can be played: doubles four times, else two orders.

    The higher die first. Raises BoardError `bad_dice`.
    """
    if len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
        raise BoardError("bad_dice", "a roll is two dice from 1 to 6")
    high, low = max(dice), min(dice)
    return [(high,) * 4] if high == low else [(high, low), (low, high)]


def sources(points: Sequence[int], die: int) -> list[int]:
    """Return the points from which a checker can move by `die`, highest first (25 = the bar).

    Bar entry comes before anything else; bearing off needs all checkers home, and a die that is
    too high bears off the highest checker.
    """
    if points[BAR]:
        return [BAR] if points[BAR - die] > -2 else []
    own = [s for s in range(BAR - 1, 0, -1) if points[s] > 0]
    found = [s for s in own if s > die and points[s - die] > -2]
    if own and own[0] <= HOME:
        if points[die] > 0:
            found.append(die)
        elif own[0] < die:
            found.append(own[0])
    return found


def step(points: Sequence[int], source: int, die: int) -> tuple[Move, list[int]]:
    """Return the move of one checker and the points after it."""
    after = list(points)
    after[source] -= 1
    target = source - die
    if target <= OFF:
        return Move(source, OFF), after
    hit = after[target] == -1
    if hit:
        after[target] = 0
        after[OFF] -= 1
    after[target] += 1
    return Move(source, target, hit), after


def walk(points: Sequence[int], dice: tuple[int, ...]) -> list[tuple[tuple[Move, ...], Position]]:
    """Return the moves and the result of each way to play `dice` in their order as far as they go.

    Only from higher points to lower ones: a step from a higher point is never made possible
    by one from a lower point, nor impossible, so other orders give no other results.
    """
    found: list[tuple[tuple[Move, ...], Position]] = []
    _walk_on((), points, dice, found)
    return found


def _walk_on(
    made: tuple[Move, ...],
    points: Sequence[int],
    dice: tuple[int, ...],
    found: list[tuple[tuple[Move, ...], Position]],
) -> None:
    """Add every continuation of the moves made to `found`."""
    top = made[-1].source if made else BAR
    usable = [source for source in sources(points, dice[0]) if source <= top] if dice else []
    if not usable:
        found.append((made, tuple(points)))
    for source in usable:
        move, after = step(points, source, dice[0])
        if len(dice) == 1:
            found.append(((*made, move), tuple(after)))
        else:
            _walk_on((*made, move), after, dice[1:], found)


def complete(position: Position, dice: Dice) -> list[tuple[tuple[Move, ...], Position]]:
    """Return the moves and the result of every complete play; some share a result.

    Both dice (all four) are used where any play allows it; if only one can be used, it is
    the higher where either could. Where nothing can be played, the one play has no moves.
    """
    by_order = [walk(position, order) for order in orders(dice)]
    longest = max(len(moves) for plays in by_order for moves, _ in plays)
    full = [[play for play in plays if len(play[0]) == longest] for plays in by_order]
    if longest > 1:
        return [play for plays in full for play in plays]
    return next(plays for plays in full if plays)


def first_steps(position: Position, dice: Dice) -> list[tuple[int, int]]:
    """Return every step (source, die) that begins a complete play, in any order of steps."""
    used = dice_used(position, dice)
    found = []
    for order in orders(dice):
        for source in sources(position, order[0]):
            after = step(position, source, order[0])[1]
            if 1 + max(len(moves) for moves, _ in walk(after, order[1:])) == used:
                found.append((source, order[0]))
        if used == 1 and found:
            break
    return sorted(found)


def dice_used(position: Position, dice: Dice) -> int:
    """Return how many dice every complete play uses: 0 to 2, with doubles 0 to 4."""
    return len(complete(position, dice)[0][0])
