"""Doubling while the game runs on a real board (docs/rules-chouette.md §4.13).

The turns are on the board only: a member doubles whenever their cube is centred or theirs, the Box any
set that its obligations allow. Members may join a double that is still unanswered; until an answer the
doubler may withdraw it.
"""

from __future__ import annotations

from chouette.rules.cube import answers, obligations
from chouette.rules.cube.cubes import covered_cubes, decision_cubes, held_by, turnable
from chouette.rules.events.cubes import DoubleWithdrawn
from chouette.rules.state import ANSWERS, BOX, TEAM, WOOD, Draft, Game, State, playing
from games.kernel.contract import JsonObject, Seat
from games.kernel.sets import Sets


def may_double(state: State, game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes that a member may double now, one by one."""
    is_joining = is_unanswered(game) and game.turn == TEAM
    if game.stage != WOOD and not is_joining:
        return ()
    cubes = held_by(game, decision_cubes(game, turnable(state, game, TEAM)), TEAM, seat)
    return tuple(cube for cube in cubes if not is_joining or cube not in game.batch)


def opened_at(state: State, game: Game) -> int:
    """Return the basis of a member's double; to join an open double it is still that of the first double.

    So two members can double in the same moment, in any order of their commands.
    """
    if game.stage == WOOD:
        return game.opened
    before = (act.game for act in reversed(state.acts) if act.game is not None and act.game.number == game.number)
    return next((kept.opened for kept in before if kept.stage == WOOD), game.opened)


def double(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Double for a member, or join an open double."""
    answers.double(draft, covered_cubes(playing(draft.state), [args["cube"]]), TEAM)


def offers(state: State, game: Game) -> Sets | None:
    """Return the sets of cubes that the Box may offer now, None without any."""
    cubes = decision_cubes(game, obligations.offerable(state, game)) if game.stage == WOOD else ()
    return obligations.offers(state.options, obligations.batch_of(game, cubes)) if cubes else None


def is_unanswered(game: Game) -> bool:
    """Tell whether a double waits and has no answer yet."""
    return game.stage == ANSWERS and not game.answers


def may_withdraw(game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes of the open double that a seat offered and may withdraw."""
    if not is_unanswered(game):
        return ()
    if game.turn == BOX:
        return game.batch if seat == game.box else ()
    found = held_by(game, decision_cubes(game, game.batch), TEAM, seat)
    return tuple(covered_cubes(game, list(found)))


def withdraw(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Withdraw the seat's double."""
    game = playing(draft.state)
    draft.add(DoubleWithdrawn(seat=seat, side=game.turn, cubes=list(may_withdraw(game, seat))))
