"""Who plays for the Team when the Captain is out (docs/rules-chouette.md §4.7)."""

from __future__ import annotations

from chouette.rules.cubes import cube_of, holder, is_in, live, members_in
from chouette.rules.draft import Draft
from chouette.rules.state import TEAM, Game, State, present
from games.kernel.contract import Seat

STAND_IN, NEW_CAPTAIN = "stand_in", "new_captain"


def next_captain(state: State, game: Game) -> Seat:
    """Return who plays for the Team: the next member in the game, or who decides for one."""
    members = members_in(state, game)
    if members:
        return members[0]
    return next(holder(game, game.cubes[i], TEAM) for i in live(game))


def update(draft: Draft) -> None:
    """Hand the Captain's place on if the Captain is out: a winner has a stand-in."""
    state, game = draft.state, draft.game
    if is_in(state, game, game.captain) or _plays_by_proxy(state, game):
        return
    seat = next_captain(state, game)
    draft.add("captain_changed", seat=seat, before=game.captain, why=_why(game))


def _plays_by_proxy(state: State, game: Game) -> bool:
    """Tell whether the Captain is the last who decides for a cube in the game."""
    decides = [holder(game, game.cubes[i], TEAM) for i in live(game)]
    is_last = not members_in(state, game) and game.captain in decides
    return is_last and present(state, game.captain)


def _why(game: Game) -> str:
    own = cube_of(game, game.captain)
    result = game.cubes[own].result if own is not None else None
    return STAND_IN if result is not None and result > 0 else NEW_CAPTAIN
