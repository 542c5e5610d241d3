"""Small changes to the state that several events share."""

from __future__ import annotations

from typing import Any

from chicago.rules.state import HISTORY, Result, State
from games.kernel.contract import JsonObject, Seat
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


def result_of(data: JsonObject, round_number: int) -> Result:
    """Return the finished turn that an event tells of."""
    return Result(
        round=round_number,
        seat=data["seat"],
        dice=tuple(data["dice"]),
        throws=data["throws"],
        value=data["value"],
        is_chick=data["chick"],
        is_fish=data["fish"],
    )


def add_history(state: State, result: Result) -> State:
    """Return the state with a finished turn kept for the screen."""
    return changed(state, history=(*state.history, result)[-HISTORY:])


def without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Return `seats` without one of them."""
    return tuple(s for s in seats if s != seat)
