"""The high and the low of a round, and the result to beat (docs/rules-chicago.md §3)."""

from __future__ import annotations

from chicago.rules.state import PLAYING_OFF, State, TurnResult
from chicago.rules.throwing.scoring import Valuation, compare


def high(state: State) -> TurnResult | None:
    """Return the best result of the round; of equal ones the first."""
    best: TurnResult | None = None
    for result in state.round.results:
        if best is None or _compare(state, result, best) > 0:
            best = result
    return best


def sharers(state: State) -> tuple[TurnResult, ...]:
    """Return the results that share the low, in order of play: one, unless some are equal."""
    lowest: list[TurnResult] = []
    for result in state.round.results:
        order = _compare(state, result, lowest[0]) if lowest else -1
        if order <= 0:
            lowest = [*lowest, result] if order == 0 and lowest else [result]
    return tuple(lowest)


def low(state: State) -> TurnResult | None:
    """Return the low: of equal results the last. None with fewer than two results."""
    return sharers(state)[-1] if len(state.round.results) > 1 else None


def is_for_high(state: State) -> bool:
    """Tell whether only the high is rewarded: when mats are played off the Bavarian way (§4.2)."""
    return state.phase == PLAYING_OFF and bool(state.options["playing_off"] == "discard")


def to_beat(state: State) -> TurnResult | None:
    """Return the result that the next player must beat: the low, or the only result so far.

    If only the high is rewarded, it is the high (§3).
    """
    if is_for_high(state):
        return high(state)
    shared = sharers(state)
    return shared[-1] if shared else None


def best_but(state: State, seat: int) -> TurnResult | None:
    """Return the best result of the other seats: the high once `seat` is known to be low."""
    best: TurnResult | None = None
    for result in state.round.results:
        if result.seat != seat and (best is None or _compare(state, result, best) > 0):
            best = result
    return best


def _compare(state: State, a: TurnResult, b: TurnResult) -> int:
    valuation = state.round.valuation or Valuation()
    return compare(a, b, valuation, state.options["ties"])
