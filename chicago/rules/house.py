"""What the house does: the clock, closing (docs/rules-chicago.md §5)."""

from __future__ import annotations

from chicago.rules import breaches, forfeits, rounds, turns
from chicago.rules.ending import end
from chicago.rules.scoring import Valuation
from chicago.rules.standing import low
from chicago.rules.state import Draft, State, has_mats, must_declare
from chicago.rules.turn import Lay, after
from games.kernel.contract import JsonObject, Seat


def can_close(state: State) -> bool:
    """Tell whether the host may close the table: open-ended, and between two rounds (§4.1)."""
    options = state.options
    is_open_ended = not has_mats(options) and options["rounds"] == 0
    return is_open_ended and state.breach is None and rounds.is_between_rounds(state)


def close(draft: Draft, house: None, args: JsonObject) -> None:
    """End an open-ended game."""
    end(draft, "closed")


def timeout(draft: Draft, house: None, args: JsonObject) -> None:
    """Act for a seat that let the time run out: throw once if needed, and stand.

    Everything else is answered as neutrally as can be: not guilty, refilled, and the loser
    named is the low or, without one, the namer.
    """
    seat, state = args["seat"], draft.state
    draft.add("timed_out", seat=seat)
    if state.breach is not None:
        breaches.vote(draft, seat, {"guilty": False})
    elif state.refill == seat:
        forfeits.refill(draft, seat, {})
    elif state.naming == seat:
        standing_low = low(state)
        turns.name_loser(draft, seat, {"seat": standing_low.seat if standing_low else seat})
    else:
        _play_out(draft, seat)


def _play_out(draft: Draft, seat: Seat) -> None:
    """Throw until standing is allowed; a throw may end the turn by itself."""
    while not turns.can_stand(draft.state):
        if not turns.throw_with(draft, seat, _neutral_lay(draft.state)):
            return
    turns.stand_with(draft, seat, Valuation() if must_declare(draft.state) else None)


def _neutral_lay(state: State) -> Lay:
    """Return the way on that lays out nothing new; three sixes may have to be turned."""
    ways = turns.ways_on(state)
    turn, rules = state.turn, state.turn_rules
    same = (way for way in ways if not way.turn and after(turn, way, rules) == turn.laid)
    return next(same, ways[0])
