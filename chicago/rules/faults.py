"""The invariants of a table, in words (used by the checks on logs and by the tests)."""

from __future__ import annotations

from chicago.rules.choices import awaited
from chicago.rules.game.mats import stock_at_start
from chicago.rules.state import IN, State, has_mats, is_over, mats_held, throws_allowed
from chicago.rules.throwing.turn import DICE


def faults(state: State) -> tuple[str, ...]:
    """Return the broken invariants of a state after its opening, in words; empty if it is sound."""
    found = {
        "mats got lost or were made": not _mats_add_up(state),
        "somebody out of the game holds mats": _matless_broken(state),
        "nobody is awaited in a running game": not is_over(state) and not awaited(state),
        "a seat out of the game is awaited": any(state.players[seat].status != IN for seat in awaited(state)),
        "a turn has a wrong number of dice": not _is_whole(state),
        "a turn has too many throws": state.turn.throws > throws_allowed(state),
        "a seat has two results in a round": not _is_distinct(state),
        "a game that is over has no result": is_over(state) and state.outcome is None,
    }
    return tuple(words for words, broken in found.items() if broken)


def _mats_add_up(state: State) -> bool:
    count = (state.stock or 0) + mats_held(state) + state.mats_out
    return (
        count == stock_at_start(state.options, len(state.players))
        and min([state.stock or 0, state.mats_out, *(p.mats for p in state.players)]) >= 0
    )


def _matless_broken(state: State) -> bool:
    return has_mats(state.options) and any(p.mats for p in state.players if p.status != IN)


def _is_whole(state: State) -> bool:
    """Tell whether a turn has all its dice; an entered turn has them on the real table."""
    count = len(state.turn.laid) + len(state.turn.rolled)
    return count == (DICE if state.turn.throws else 0) or (count == 0 and state.is_typed)


def _is_distinct(state: State) -> bool:
    seats = [result.seat for result in state.round.results]
    return len(set(seats)) == len(seats)
