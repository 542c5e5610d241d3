"""What the events about coming and going do to the state (docs/rules-chicago.md §5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from chicago.rules.folding import with_player, without
from chicago.rules.state import BEFORE_THROWING, COMING, IN, LEFT, Player, State, turned_ring
from games.kernel.contract import JsonObject, Seat
from games.kernel.records import changed


def take_in(state: State, seats: Iterable[Seat]) -> State:
    """Return the state with newcomers in the game."""
    for seat in seats:
        state = with_player(state, seat, status=IN, played=True)
    return state


def _seat_joined(state: State, data: JsonObject, seq: int) -> State:
    """A newcomer has the next seat; somebody who comes back has their old one and their tally."""
    seat = data["seat"]
    if seat == len(state.players):
        state = changed(state, players=(*state.players, Player(played=False)))
    state = with_player(state, seat, status=COMING, vacant=False)
    if data["stock"] is not None:
        state = changed(state, stock=data["stock"])
    if data["at_once"]:
        return _join_round(state, seat)
    return changed(state, coming=(*state.coming, seat))


def _join_round(state: State, seat: Seat) -> State:
    """Let a newcomer play in this round already, as the last in its order."""
    state = take_in(state, [seat])
    now = changed(state.round, waiting=(*state.round.waiting, seat))
    return changed(state, ring=(*turned_ring(state, now.starter), seat), round=now)


def _player_left(state: State, data: JsonObject, seq: int) -> State:
    """Somebody gone is neither high nor low, and nothing waits for them (§5)."""
    seat = data["seat"]
    now = changed(
        state.round,
        waiting=without(state.round.waiting, seat),
        results=tuple(r for r in state.round.results if r.seat != seat),
    )
    state = with_player(state, seat, status=LEFT, vacant=False)
    state = changed(state, round=now, coming=without(state.coming, seat))
    if state.naming is not None:
        naming = None if state.naming == seat else state.naming
        state = changed(state, naming=naming, opened=seq)
    if state.refill == seat:
        state = changed(state, refill=None, opened=seq)
    if state.on_turn == seat:
        state = changed(state, on_turn=None, turn=BEFORE_THROWING)
    return state


def _seat_vacated(state: State, data: JsonObject, seq: int) -> State:
    """Who sat there has gone; the seat stays in the game and waits for somebody else."""
    return with_player(state, data["seat"], vacant=True)


def _seat_occupied(state: State, data: JsonObject, seq: int) -> State:
    """Somebody sits on a vacant seat again."""
    return with_player(state, data["seat"], vacant=False)


COMING_EVENTS: dict[str, Callable[[State, Any, int], State]] = {
    "seat_joined": _seat_joined,
    "player_left": _player_left,
    "seat_vacated": _seat_vacated,
    "seat_occupied": _seat_occupied,
}
