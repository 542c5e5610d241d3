"""Changes that several events make to the state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chicago.rules.state import HISTORY, IN, State, TurnResult
from games.kernel.contract import Seat
from games.kernel.records import changed


def tally(state: State, seat: Seat, **amounts: int) -> State:
    """Return the state with `amounts` added to a player's figures."""
    player = state.players[seat]
    sums: dict[str, Any] = {name: getattr(player, name) + n for name, n in amounts.items()}
    return with_player(state, seat, **sums)


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with a player's fields replaced."""
    players = list(state.players)
    players[seat] = changed(players[seat], **changes)
    return changed(state, players=tuple(players))


def add_history(state: State, result: TurnResult) -> State:
    """Return the state with a finished turn kept for the screen."""
    return changed(state, history=(*state.history, result)[-HISTORY:])


def without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Return `seats` without one of them."""
    return tuple(s for s in seats if s != seat)


def take_in(state: State, seats: Iterable[Seat]) -> State:
    """Return the state with newcomers in the game."""
    for seat in seats:
        state = with_player(state, seat, status=IN, played=True)
    return state


def refill_due(state: State, seat: Seat, seq: int) -> State:
    """Return the state with a seat that must refill first."""
    return changed(state, refill=seat, refill_opened=seq, opened=seq)
