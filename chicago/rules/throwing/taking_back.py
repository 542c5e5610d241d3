"""Taking back a turn with typed dice, to correct mistakes of typing (docs/rules-chicago.md §2).

The player may do so until the next player's first tap, the host later as well, for the last few turns.
The table is then as it was at the start of that turn; the log keeps both. When a player has joined or
left, or a breach has been called, earlier turns are final.
"""

from __future__ import annotations

from collections.abc import Iterator

from chicago.rules.state import Draft, State, is_over
from games.kernel.contract import Event, JsonObject, Seat
from games.kernel.dice import typed
from games.kernel.records import changed

SETTLES = frozenset(
    {"seat_joined", "player_left", "seat_vacated", "seat_occupied", "breach_called", "forfeits_taken_over"}
)
"""Events after which earlier turns can't be taken back."""


KEPT = 3
"""Number of finished turns that can be taken back."""


def takeable(state: State) -> dict[Seat, State]:
    """Return the table at the start of each seat's last turn that can be taken back, by seat."""
    if is_over(state) or state.breach is not None:
        return {}
    found: dict[Seat, State] = {}
    for turn in _turns(state):
        if turn.on_turn is not None:
            found.setdefault(turn.on_turn, turn)
    return found


def _turns(state: State) -> Iterator[State]:
    """Yield the table at the start of each turn that can be taken back, the last one first."""
    if state.began is not None and state.is_typed:
        yield state.began
    before = state.before
    while before is not None:
        yield before
        before = before.before


def is_own(state: State, seat: Seat) -> bool:
    """Tell whether a seat may still take its turn back by itself."""
    found = takeable(state).get(seat)
    if found is None:
        return False
    return found is state.began or (_is_untouched(state) and state.turns == found.turns + 1)


def take_back(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Take a turn back: the seat's own, or as the host that of a given seat."""
    owner = args["seat"] if seat is None else seat
    number = takeable(draft.state)[owner].turns
    draft.add("turn_taken_back", seat=owner, by="host" if seat is None else "player", turn=number)


def restored(state: State, data: JsonObject, seq: int) -> State:
    """Return the table at the start of the turn; all open decisions get a new basis."""
    turn = next((turn for turn in _turns(state) if turn.turns == data["turn"]), None)
    if turn is None:
        return state
    return changed(turn, options=state.options, opened=seq, refill_opened=seq, calls_opened=seq)


def remembered(state: State, event: Event) -> State:
    """Return the state after an event, with the start of the turn kept if real dice are thrown."""
    if not typed.is_on(state.options):
        return state
    if event.type in SETTLES:
        state = changed(state, began=None, before=None)
    if not _is_untouched(state):
        return state
    return changed(state, began=changed(state, options={}, began=None, before=_cut(state.before, KEPT - 1)))


def _cut(turn: State | None, kept: int) -> State | None:
    """Return a chain of at most `kept` turns, beginning with this one."""
    if turn is None or not kept:
        return None
    return changed(turn, before=_cut(turn.before, kept - 1))


def _is_untouched(state: State) -> bool:
    """Tell whether nothing has been done in the running turn."""
    is_waiting = state.on_turn is not None and state.naming is None
    return is_waiting and state.turn.throws == 0 and state.awaits is None and state.declared is None
