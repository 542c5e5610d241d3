"""The payment of a side without a successor: its Box, or the last of its Team, has left.

Leaving is never better than staying (docs/rules-chouette.md §7). Acts already accepted stand:
a resignation, a drop, a take. Each other cube is paid at the highest level that its
opponent refused in this game plus one, at least at 1 ×; a beaver or raccoon that the leaver
has not answered is paid as the cube before it (§4.4).
"""

from __future__ import annotations

from chouette.rules.cube import answers, beavers
from chouette.rules.cube.cubes import cube_points, live, worth
from chouette.rules.session import ending
from chouette.rules.state import BOX, TEAM, Draft, Game, State, playing

HIGHEST = 3
"""The level of a backgammon, the highest at which a game is lost."""


def pay(draft: Draft, side: str, how: str = "left") -> None:
    """End every cube in the game, paid by a side that has left, or (`how` "time") whose time is up."""
    dropped = answers.open_sealed(draft)
    state, game = draft.state, playing(draft.state)
    stands = {i: (points, "dropped") for i, points in dropped.items()}
    ending.go_out(draft, [(i, *(stands.get(i) or _out(state, game, i, side, how))) for i in live(game)])


def _out(state: State, game: Game, index: int, side: str, how: str) -> tuple[int, str]:
    """Return the points of a cube for its member, and its kind of end."""
    stands = _accepted(state, game, index)
    if stands is not None:
        return stands
    dropped = beavers.unanswered_price(game, index, side)
    if dropped is not None:
        return dropped, how
    points = worth(state, game.cubes[index], _level(game, index, side))
    return cube_points(side, points), how


def _accepted(state: State, game: Game, index: int) -> tuple[int, str] | None:
    """Return points and kind of end of a cube with an accepted resignation or a sealed drop, else None."""
    offered = game.resignation
    if offered is not None and index in offered.accepted:
        loser = BOX if offered.by == game.box else TEAM
        return cube_points(loser, worth(state, game.cubes[index], offered.level)), "resigned"
    return beavers.sealed_drop(game, index)


def _level(game: Game, index: int, side: str) -> int:
    """Return the number of times the cube that a leaver pays."""
    is_mine = {seat: (seat == game.box) == (side == BOX) for _, seat, _ in game.declined}
    levels = [level + 1 for cube, seat, level in game.declined if cube == index and is_mine[seat]]
    offered = game.resignation
    if offered is not None and (offered.by == game.box) == (side == BOX):
        levels.append(offered.level + (index in offered.refused))
    return min(max(levels, default=1), HIGHEST)
