"""What a seat sees of the running game, judged: its cubes in points or match chances.

Everything is taken from a view (`chouette.rules.view`), so a bot knows no more than its
seat. Judgements are those of the side on turn, before its roll.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from chouette import equity_table, janowski
from chouette.choosing import Worth, money
from chouette.equity_table import Score
from chouette.evaluator import Evaluator, boards_of, is_race, judged
from chouette.janowski import CENTRE, MINE, THEIRS, Offer, Outlook
from chouette.rules.position import Position, swap
from games.kernel.contract import JsonObject, Seat

_OWNED_BY = {"box": "against", "team": "member"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The game of a view, and the chances of the side on turn."""

    view: JsonObject
    chances: tuple[float, ...]
    outlook: Outlook

    @property
    def game(self) -> JsonObject:
        """The game of the view."""
        game: JsonObject = self.view["game"]
        return game

    def cube(self, index: int) -> JsonObject:
        """Return a cube of the view."""
        cube: JsonObject = self.game["cubes"][index]
        return cube

    def offer(self, index: int) -> Offer:
        """Return what a double of the side on turn with a cube is about.

        In points, or in match chances; the cube's value is that before the double.
        """
        cube = self.cube(index)
        owner = _owner(self.game, cube)
        value = int(cube["value"])
        if is_match(self.view):
            score = score_of(self.view, self.game["on_roll"])
            return equity_table.match_offer(self.outlook, self.chances, score, value, owner)
        found = janowski.offer(self.outlook, owner, jacoby=_caps(self.view, cube))
        return Offer(found.no_double * value, found.taken * value, found.dropped * value)

    def value(self, index: int, side: str) -> float:
        """Return what a cube is worth to a side as it stands, in points or match chances."""
        cube = self.cube(index)
        owner, value = _owner(self.game, cube), int(cube["value"])
        is_mine = side == self.game["turn"]
        if is_match(self.view):
            score = score_of(self.view, self.game["on_roll"])
            found = equity_table.match_value(self.outlook, self.chances, score, value, owner)
            return found if is_mine else 1 - found
        points = value * janowski.cubeful(self.outlook, owner, jacoby=_caps(self.view, cube))
        return points if is_mine else -points

    def won(self, index: int, points: int, side: str) -> float:
        """Return what points on a cube, as signed by a side, are worth on the same scale."""
        if not is_match(self.view):
            return float(points)
        game = self.game
        seat = game["box"] if side == "box" else game["captain"]
        return score_of(self.view, seat).after(points)

    def resigned(self, index: int, level: int) -> int:
        """Return the points that a resignation at a level brings on a cube."""
        cube = self.cube(index)
        return int(cube["value"]) * (1 if _caps(self.view, cube) else level)


def judge(view: JsonObject, evaluator: Evaluator, error: float = 0.0) -> Judged:
    """Return a view's game with its chances, the chance of winning misjudged by `error`."""
    boards = boards_of([on_turn(view["game"])])
    chances = tuple(float(x) for x in judged(evaluator, boards)[0])
    seen = janowski.outlook(chances, is_race=bool(is_race(boards)[0]))
    win = min(max(seen.win + error, 0.0), 1.0)
    return Judged(view, chances, replace(seen, win=win))


def on_turn(game: JsonObject) -> Position:
    """Return the position in the view of the side on turn."""
    points: Position = tuple(game["points"])
    return points if game["turn"] == "box" else swap(points)


def is_match(view: JsonObject) -> bool:
    """Tell whether the table plays a match."""
    return bool(view["format"] == "match")


def score_of(view: JsonObject, seat: Seat) -> Score:
    """Return the score of the match as a seat has it; seats not in the match count as other."""
    length = int(view["match_length"])
    game = view["game"]
    other = game["captain"] if seat == game["box"] else game["box"]
    mine, theirs = (length - int(view["score"][s]) for s in (seat, other))
    return Score(mine, theirs, min(mine, theirs) == 1)


def worth_of(view: JsonObject) -> Worth:
    """Return what the chances of the side on turn are worth, for choosing a play.

    Under Jacoby gammons count for the share of the cubes that have been turned.
    """
    game = view["game"]
    live = [cube for cube in game["cubes"] if cube["result"] is None]
    if is_match(view):
        cube = int(live[0]["value"])
        return equity_table.worth(score_of(view, game["on_roll"]), cube)
    whole = _sum(live)
    counted = _sum(cube for cube in live if not _caps(view, cube))
    return money(counted / whole if whole else 1.0)


def _sum(cubes: Iterable[JsonObject]) -> int:
    return sum(int(cube["value"]) for cube in cubes)


def _owner(game: JsonObject, cube: JsonObject) -> str:
    """Return whose a cube is for the side on turn."""
    if cube["owner"] == "centre":
        return CENTRE
    return MINE if cube["owner"] == _OWNED_BY[game["turn"]] else THEIRS


def _caps(view: JsonObject, cube: JsonObject) -> bool:
    """Tell whether gammons do not count on a cube (docs/rules-chouette.md §4.6)."""
    return bool(view["options"]["jacoby"]) and not is_match(view) and not cube["turned"]
