"""The course of a turn: cubes first, then the dice (docs/rules-chouette.md §4.3)."""

from __future__ import annotations

from chouette.rules import window
from chouette.rules.cubes import turnable
from chouette.rules.state import BOX, OFFER, ROLL, TEAM, WINDOW, Draft, playing


def begin(draft: Draft, side: str) -> None:
    """Begin a side's turn: the Team's cube window, or the Box's choice to offer or roll.

    Without a cube that a member may turn there is no window.
    """
    game = playing(draft.state)
    if side == BOX:
        draft.add("turn_began", side=BOX, seat=game.box, stage=OFFER, dice=[])
        return
    cubes = turnable(draft.state, game, TEAM)
    stage = WINDOW if cubes else ROLL
    draft.add("turn_began", side=TEAM, seat=game.captain, stage=stage, dice=[])
    if cubes:
        window.open_for(draft)
