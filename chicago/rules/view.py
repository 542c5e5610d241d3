"""The view of a table for a browser (docs/protocol.md). Nothing is hidden in Chicago.

The shape, the same for every viewer (a seat is an int from 0; `?` marks values that may be null):

    {"phase": "rounds" | "dealing" | "playing_off" | "over",
     "options": {option id: value},            the complete house rules
     "round": int,                              from 1
     "starter": seat,
     "turn": seat?,                             the seat on turn; null when the game is over
     "throws_allowed": int?,                    null while the starter is still throwing
     "throws_left": int,                        of the running turn
     "throw": {"number": int, "all": int},      the running throw, and the most that the turn may have
     "exactly": bool,                           followers throw exactly `throws_allowed` times
     "declares": bool,                          standing now declares the valuation
     "valuation": {"ones": 100|1, "sixes": 60|6, "high": bool}?,
     "cup": {"laid": [int], "rolled": [int], "throws": int, "in_cup": int},
                                                laid before the last throw; shown by it; so far
     "to_type": {"count": int, "laid": [int]}?,  real dice are thrown now: the number of dice to type, and
                                                the dice laid out beside them
     "to_enter": {"valuation": {...}}?,         a result of real dice is entered now; the valuation in force
     "usual": int?,                             the face that nearly everybody lays out
     "waiting": [seat],                         still to come in this round, in order
     "high": RESULT?, "low": RESULT?,           low is null until two have played
     "shared_low": [seat],                      more than one: a roll-off if nothing changes
     "beat": RESULT?,                           the result that the running turn must beat
     "for_high": bool,                          beat is the high: it alone is rewarded
     "announcement": {"kind": "high"|"low", "seat", "value", "throws", "fish": bool,
                      "valuation": {...}?,      valuation only in the starter's announcement
                      "low_counts": bool}?,     the smallest number is best
     "order": [seat],                           round to the left, newcomers at the end
     "seats": [{"seat", "status": "in"|"coming"|"out"|"safe"|"left", "mats": int, "mats_taken": int,
                "result": RESULT?, "rounds_paid": int, "forfeits": int, "side_forfeits": int,
                "chicks": int, "fish": int, "throws": int, "must_refill": bool, "vacant": bool}],
                                                out = threw a Chick and is out of this round;
                                                coming = plays from the next round on;
                                                vacant = its player has paid for leaving
     "stock": int?,                             mats to be dealt; null without mats
     "mats_out": int,                           mats that have left play
     "target": int?,                            T of §4.3; null unless mats are given away
     "naming": seat?,                           may name the round's loser
     "refill": seat?,                           must refill before anybody throws
     "breach": {"seat", "by", "breach": "spilling"|"not_in_one_go"|"foreign_object",
                "voters": [seat], "votes": {seat as a string: guilty bool}, "voted": int}?,
     "offers": [{"seat", "count"}],             forfeits of leavers that others may take
     "last_round": {"round", "reason": "full"|"chick"|"named"|"breach"|"one_left"|"abandoned",
                    "high": seat?, "low": seat?, "results": [RESULT],
                    "low_counts": bool}?,       the smallest number was best
     "ending": {"seq": int, "lines": [LINE], "is_chick": bool, "next": LINE?}?,
                                                the ends that the turn before this one caused, the most important
                                                line first, and who starts next; null if it only had a result
     "history": [RESULT],                       the last 12 turns, oldest first
     "outcome": {"reason", "points": [int], "ranking": [[seat]], "stats": [{}],
                 "losers": [seat], "title": LINE}?,
                                                lists by seat; newcomers without a part in the
                                                game are in no group of the ranking
     "waiting_for": [seat],                     whom the game waits for
     "asked": str}                              and for which choice; "over" when the game is

    RESULT = {"round", "seat", "dice": [int], "value": int, "throws": int,
              "chick": bool, "fish": bool}      value 0 for a Fish where all Fish are equal
    LINE = [name, data]                         a phrase or an event with its data (games.kernel.words)
"""

from __future__ import annotations

from random import Random

from chicago.rules.choices import awaited
from chicago.rules.endings import ending_json, outcome_json
from chicago.rules.game import standing
from chicago.rules.game.mats import target
from chicago.rules.state import (
    IN,
    SAFE,
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
from games.kernel.answers import TABLES, keeps_answers
from games.kernel.contract import ALWAYS, JsonObject, Seat, Times
from games.kernel.records import Same, as_dict, kept, kept_by
from games.kernel.words import OVER_WORDS


def view(state: State, viewer: Seat | None, times: Times = ALWAYS) -> JsonObject:
    """Return the view for `viewer` (None = a spectator): everything, in the shape above.

    All viewers of a state get the same object: never change it.
    """
    return _public(state)


def resample(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return the same state: nothing is hidden."""
    return state


@kept
def _public(state: State) -> JsonObject:
    return {
        "phase": state.phase,
        "options": as_dict(state.options),
        **_turn(state),
        **_standing(state),
        "order": [*_present(state), *state.coming],
        "seats": _seats(state),
        "stock": state.stock,
        "mats_out": state.mats_out,
        "target": target(state),
        **_forfeits(state),
        "last_round": state.last_round,
        "ending": ending_json(state),
        "history": _history(Same(state.history)),
        "outcome": outcome_json(state),
        "waiting_for": list(awaited(state)),
        "asked": _asked(state),
    }


@keeps_answers(TABLES)
def _history(history: Same) -> list[JsonObject]:
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


def _turn(state: State) -> JsonObject:
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


def _to_type(state: State) -> JsonObject | None:
    lay = awaited_lay(state)
    if lay is None or is_over(state):
        return None
    laid = after(state.turn, lay, state.turn_rules)
    return {"count": DICE - len(laid), "laid": list(laid)}


def _to_enter(state: State) -> JsonObject | None:
    return {"valuation": entering.valuation_in_force(state)} if entering.is_by_result(state) else None


def _usual(state: State) -> int | None:
    """Return 1 if ones are worth keeping: as 100 when high counts, as 1 when low does; else None.

    They also are before the starter's declaration.
    """
    valuation = state.round.valuation
    return 1 if valuation is None or (valuation.ones > 1) == valuation.high else None


def _standing(state: State) -> JsonObject:
    low = standing.low(state)
    return {
        "high": _maybe(standing.high(state)),
        "low": _maybe(low),
        "shared_low": [r.seat for r in standing.sharers(state)] if low else [],
        "beat": _maybe(standing.to_beat(state)),
        "for_high": standing.is_for_high(state),
        "announcement": state.announcement,
    }


def _present(state: State) -> list[Seat]:
    """Return the seats that are not left, in the order of the ring; safe seats outside it come last."""
    seats = [seat for seat, player in enumerate(state.players) if player.status in (IN, SAFE)]
    return [*(s for s in state.ring if s in seats), *(s for s in seats if s not in state.ring)]


def _parts(state: State) -> tuple[object, ...]:
    """Return the parts of a state that its seats depend on: most throws change none of them."""
    return state.players, state.round.out, state.round.results, state.refill


@kept_by(_parts, TABLES)
def _seats(state: State) -> list[JsonObject]:
    return [_seat(state, seat) for seat in range(len(state.players))]


def _seat(state: State, seat: Seat) -> JsonObject:
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


def _forfeits(state: State) -> JsonObject:
    breach = state.breach
    open_offers = [o for o in state.offers if o.until_round >= state.round.number]
    return {
        "naming": state.naming,
        "refill": state.refill,
        "breach": breach
        and {
            "seat": breach.seat,
            "by": breach.by,
            "breach": breach.kind,
            "voters": list(breach.voters),
            "votes": {str(seat): guilty for seat, guilty in breach.votes},
            "voted": len(breach.votes),
        },
        "offers": [{"seat": o.seat, "count": o.count} for o in open_offers],
    }


def _maybe(result: TurnResult | None) -> JsonObject | None:
    return result_json(result) if result else None
