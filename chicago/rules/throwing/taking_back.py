"""Taking back a turn with typed dice, to correct mistakes of typing (docs/rules-chicago.md §2).

The player may do so until the next player's first tap, the host later as well, for the last few turns, whoever threw
them. The table is then as it was at the start of that turn; the log keeps both. When a player has joined or
left, a breach has been called, or the house has thrown for a person, earlier turns are final.
"""

from __future__ import annotations

from chicago.rules.events.earlier_turns import KEPT, earlier, is_untouched
from chicago.rules.events.turns import TurnTakenBack
from chicago.rules.state import Draft, State, is_over
from games.kernel.contract import JsonObject, Seat


def takeable(state: State) -> dict[Seat, State]:
    """Return the table at the start of each seat's last turn that can be taken back, by seat."""
    if is_over(state) or state.breach is not None:
        return {}
    found: dict[Seat, State] = {}
    for turn in earlier(state):
        if turn.on_turn is not None and turn.turns >= state.turns - KEPT:
            found.setdefault(turn.on_turn, turn)
    return found


def ends_at_house_dice(state: State) -> bool:
    """Tell whether one of the turns that could be taken back is final because the house threw for a person."""
    return not is_over(state) and state.house_threw > 0 and state.house_threw >= state.turns - KEPT


def is_own(state: State, seat: Seat) -> bool:
    """Tell whether a seat may still take its turn back by itself."""
    if state.began is None and state.before is None:  # no dice are typed
        return False
    found = takeable(state).get(seat)
    if found is None:
        return False
    return found is state.began or (is_untouched(state) and state.turns == found.turns + 1)


def take_back(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Take a turn back: the seat's own, or as the host that of a given seat."""
    owner = args["seat"] if seat is None else seat
    number = takeable(draft.state)[owner].turns
    draft.add(TurnTakenBack(seat=owner, by="host" if seat is None else "player", turn=number))
