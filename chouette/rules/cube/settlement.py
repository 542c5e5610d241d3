"""Settlement by consent (docs/rules-chouette.md §6).

The Box and a member may settle their cube for any signed points, the two sides of an extra may
settle the extra until it ends with its taker's own cube on the same terms (§4.8). After a
settlement between Box and Captain, the payer has lost, and 0 keeps the Box. A proposal stands
until the next roll or double.
"""

from __future__ import annotations

from functools import lru_cache

from chouette.rules.cube.cubes import parties
from chouette.rules.events.cubes import SettlementAsked, SettlementProposed, SettlementRefused
from chouette.rules.session import course, ending
from chouette.rules.state import QUIET, Draft, Game, Proposal, State, playing, rule_of
from games.kernel.contract import JsonObject, Seat

MOST = 3 * 2**15


def is_open(state: State, game: Game) -> bool:
    """Tell whether cubes may be settled now."""
    return game.stage in QUIET and rule_of(state, "settlements")


def listed(game: Game, index: int) -> tuple[JsonObject, ...]:
    """Return some proposals for a cube; any other whole points are accepted too."""
    return _listed(index, game.cubes[index].value)


@lru_cache(maxsize=64)
def _listed(index: int, value: int) -> tuple[JsonObject, ...]:
    return tuple({"cube": index, "points": times * value} for times in range(-3, 4))


def is_amount(args: JsonObject, cubes: tuple[int, ...]) -> bool:
    """Tell whether arguments propose whole points for one of the cubes."""
    return (
        set(args) == {"cube", "points"}
        and type(args["cube"]) is int
        and args["cube"] in cubes
        and type(args["points"]) is int
        and abs(args["points"]) <= MOST
    )


def propose(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Propose to settle a cube for `points` to its member."""
    cube, points = args["cube"], args["points"]
    member, against = parties(playing(draft.state), playing(draft.state).cubes[cube])
    to = member if seat == against else against
    # The table knows whom it waits for; the points are between two seats: no event, no view tells them to others.
    draft.add(SettlementAsked(seat=seat, to=to, cube=cube))
    draft.tell((seat, to), SettlementProposed(seat=seat, to=to, cube=cube, points=points, is_told=True))


def payees(game: Game, index: int, points: int) -> tuple[Seat, ...]:
    """Return the seats that get points if a cube is settled for `points` to its member; a partner shares the Box's."""
    member, against = parties(game, game.cubes[index])
    if points == 0:
        return ()
    paid = member if points > 0 else against
    return (paid,) if paid != game.box or game.partner is None else (paid, game.partner)


def to_answer(game: Game, seat: Seat) -> tuple[Proposal, ...]:
    """Return the proposals of the other side that a seat may accept."""
    return tuple(p for p in game.proposals if seat == answerer(game, p))


def answerer(game: Game, proposal: Proposal) -> Seat:
    """Return the seat that a proposal asks."""
    member, against = parties(game, game.cubes[proposal.cube])
    return member if proposal.by == against else against


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Accept a proposal, which settles the cube, or refuse it."""
    proposal = next(p for p in to_answer(playing(draft.state), seat) if p.cube == args["cube"])
    if not args["accept"]:
        draft.add(SettlementRefused(seat=seat, cube=args["cube"]))
        return
    ending.go_out(draft, [(proposal.cube, proposal.points, "settled")])
    course.go_on(draft)
