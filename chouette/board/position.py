"""A backgammon position, in the view of one player (docs/rules-chouette.md §3).

A position is a tuple of 26 ints. The player whose view it is moves from 24 to 1 and bears
off below 1. `position[1..24]` counts their checkers as positive and the opponent's as
negative; `position[25]` is their bar (>= 0) and `position[0]` the opponent's bar (<= 0).
Each side has 15 checkers; those that are not on the board have been borne off.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import neg
from typing import TypeAlias

Position: TypeAlias = tuple[int, ...]
"""26 ints, in the view of one player; see the module's text."""

CHECKERS = 15
BAR = 25
OFF = 0
HOME = 6
"""The highest point of the home board."""

START: Position = (
    0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5,
    5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0,
)  # fmt: skip


def swap(position: Position) -> Position:
    """Return the same position in the view of the other side."""
    return tuple(map(neg, position[::-1]))


def off(position: Position) -> tuple[int, int]:
    """Return how many checkers each side has borne off: (own, the opponent's)."""
    own, theirs = on_board(position)
    return CHECKERS - own, CHECKERS - theirs


def on_board(position: Position) -> tuple[int, int]:
    """Return how many checkers each side has on the board and the bar: (own, theirs)."""
    own = sum(count for count in position if count > 0)
    return own, own - sum(position)


def pips(position: Position) -> tuple[int, int]:
    """Return the pip counts: (own, the opponent's); a checker on the bar counts 25."""
    own = sum(point * count for point, count in enumerate(position) if count > 0)
    theirs = sum((point - BAR) * count for point, count in enumerate(position) if count < 0)
    return own, theirs


def winner_value(position: Position) -> int:
    """Return the points of the player whose view it is: 1, 2 or 3 times the cube if they have won, else 0.

    1 is a single game, 2 a gammon (the loser has borne off none), 3 a backgammon (and has a
    checker on the bar or in the winner's home); docs/rules-chouette.md §3.
    """
    own, theirs = on_board(position)
    if own:
        return 0
    if theirs < CHECKERS:
        return 1
    return 3 if any(position[: HOME + 1]) else 2


def checked(points: Iterable[int]) -> Position:
    """Return `points` as a position.

    Raises BoardError: `bad_points` (not 26 ints, or a bar with the other side's checkers),
    `too_many_checkers` (more than 15 of a side), `both_off` (nobody has a checker left).
    """
    position = tuple(points)
    if len(position) != BAR + 1 or not all(type(count) is int for count in position):
        raise BoardError("bad_points", "a position is 26 whole numbers")
    if position[BAR] < 0 or position[OFF] > 0:
        raise BoardError("bad_points", "a bar holds checkers of one side only")
    counts = on_board(position)
    if max(counts) > CHECKERS:
        raise BoardError("too_many_checkers", f"a side has {max(counts)} checkers, not 15")
    if not any(counts):
        raise BoardError("both_off", "both sides have borne off everything")
    return position


class BoardError(ValueError):
    """A position, dice, play or id that can't be read or is not legal: a code and a sentence.

    Its text is `code: sentence`, on one line.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
