"""Resignation (docs/rules-chouette.md §6).

The Box offers 1, 2 or 3 times the cube and each member answers for their own cube; a member
resigns their own cube only, and the Box answers. Jacoby caps an unturned cube at 1. After a
refusal the same seat must offer more, until the next play.
"""

from __future__ import annotations

from chouette.rules.cube.cubes import decided_by, held_by, worth
from chouette.rules.events.cubes import ResignationAnswerGiven, ResignationAnswerSealed, ResignationOffered
from chouette.rules.session import course
from chouette.rules.state import BOX, QUIET, TEAM, Draft, Game, State, playing
from games.kernel.contract import JsonObject, Seat

HIGHEST = 3


def levels(state: State, game: Game, seat: Seat, cubes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the levels that a seat may offer for its cubes: above the refused ones, up to the highest that counts."""
    if game.stage not in QUIET or game.resignation is not None or not cubes:
        return ()
    most = max(worth(state, game.cubes[i], HIGHEST) // game.cubes[i].value for i in cubes)
    refused = max((level for by, level in game.refused if by == seat), default=0)
    return tuple(range(refused + 1, most + 1))


def offer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Offer to lose 1, 2 or 3 times the cube."""
    cubes = list(decided_by(playing(draft.state), seat))
    draft.add(ResignationOffered(seat=seat, level=args["level"], cubes=cubes))


def to_answer(game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes for which a seat has to answer a resignation."""
    offered = game.resignation
    if offered is None:
        return ()
    if offered.by == game.box:
        return held_by(game, offered.waiting, TEAM, seat)
    return held_by(game, offered.waiting, BOX, seat)


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Accept or refuse, for all cubes about which the seat decides; sealed until all have answered."""
    cubes = list(to_answer(playing(draft.state), seat))
    draft.tell((seat,), ResignationAnswerSealed(seat=seat, cubes=cubes, accept=args["accept"]))
    draft.add(ResignationAnswerGiven(seat=seat, cubes=cubes))
    course.go_on(draft)
