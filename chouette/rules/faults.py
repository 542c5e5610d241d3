"""The invariants of a table, in words (used by the checks on logs and by the tests)."""

from __future__ import annotations

from chouette.board.position import CHECKERS, on_board
from chouette.rules.choices import awaited
from chouette.rules.cube.cubes import is_in, live, roller
from chouette.rules.session import score_sheet
from chouette.rules.state import (
    HIGHEST_CUBE,
    IN,
    LEFT,
    MOVE,
    ORDER,
    PLAYING,
    ROLL,
    Game,
    State,
    is_over,
    playing,
)


def faults(state: State) -> tuple[str, ...]:
    """Return the broken invariants of a state after its opening, in words; empty if it is sound."""
    waiting = awaited(state)
    found = {
        "a row of the sheet does not sum to 0": not _rows_are_zero(state),
        "somebody stands in the line twice": len(set(state.line)) != len(state.line),
        "somebody who left stands in the line between games": _line_is_stale(state),
        "nobody is awaited at a running table": not is_over(state) and not waiting,
        "somebody who left is awaited": any(state.players[seat].status == LEFT for seat in waiting),
    }
    if state.phase == PLAYING:
        found |= _of_game(state, playing(state))
    return tuple(words for words, broken in found.items() if broken)


def _of_game(state: State, game: Game) -> dict[str, bool]:
    counts = on_board(game.position)
    return {
        "no cube is in the game": not live(game),
        "the Box is at its own Team's head": game.box == game.captain,
        "the Box has left": state.players[game.box].status == LEFT,
        "the Captain is out though others are in": not _captain_plays(state, game),
        "a side has more than 15 checkers, or none": not all(0 < n <= CHECKERS for n in counts),
        "a cube is no power of two in reach": any(
            cube.value & (cube.value - 1) or not 0 < cube.value <= HIGHEST_CUBE for cube in game.cubes
        ),
        "somebody plays without being in": game.stage in (MOVE, ROLL) and _is_gone(state, game),
        "the stakes in a single cube differ": game.is_single
        and len({(game.cubes[i].value, game.cubes[i].owner, game.cubes[i].turned) for i in live(game)}) > 1,
        "a batch holds a cube that is out": any(game.cubes[i].result is not None for i in game.batch),
    }


def _rows_are_zero(state: State) -> bool:
    seats = len(state.players)
    return all(sum(score_sheet.points(row.transfers, seats)) == 0 for row in state.sheet)


def _line_is_stale(state: State) -> bool:
    if state.phase in (PLAYING, ORDER):
        return False
    return any(state.players[seat].status != IN for seat in state.line)


def _captain_plays(state: State, game: Game) -> bool:
    others = any(is_in(state, game, seat) for seat in game.line[1:])
    return is_in(state, game, game.captain) or not others


def _is_gone(state: State, game: Game) -> bool:
    return state.players[roller(game)].status == LEFT
