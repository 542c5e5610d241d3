"""The view of a table for a browser: its shape is in view_shape.py. Nothing is hidden in Chicago."""

from __future__ import annotations

from random import Random
from typing import cast

from chicago.rules.choices import awaited
from chicago.rules.endings import ending_json, outcome_json
from chicago.rules.game import standing
from chicago.rules.game.mats import target
from chicago.rules.state import (
    IN,
    SAFE,
    Breach,
    ResultView,
    State,
    TurnResult,
    is_exact,
    is_over,
    must_declare,
    result_json,
    throws_allowed,
    valuation_json,
)
from chicago.rules.throwing import entering
from chicago.rules.throwing.throws import awaited_lay
from chicago.rules.throwing.turn import DICE, after
from chicago.rules.view_shape import (
    Announcement,
    BreachView,
    DiceToType,
    ForfeitsView,
    LastRound,
    ResultToEnter,
    RoundStanding,
    SeatView,
    TurnView,
    View,
)
from games.kernel.contract import ALWAYS, Seat, Times
from games.kernel.records import TABLES, Same, as_dict, keeps_answers, kept
from games.kernel.words import OVER_WORDS


def view(state: State, viewer: Seat | None, times: Times = ALWAYS) -> View:
    """Return the view for `viewer` (None = a spectator): everything.

    All viewers of a state get the same object: never change it.
    """
    return _public(state)


def resample(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return the same state: nothing is hidden."""
    return state


@kept
def _public(state: State) -> View:
    return {
        "phase": state.phase,
        "options": as_dict(state.options),
        **_turn(state),
        **_standing(state),
        "order": [*_present(state), *state.coming],
        "seats": [_seat(state, seat) for seat in range(len(state.players))],
        "stock": state.stock,
        "mats_out": state.mats_out,
        "target": target(state),
        **_forfeits(state),
        "last_round": cast("LastRound | None", state.last_round),
        "ending": ending_json(state),
        "history": _history(Same(state.history)),
        "outcome": outcome_json(state),
        "waiting_for": list(awaited(state)),
        "asked": _asked(state),
    }


@keeps_answers(TABLES)
def _history(history: Same) -> list[ResultView]:
    """Return the last turns; kept, since several throws make one."""
    return [result_json(result) for result in history.thing]


def _asked(state: State) -> str:
    """Return the choice that the game waits for, by its name."""
    if is_over(state):
        return OVER_WORDS
    if state.breach is not None:
        return "vote_breach"
    if state.naming is not None:
        return "name_loser"
    return "throw" if state.refill is None else "refill"


def _turn(state: State) -> TurnView:
    turn = state.turn
    on_table = len(turn.laid) + len(turn.rolled)
    return {
        "round": state.round.number,
        "starter": state.round.starter,
        "turn": state.on_turn,
        "throws_allowed": state.round.throws_allowed,
        "throws_left": throws_allowed(state) - turn.throws,
        "throw": {"number": min(turn.throws + 1, throws_allowed(state)), "all": throws_allowed(state)},
        "exactly": is_exact(state),
        "declares": must_declare(state) and not is_over(state),
        "valuation": valuation_json(state.round.valuation),
        "cup": {
            "laid": list(turn.laid),
            "rolled": list(turn.rolled),
            "throws": turn.throws,
            "in_cup": DICE - on_table,
        },
        "to_type": _to_type(state),
        "to_enter": _to_enter(state),
        "usual": _usual(state),
        "waiting": list(state.round.waiting),
    }


def _to_type(state: State) -> DiceToType | None:
    lay = awaited_lay(state)
    if lay is None or is_over(state):
        return None
    laid = after(state.turn, lay, state.turn_rules)
    return {"count": DICE - len(laid), "laid": list(laid)}


def _to_enter(state: State) -> ResultToEnter | None:
    return {"valuation": entering.valuation_in_force(state)} if entering.is_by_result(state) else None


def _usual(state: State) -> int | None:
    """Return 1 if ones are worth keeping: as 100 when high counts, as 1 when low does; else None.

    They also are before the starter's declaration.
    """
    valuation = state.round.valuation
    return 1 if valuation is None or (valuation.ones > 1) == valuation.high else None


def _standing(state: State) -> RoundStanding:
    low = standing.low(state)
    return {
        "high": _maybe(standing.high(state)),
        "low": _maybe(low),
        "shared_low": [r.seat for r in standing.sharers(state)] if low else [],
        "beat": _maybe(standing.to_beat(state)),
        "for_high": standing.is_for_high(state),
        "announcement": cast("Announcement | None", state.announcement),
    }


def _present(state: State) -> list[Seat]:
    """Return the seats that are not left, in the order of the ring; safe seats outside it come last."""
    seats = [seat for seat, player in enumerate(state.players) if player.status in (IN, SAFE)]
    return [*(s for s in state.ring if s in seats), *(s for s in seats if s not in state.ring)]


def _seat(state: State, seat: Seat) -> SeatView:
    player = state.players[seat]
    out = player.status == IN and seat in state.round.out
    result = next((r for r in state.round.results if r.seat == seat), None)
    return {
        "seat": seat,
        "status": "out" if out else player.status,
        "mats": player.mats,
        "mats_taken": player.mats_taken,
        "result": _maybe(result),
        "rounds_paid": player.rounds_paid,
        "forfeits": player.forfeits,
        "side_forfeits": player.side_forfeits,
        "chicks": player.chicks,
        "fish": player.fish,
        "throws": player.throws,
        "must_refill": state.refill == seat,
        "vacant": player.vacant,
    }


def _forfeits(state: State) -> ForfeitsView:
    open_offers = [o for o in state.offers if o.until_round >= state.round.number]
    return {
        "naming": state.naming,
        "refill": state.refill,
        "breach": _breach(state.breach) if state.breach else None,
        "offers": [{"seat": o.seat, "count": o.count} for o in open_offers],
    }


def _breach(breach: Breach) -> BreachView:
    return {
        "seat": breach.seat,
        "by": breach.by,
        "breach": breach.kind,
        "voters": list(breach.voters),
        "votes": {str(seat): guilty for seat, guilty in breach.votes},
        "voted": len(breach.votes),
    }


def _maybe(result: TurnResult | None) -> ResultView | None:
    return result_json(result) if result else None
