"""A match-equity table, computed, and the cube at a match score (docs/rules-chouette.md §8).

The table is a recursion over the games that follow, all of them even and a quarter won as
gammons. Where one side needs a single point, the Crawford game comes first, and after it
the trailer doubles at once. At other scores the cube is turned at the points where the
other side would drop, which the scores after it decide; as in Norman Zadeh's model ("On
doubling in tournament backgammon", 1977), but with the cube's life between dead and live.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from chouette.bot.janowski import CENTRE, LIFE_CONTACT, MINE, DoubleEquities, Outlook, between
from chouette.bot.move_choice import Worth

GAMMONS = 0.25
"""Share of gammons in the games that are won, after the Crawford game and in it."""


def equity(mine: int, theirs: int, *, post_crawford: bool = False) -> float:
    """Return the chance to win the match from `mine` points away against `theirs` away.

    Where one side needs one point, the next game is the Crawford game unless `post_crawford`.
    """
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    if mine == theirs:
        return 0.5
    if mine > theirs:
        return 1 - equity(theirs, mine, post_crawford=post_crawford)
    if mine == 1:
        return 1 - _trailing(theirs, post_crawford)
    return _before_crawford(mine, theirs)


@lru_cache(maxsize=1024)
def _before_crawford(mine: int, theirs: int) -> float:
    """Return the chance of the side that leads, where both sides need more than one point."""
    chances = (0.5, GAMMONS / 2, 0.0, GAMMONS / 2, 0.0)
    outlook = Outlook(0.5, 1 + GAMMONS, 1 + GAMMONS, LIFE_CONTACT)
    return match_value(outlook, chances, MatchScore(mine, theirs), 1, CENTRE)


@lru_cache(maxsize=256)
def _trailing(away: int, post_crawford: bool) -> float:
    """Return the trailer's chance against a leader that needs one point."""
    if away <= 0:
        return 1.0
    if away == 1:
        return 0.5
    cube = 2 if post_crawford else 1
    single, gammon = _trailing(away - cube, True), _trailing(away - 2 * cube, True)
    return 0.5 * ((1 - GAMMONS) * single + GAMMONS * gammon)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a match: points that each side needs, and whether the games after this one are post-Crawford.

    So `is_post_crawford` is True in the Crawford game already.
    """

    mine: int
    theirs: int
    is_post_crawford: bool = False

    def swapped(self) -> MatchScore:
        """Return the score in the view of the other side."""
        return MatchScore(self.theirs, self.mine, self.is_post_crawford)

    def after(self, points: int) -> float:
        """Return the match chance after winning `points`, or losing as many if negative."""
        mine, theirs = self.mine - max(points, 0), self.theirs - max(-points, 0)
        return equity(mine, theirs, post_crawford=self.is_post_crawford)

    def points(self, chance: float, cube: int) -> float:
        """Return a match chance in points: a single game won with `cube` is 1, one lost is −1."""
        won, lost = self.after(cube), self.after(-cube)
        return 2 * (chance - lost) / max(won - lost, 1e-6) - 1


def worth(score: MatchScore, cube: int) -> Worth:
    """Return the worth of a game's chances at this score with a cube of this value.

    On the scale on which winning a single game is worth 1, and losing one −1.
    """
    won = [score.after(cube * times) for times in (1, 2, 3)]
    lost = [score.after(-cube * times) for times in (1, 2, 3)]
    unit = max(won[0] - lost[0], 1e-6) / 2
    gains = (
        2.0,
        (won[1] - won[0]) / unit,
        (won[2] - won[1]) / unit,
        (lost[1] - lost[0]) / unit,
        (lost[2] - lost[1]) / unit,
    )
    return Worth(-1.0, gains)


@dataclass(frozen=True, slots=True)
class _Side:
    """One side's view of a game in a match: score, outlook, chances of 1, 2, 3 when won, lost."""

    score: MatchScore
    won: tuple[float, float, float]
    lost: tuple[float, float, float]

    def swapped(self) -> _Side:
        return _Side(self.score.swapped(), self.lost, self.won)

    def win_at(self, cube: int) -> float:
        """Return the match chance of winning the game with this cube, on average."""
        return sum(p * self.score.after(cube * n) for n, p in enumerate(self.won, 1))

    def loss_at(self, cube: int) -> float:
        return sum(p * self.score.after(-cube * n) for n, p in enumerate(self.lost, 1))


def match_offer(
    outlook: Outlook, chances: tuple[float, ...], score: MatchScore, cube: int, owner: str
) -> DoubleEquities:
    """Return the equities of a double by the player on roll, in match chances.

    `owner` is `centre` or `mine`; `cube` is its value before the double.
    """
    side = _side(chances, score)
    return DoubleEquities(
        _value(side, outlook, cube, owner),
        _value(side, outlook, cube * 2, "theirs"),
        score.after(cube),
    )


def match_value(outlook: Outlook, chances: tuple[float, ...], score: MatchScore, cube: int, owner: str) -> float:
    """Return the match chance of the player on roll with a cube that is centred, mine or theirs."""
    return _value(_side(chances, score), outlook, cube, owner)


def _side(chances: tuple[float, ...], score: MatchScore) -> _Side:
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return _Side(
        score,
        _shares(win, gammon, backgammon),
        _shares(1 - win, lost_gammon, lost_backgammon),
    )


def _shares(whole: float, gammon: float, backgammon: float) -> tuple[float, float, float]:
    """Return the shares of the wins that are worth 1, 2 and 3."""
    if whole <= 0:
        return (1.0, 0.0, 0.0)
    return ((whole - gammon) / whole, (gammon - backgammon) / whole, backgammon / whole)


def _value(side: _Side, outlook: Outlook, cube: int, owner: str) -> float:
    """Return the match chance, between that of a dead cube and that of a live one."""
    won, lost = side.win_at(cube), side.loss_at(cube)
    dead = lost + (won - lost) * outlook.win
    points = [(0.0, lost), (1.0, won)]
    if owner != MINE and not _is_dead(side.swapped(), cube):
        points.append((1 - _cash_point(side.swapped(), cube), side.score.after(-cube)))
    if owner in (CENTRE, MINE) and not _is_dead(side, cube):
        points.append((_cash_point(side, cube), side.score.after(cube)))
    return (1 - outlook.life) * dead + outlook.life * between(sorted(points), outlook.win)


def _is_dead(side: _Side, cube: int) -> bool:
    """Tell whether a side has no use for doubling: the cube as it stands wins the match."""
    return cube >= side.score.mine


def _cash_point(side: _Side, cube: int) -> float:
    """Return the chance of winning from which the other side drops this side's double."""
    won, lost = side.win_at(2 * cube), side.loss_at(2 * cube)
    cash = side.score.after(cube)
    other = side.swapped()
    if _is_dead(other, 2 * cube):
        top, at = lost, 0.0
    else:
        top, at = side.score.after(-2 * cube), 1 - _cash_point(other, 2 * cube)
    if won - top <= 0:
        return 1.0
    return min(max(at + (1 - at) * (cash - top) / (won - top), 0.0), 1.0)
