"""The first line by real dice: each player throws one and types it; ties throw again (§4.12)."""

from __future__ import annotations

from chouette.rules.events.session import LineSet, OrderDieThrown
from chouette.rules.state import BETWEEN, TO_THROW, Draft, State
from games.kernel.contract import JsonObject, Seat
from games.kernel.dice import typed


def thrown(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the dice that a seat has thrown for the first line, in their order."""
    return tuple(roll["die"] for block in state.order for roll in block["rolls"] if roll["seat"] == seat)


def to_throw(state: State) -> tuple[Seat, ...]:
    """Return the seats of the line that still have to throw: their dice are the beginning of another seat's."""
    if state.phase != BETWEEN or state.why != TO_THROW:
        return ()
    dice = {seat: thrown(state, seat) for seat in state.line}
    return tuple(seat for seat in state.line if any(_is_start(dice[seat], dice[o]) for o in state.line if o != seat))


def _is_start(mine: tuple[int, ...], others: tuple[int, ...]) -> bool:
    return others[: len(mine)] == mine


def throw(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Throw a seat's die, or the house's for it."""
    source, mark = typed.dice_of(args, draft.dice)
    draft.add(OrderDieThrown(seat=seat, die=source.roll(1)[0], **mark))
    settle(draft)


def settle(draft: Draft) -> None:
    """Set the line from the highest die to the lowest, once no seat has to throw any more."""
    state = draft.state
    if state.phase == BETWEEN and state.why == TO_THROW and not to_throw(state):
        line = sorted(state.line, key=lambda seat: thrown(state, seat), reverse=True)
        draft.add(LineSet(line=line, why="rolled"))
