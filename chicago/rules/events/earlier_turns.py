"""Earlier turns with typed dice, which may be taken back (docs/rules-chicago.md §2)."""

from __future__ import annotations

from collections.abc import Iterator

from chicago.rules.state import State
from games.kernel.data.records import changed
from games.kernel.dice import typed

KEPT = 3
"""Number of finished turns that can be taken back."""


def earlier(state: State) -> Iterator[State]:
    """Yield the table at the start of each turn that can be taken back, the last one first."""
    if state.began is not None and state.is_typed:
        yield state.began
    before = state.before
    while before is not None:
        yield before
        before = before.before


def restored(state: State, turn: int, seq: int) -> State:
    """Return the table at the start of a turn; all open decisions get a new basis."""
    found = next((one for one in earlier(state) if one.turns == turn), None)
    if found is None:
        return state
    return changed(found, options=state.options, opened=seq, refill_opened=seq, calls_opened=seq)


def remembered(state: State, *, is_final: bool, is_of_turn: bool) -> State:
    """Return the state after an event, with the start of the turn kept if real dice are thrown.

    `is_final`: no earlier turn can be taken back any more. `is_of_turn`: the event is not of before the turn.
    """
    if not typed.is_on(state.options):
        return state
    if is_final:
        state = changed(state, began=None, before=None)
    if is_of_turn or not is_untouched(state):
        return state
    return changed(state, began=changed(state, options={}, began=None, before=_cut(state.before, KEPT - 1)))


def _cut(turn: State | None, kept: int) -> State | None:
    """Return a chain of at most `kept` turns, beginning with this one."""
    if turn is None or not kept:
        return None
    return changed(turn, before=_cut(turn.before, kept - 1))


def is_untouched(state: State) -> bool:
    """Tell whether nothing has been done in the running turn."""
    is_waiting = state.on_turn is not None and state.naming is None
    return is_waiting and state.turn.throws == 0 and state.awaits is None and state.declared is None
