"""The running game of a view, judged: its cubes in points or match chances.

Everything is taken from a view (`chouette.rules.view`), so a bot knows no more than its
seat. Chances are those of the side on turn: before its roll, or, where the dice lie on the
board, after its best play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from chouette.board.position import Position, swap
from chouette.bot import equity_table, janowski
from chouette.bot.arrays import np
from chouette.bot.equity_table import MatchScore
from chouette.bot.evaluator import Evaluator, boards_of, flipped, is_race, judged, swapped
from chouette.bot.janowski import CENTRE, MINE, THEIRS, DoubleEquities, Outlook
from chouette.bot.move_choice import Worth, chances_after_roll, money
from chouette.rules.options.declaration import rule
from chouette.rules.play import by_notation
from games.kernel.contract import JsonObject, Seat

_OWNED_BY = {"box": "against", "team": "member"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The game of a view, and the chances of the side on turn."""

    view: JsonObject
    chances: tuple[float, ...]
    outlook: Outlook
    in_race: bool

    @property
    def game(self) -> JsonObject:
        """The game of the view."""
        game: JsonObject = self.view["game"]
        return game

    def cube(self, index: int) -> JsonObject:
        """Return a cube of the view."""
        cube: JsonObject = self.game["cubes"][index]
        return cube

    def offer(self, index: int) -> DoubleEquities:
        """Return the equities of a double by the side on turn with a cube, in points or match chances.

        The cube's value is that before the double.
        """
        cube = self.cube(index)
        owner = owner_of(self.game, cube)
        value = int(cube["value"])
        if is_match(self.view):
            score = score_of(self.view, self.game["on_roll"])
            return equity_table.match_offer(self.outlook, self.chances, score, value, owner)
        found = janowski.offer(self.outlook, owner, jacoby=is_capped(self.view, cube))
        return DoubleEquities(found.no_double * value, found.taken * value, found.dropped * value)

    def taken(self) -> float:
        """Return the equity of the side on turn with a cube that the other side has taken, for each of its points."""
        return janowski.cubeful(self.outlook, THEIRS)

    def value(self, index: int, side: str) -> float:
        """Return the worth of a cube as it stands to a side, in points or match chances."""
        cube = self.cube(index)
        owner, value = owner_of(self.game, cube), int(cube["value"])
        is_mine = side == self.game["turn"]
        if is_match(self.view):
            score = score_of(self.view, self.game["on_roll"])
            found = equity_table.match_value(self.outlook, self.chances, score, value, owner)
            return found if is_mine else 1 - found
        points = value * janowski.cubeful(self.outlook, owner, jacoby=is_capped(self.view, cube))
        return points if is_mine else -points

    def won(self, index: int, points: int, side: str) -> float:
        """Return the worth to a side of points that it wins on a cube (negative: loses), on the same scale."""
        return self.score(side).after(points) if is_match(self.view) else float(points)

    def of(self, side: str, worth: float) -> float:
        """Return the worth to a side of something with this worth to the side on turn."""
        if side == self.game["turn"]:
            return worth
        return 1 - worth if is_match(self.view) else -worth

    def per_point(self, worth: float, cubes: Iterable[int], side: str) -> float:
        """Return a worth to a side in points for each point of the cubes.

        In a match it is on the scale on which winning this game singly is 1 and losing it −1.
        """
        value = sum(int(self.cube(index)["value"]) for index in cubes)
        return self.score(side).points(worth, value) if is_match(self.view) else worth / value

    def score(self, side: str) -> MatchScore:
        """Return the score of the match in the view of a side."""
        return score_of(self.view, self.game["box" if side == "box" else "captain"])

    def resigned(self, index: int, level: int) -> int:
        """Return the points that a resignation at a level brings on a cube."""
        return int(self.cube(index)["value"]) * (1 if self.is_capped(index) else level)

    def is_capped(self, index: int) -> bool:
        """Tell whether gammons do not count on a cube."""
        return is_capped(self.view, self.cube(index))


def judge(view: JsonObject, evaluator: Evaluator, error: float = 0.0, *, looks_ahead: bool) -> Judgement:
    """Return a view's game with its chances, the chance of winning misjudged by `error`.

    With `looks_ahead` the chances before a roll are those after the best play of each roll.
    """
    game = view["game"]
    chances, in_race = _chances(evaluator, on_turn(game), tuple(game["dice"]), worth_of(view), looks_ahead)
    outlook = janowski.outlook(chances, is_race=in_race)
    win = min(max(outlook.win + error, 0.0), 1.0)
    return Judgement(view, chances, replace(outlook, win=win), in_race)


@lru_cache(maxsize=128)
def _chances(
    evaluator: Evaluator, position: Position, dice: tuple[int, ...], worth: Worth, looks_ahead: bool
) -> tuple[tuple[float, ...], bool]:
    """Return the chances of the side on turn, and whether it is a race; with dice, after its best play.

    All bots of a table need the same.
    """
    if not dice:
        boards = boards_of([position])
        found = chances_after_roll(evaluator, position, worth) if looks_ahead else judged(evaluator, boards)
    else:
        boards = swapped(boards_of(list(by_notation(position, dice).values())))
        found = flipped(judged(evaluator, boards))
        best = int(np.argmax(worth.of(found)))
        boards, found = boards[best : best + 1], found[best : best + 1]
    return tuple(float(x) for x in found[0]), bool(is_race(boards)[0])


def on_turn(game: JsonObject) -> Position:
    """Return the position in the view of the side on turn."""
    points: Position = tuple(game["points"])
    return points if game["turn"] == "box" else swap(points)


def is_match(view: JsonObject) -> bool:
    """Tell whether the table plays a match."""
    return bool(view["format"] == "match")


def score_of(view: JsonObject, seat: Seat) -> MatchScore:
    """Return the score of the match in the view of a seat: the Box against the Captain, others against the Box."""
    length = int(view["match_length"])
    game = view["game"]
    other = game["captain"] if seat == game["box"] else game["box"]
    mine, theirs = (length - int(view["score"][s]) for s in (seat, other))
    return MatchScore(mine, theirs, min(mine, theirs) == 1)


def worth_of(view: JsonObject) -> Worth:
    """Return the worth of the chances of the side on turn, for choosing a play.

    Under Jacoby gammons count for the share of the cubes that have been turned.
    """
    game = view["game"]
    live = [cube for cube in game["cubes"] if cube["result"] is None]
    if is_match(view):
        cube = int(live[0]["value"])
        return equity_table.worth(score_of(view, game["on_roll"]), cube)
    whole = _sum(live)
    counted = _sum(cube for cube in live if not is_capped(view, cube))
    return money(counted / whole if whole else 1.0)


def _sum(cubes: Iterable[JsonObject]) -> int:
    return sum(int(cube["value"]) for cube in cubes)


def owner_of(game: JsonObject, cube: JsonObject) -> str:
    """Return the owner of a cube in the view of the side on turn: CENTRE, MINE or THEIRS."""
    if cube["owner"] == "centre":
        return CENTRE
    return MINE if cube["owner"] == _OWNED_BY[game["turn"]] else THEIRS


def is_capped(view: JsonObject, cube: JsonObject) -> bool:
    """Tell whether gammons do not count on a cube (docs/rules-chouette.md §4.6)."""
    return bool(rule(view["options"], "jacoby")) and not cube["turned"]
