"""Legal plays of a roll (docs/rules-chouette.md §3).

Every function takes a position in the view of the player on roll and two dice in any order.
Results stay in the view of the mover; `swap` gives the other side's.
All raise BoardError `bad_dice` for anything but two dice from 1 to 6.
"""

from __future__ import annotations

from chouette.board.generator import packed_results, unpacked
from chouette.board.position import Position
from chouette.board.steps import Dice, Move, complete, dice_used, first_steps, orders
from games.kernel.data.records import record

__all__ = [
    "Dice",
    "Move",
    "Play",
    "dice_used",
    "first_steps",
    "is_forced",
    "legal_plays",
    "result_bytes",
    "results",
]


@record(frozen=True, slots=True)
class Play:
    """A complete play: single moves in an order in which they can be played, and the result.

    Where nothing can be played, `moves` is empty and the result is the position itself.
    """

    moves: tuple[Move, ...]
    result: Position


def results(position: Position, dice: Dice) -> list[Position]:
    """Return each distinct position that a complete play reaches, without moves and in no order."""
    return unpacked(result_bytes(position, dice))


def result_bytes(position: Position, dice: Dice) -> bytes:
    """Return `results` one after another as 26 signed bytes each, for NumPy arrays."""
    order = orders(dice)[0]
    return packed_results(position, order[0], order[1])


def legal_plays(position: Position, dice: Dice) -> list[Play]:
    """Return one play for each distinct result, plays from the highest points first."""
    by_result: dict[Position, tuple[Move, ...]] = {}
    for moves, result in complete(position, dice):
        by_result.setdefault(result, moves)
    plays = [Play(moves, result) for result, moves in by_result.items()]
    return sorted(plays, key=lambda play: play.moves, reverse=True)


def is_forced(position: Position, dice: Dice) -> bool:
    """Tell whether there is only one play, or none."""
    return len(results(position, dice)) == 1
