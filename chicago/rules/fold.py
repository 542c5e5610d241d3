"""What each event of the log does to the state: no checks, no dice, no rules.

Everything that a rule had to find out stands in the event, so a later fix of a rule never
changes how an old log reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from chicago.rules.fold_coming import COMING_EVENTS, take_in
from chicago.rules.fold_forfeits import FORFEIT_EVENTS
from chicago.rules.fold_mats import MAT_EVENTS
from chicago.rules.folding import add_history, result_of, tally, without
from chicago.rules.state import BEFORE_THROWING, OVER, Round, State, valuation_of
from chicago.rules.turn import Turn
from games.kernel.contract import Event, JsonObject
from games.kernel.records import changed

Handler: TypeAlias = Callable[[State, Any, int], State]


def fold(state: State, event: Event, seq: int) -> State:
    """Return the state after an event of log entry `seq`; an unknown event changes nothing."""
    handler = HANDLERS.get(event.type)
    return handler(state, event.data, seq) if handler else state


def _phase_started(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, phase=data["phase"], stock=data["stock"])


def _round_started(state: State, data: JsonObject, seq: int) -> State:
    """A restart is the same round: who threw a Chick stays out and the reward used (§4.2)."""
    old = state.round
    began = Round(
        number=data["round"],
        starter=data["starter"],
        waiting=tuple(data["order"]),
        valuation=valuation_of(data["valuation"]),
        out=old.out if data["restart"] else (),
        reward_used=old.reward_used if data["restart"] else False,
    )
    if data["restart"]:
        return changed(state, round=began, announcement=None)
    state = changed(take_in(state, state.coming), ring=tuple(data["order"]), coming=())
    return changed(state, round=began, announcement=None, silenced=(), calls_opened=seq)


def _round_restated(state: State, data: JsonObject, seq: int) -> State:
    """What the round asks for, worked out anew because somebody took their result with them (§3)."""
    now = changed(
        state.round,
        starter=data["starter"],
        throws_allowed=data["throws_allowed"],
        valuation=valuation_of(data["valuation"]),
    )
    return changed(state, round=now, announcement=None, opened=seq)


def _turn_started(state: State, data: JsonObject, seq: int) -> State:
    waiting = without(state.round.waiting, data["seat"])
    return changed(
        state,
        round=changed(state.round, waiting=waiting),
        on_turn=data["seat"],
        turn=BEFORE_THROWING,
        opened=seq,
    )


def _dice_thrown(state: State, data: JsonObject, seq: int) -> State:
    turn = Turn(tuple(data["laid"]), tuple(data["dice"]), data["throw"])
    return changed(tally(state, data["seat"], throws=1), turn=turn, opened=seq)


def _stood(state: State, data: JsonObject, seq: int) -> State:
    result = result_of(data, state.round.number)
    now = changed(state.round, results=(*state.round.results, result))
    if data["binds"]:
        now = changed(now, throws_allowed=data["throws"], valuation=valuation_of(data["valuation"]))
    state = tally(state, data["seat"], fish=int(data["fish"]))
    return changed(add_history(state, result), round=now, on_turn=None)


def _announced(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, announcement=data)


def _chick_thrown(state: State, data: JsonObject, seq: int) -> State:
    now = changed(state.round, out=(*state.round.out, data["seat"]), reward_used=True)
    state = add_history(state, result_of(data, state.round.number))
    return changed(tally(state, data["seat"], chicks=1), round=now, on_turn=None)


def _round_ended(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, last_round=data, on_turn=None, naming=None)


def _round_lost(state: State, data: JsonObject, seq: int) -> State:
    return tally(state, data["seat"], rounds_paid=1)


def _game_ended(state: State, data: JsonObject, seq: int) -> State:
    return changed(
        state,
        phase=OVER,
        on_turn=None,
        turn=BEFORE_THROWING,
        naming=None,
        refill=None,
        breach=None,
        offers=(),
        outcome=data,
    )


HANDLERS: dict[str, Handler] = {
    "phase_started": _phase_started,
    "round_started": _round_started,
    "round_restated": _round_restated,
    "turn_started": _turn_started,
    "dice_thrown": _dice_thrown,
    "stood": _stood,
    "announced": _announced,
    "chick_thrown": _chick_thrown,
    "round_ended": _round_ended,
    "round_lost": _round_lost,
    "game_ended": _game_ended,
    **COMING_EVENTS,
    **MAT_EVENTS,
    **FORFEIT_EVENTS,
}
