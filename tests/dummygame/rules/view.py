"""What a viewer may see: everything but the sealed bids and the dice of others."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import cast

from games.kernel.contract import ALWAYS, Seat, Times
from tests.dummygame.rules.shapes import Opened, SeatView, TieView, View
from tests.dummygame.rules.state import Player, State, rounds_in_set, waiting


def view(state: State, viewer: Seat | None, times: Times = ALWAYS) -> View:
    """Return the table as `viewer` (None = a spectator) sees it, who sat there at `times`."""
    mine = None if viewer is None else state.players[viewer]
    is_own = mine is not None and mine.opened in times  # a bid is the last thing that was opened
    return {
        "options": state.options,
        "set": state.set,
        "round": min(state.round, rounds_in_set(state)),
        "rounds": rounds_in_set(state),
        "seats": [_seat(seat, player) for seat, player in enumerate(state.players)],
        "bid": mine.bid if mine and is_own else None,
        "die": mine.die if mine and mine.die_seq in times else None,
        "last": cast("Opened | None", state.last),
        "tie": cast("TieView | None", state.tie),
        "over": state.over,
        "waiting_for": [] if state.over else sorted(waiting(state)),
        "asked": "type_die" if state.tie else "bid",
    }


def has_secrets(state: State, seat: Seat) -> bool:
    """Tell whether a seat has a bid to seal or to keep, or a die that it alone sees."""
    if state.over or seat >= len(state.players):
        return False
    player = state.players[seat]
    return player.is_in and (bool(player.hand) or player.bid is not None or player.die is not None)


def resample(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return the state with other bids, and other dice, where `viewer` does not know them."""
    players = tuple(
        player if seat == viewer else _resampled(state, player, rng) for seat, player in enumerate(state.players)
    )
    return replace(state, players=players)


def _resampled(state: State, player: Player, rng: Random) -> Player:
    if player.bid is not None and state.tie is None:
        player = replace(player, bid=rng.choice(player.hand))
    if player.die is not None and not state.dice_shown:
        player = replace(player, die=rng.randint(1, 6))
    return player


def _seat(seat: Seat, player: Player) -> SeatView:
    return {
        "seat": seat,
        "points": player.points,
        "in": player.is_in,
        "has_bid": player.bid is not None,
        "hand": list(player.hand),
    }
