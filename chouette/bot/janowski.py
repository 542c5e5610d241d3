"""The cube by Janowski's formula, for money (docs/rules-chouette.md §§4.3, 4.4, 4.6).

Rick Janowski, "Take-points in money games" (1993): the equity with a cube lies between that
with a dead cube and that with a cube that is always turned at the right moment; the
cube-life index says how near to the latter.

All equities are those of the player on roll, in units of the cube as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LIFE_CONTACT = 0.68
LIFE_RACE = 0.65

CENTRE, MINE, THEIRS = "centre", "mine", "theirs"


@dataclass(frozen=True, slots=True)
class Outlook:
    """The chance of winning, the average worth of a win and of a loss, the cube's life."""

    win: float
    won: float
    lost: float
    life: float

    def swapped(self) -> Outlook:
        """Return the outlook of the other side."""
        return Outlook(1 - self.win, self.lost, self.won, self.life)


@dataclass(frozen=True, slots=True)
class DoubleEquities:
    """The three equities of a double, for the side that may double; `dropped` is that of a drop."""

    no_double: float
    taken: float
    dropped: float

    @property
    def gain(self) -> float:
        """The gain from doubling if it is answered well; below zero where it is wrong."""
        return min(self.taken, self.dropped) - self.no_double

    @property
    def is_take(self) -> bool:
        """Tell whether the double is to be taken."""
        return self.taken <= self.dropped


def outlook(chances: Sequence[float], *, is_race: bool) -> Outlook:
    """Return the outlook for the five chances of the player on roll."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = map(float, chances)
    lose = 1 - win
    return Outlook(
        win,
        1 + (gammon + backgammon) / win if win > 0 else 1.0,
        1 + (lost_gammon + lost_backgammon) / lose if lose > 0 else 1.0,
        LIFE_RACE if is_race else LIFE_CONTACT,
    )


def cubeful(outlook: Outlook, owner: str, *, jacoby: bool = False) -> float:
    """Return the equity with a cube that is centred, mine or theirs.

    `jacoby`: gammons do not count on this cube until it has been turned.
    """
    won, lost = (1.0, 1.0) if jacoby else (outlook.won, outlook.lost)
    dead = outlook.win * (won + lost) - lost
    return (1 - outlook.life) * dead + outlook.life * _live(outlook, owner, won, lost)


def _live(outlook: Outlook, owner: str, won: float, lost: float) -> float:
    """Return the equity with a fully live cube: straight lines between the turning points.

    Where the cube is turned gammons count, so the points are the same under Jacoby.
    """
    whole = outlook.won + outlook.lost + 0.5
    points = [(0.0, -lost), (1.0, won)]
    if owner != MINE:
        points.append(((outlook.lost - 0.5) / whole, -1.0))
    if owner != THEIRS:
        points.append(((outlook.lost + 1) / whole, 1.0))
    return between(sorted(points), outlook.win)


def between(points: list[tuple[float, float]], x: float) -> float:
    """Return the value at `x` on the straight lines through `points`, sorted by x."""
    for (left, low), (right, high) in pairwise(points):
        if x <= right:
            return low if right <= left else low + (high - low) * (x - left) / (right - left)
    return points[-1][1]


def offer(outlook: Outlook, owner: str, *, jacoby: bool = False) -> DoubleEquities:
    """Return the equities of a double by the player on roll, with a cube that they may turn."""
    taken = 2 * cubeful(outlook, THEIRS)
    return DoubleEquities(cubeful(outlook, owner, jacoby=jacoby), taken, 1.0)


def replies(equity: float, kind: str) -> dict[str, float]:
    """Return the worth of each reply to a question after a take, to the side asked.

    In units of the cube as it stands then; `equity` is the doubler's with the taker's cube. `kind` is `extra`
    (to give half of a new cube against the taker), `beaver` or `must_beaver` (the taker is
    asked), `beavered` (the doubler) or `raccooned` (the taker). A drop costs the cube's value
    before it was last turned. The reply with the least at stake comes first.
    """
    beavered = max(2 * equity, -1.0)
    if kind == "extra":
        return {"keep": 0.0, "give": equity - 0.5}
    if kind == "beaver":
        return {"no": -equity, "beaver": -beavered}
    if kind == "must_beaver":
        return {"drop": -0.5, "beaver": -beavered}
    if kind == "beavered":
        return {"drop": -0.5, "accept": equity, "raccoon": min(2 * equity, 1.0)}
    return {"drop": -0.5, "accept": -equity}
