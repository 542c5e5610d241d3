"""What a viewer may see: everything but the sealed bids of the others."""

from __future__ import annotations

from games.kernel.contract import JsonObject, Seat
from tests.dummygame.rules.state import Player, State, rounds_in_set


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return the table as `viewer` (None = a spectator) sees it."""
    mine = None if viewer is None else state.players[viewer]
    return {
        "options": state.options,
        "set": state.set,
        "round": min(state.round, rounds_in_set(state)),
        "rounds": rounds_in_set(state),
        "seats": [_seat(seat, player) for seat, player in enumerate(state.players)],
        "bid": mine.bid if mine else None,
        "last": state.last,
        "over": state.over,
    }


def _seat(seat: Seat, player: Player) -> JsonObject:
    return {
        "seat": seat,
        "points": player.points,
        "in": player.is_in,
        "has_bid": player.bid is not None,
        "hand": list(player.hand),
    }
