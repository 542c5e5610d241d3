"""Taking back a play by consent, until a cube is offered or the dice are thrown.

The mover of the side that made the play asks; the Box, or all members in the game, have to
agree on the other side.
"""

from __future__ import annotations

from chouette.rules.cube.cubes import holder, members_in, roller
from chouette.rules.events.cubes import SettlementLapsed
from chouette.rules.events.game import PlayAskedBack, PlayBackAgreed, PlayBackLapsed, PlayBackRefused, PlayTakenBack
from chouette.rules.state import BOX, MOVE, QUIET, TEAM, Draft, Game, State, playing
from games.kernel.contract import JsonObject, Seat


def may_ask(game: Game, seat: Seat) -> bool:
    """Tell whether a seat may ask to take its side's last play back."""
    last = game.last
    if last is None or last.asked is not None or game.stage == MOVE or game.stage not in QUIET:
        return False
    return seat == roller(game, last.side)


def ask(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Ask to take the last play back."""
    draft.add(PlayAskedBack(seat=seat))


def to_answer(state: State, game: Game) -> tuple[Seat, ...]:
    """Return the seats that still have to agree to take the play back."""
    last = game.last
    if last is None or last.asked is None or game.stage not in QUIET:
        return ()
    others = members_in(state, game) if last.side == BOX else (game.box,)
    return tuple(seat for seat in others if seat not in last.agreed)


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Agree or refuse; the play is taken back when all have agreed."""
    if not args["accept"]:
        draft.add(PlayBackRefused(seat=seat))
        return
    draft.add(PlayBackAgreed(seat=seat))
    game = playing(draft.state)
    if not to_answer(draft.state, game):
        draft.add(PlayTakenBack(seat=game.last.seat if game.last else None))


def lapse(draft: Draft) -> None:
    """Write that open proposals and requests lapse; the roll, double or play comes next."""
    game = playing(draft.state)
    for proposal in game.proposals:
        member = holder(game, game.cubes[proposal.cube], TEAM)
        to = member if proposal.by == game.box else game.box
        # Like the proposal itself, the lapse is told to its two seats only.
        draft.tell((proposal.by, to), SettlementLapsed(seat=proposal.by, to=to, cube=proposal.cube))
    if game.last is not None and game.last.asked is not None:
        draft.add(PlayBackLapsed(seat=roller(game, game.last.side)))
