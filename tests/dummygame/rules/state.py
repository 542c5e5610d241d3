"""The state of a table of Sealed Bids."""

from __future__ import annotations

from dataclasses import dataclass

from games.kernel.contract import JsonObject, Seat
from games.kernel.options import Values

MOST, MOST_SEATS = 4, 12


@dataclass(frozen=True, slots=True)
class Player:
    """One seat; `bid` is its sealed bid, `opened` the seq that opened its decision.

    `is_coming`: joined, and plays from the next set on. `has_part`: played in this set.
    `to_thank` are those whom it has still to thank for the last round. `die` fell when the hands
    were dealt, by entry `die_seq`, and its seat alone sees it until the set ends.
    """

    hand: tuple[int, ...] = ()
    bid: int | None = None
    opened: int = 0
    points: int = 0
    bid_sum: int = 0
    is_in: bool = True
    is_coming: bool = False
    has_part: bool = True
    to_thank: tuple[Seat, ...] = ()
    die: int | None = None
    die_seq: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A table: `set` and `round` count from 1, `last` is the last opening of the bids.

    `tie` is a throw-off with real dice: `{"bids", "seats": who throws, "fell": [[seat, die]], "thrown": before,
    "opened"}`.
    """

    options: Values
    players: tuple[Player, ...]
    set: int = 0
    round: int = 0
    last: JsonObject | None = None
    tie: JsonObject | None = None
    dice_shown: bool = False
    over: bool = False


def initial(options: Values, seats: int) -> State:
    """Return the state before any event."""
    return State(dict(options), (Player(),) * seats)


def is_over(state: State) -> bool:
    """Tell whether nothing more will be played."""
    return state.over


def seats_in(state: State) -> tuple[Seat, ...]:
    """Return the seats that still play."""
    return tuple(seat for seat, player in enumerate(state.players) if player.is_in)


def gone(state: State) -> tuple[Seat, ...]:
    """Return the seats whose players have left for good."""
    return tuple(s for s, p in enumerate(state.players) if not p.is_in and not p.is_coming)


def joinable(state: State) -> tuple[Seat, ...]:
    """Return the seats that may be taken, unless this is the last set: old ones and a new one."""
    players, sets = len(state.players), state.options["sets"]
    if state.set == sets or players - len(gone(state)) >= MOST:
        return ()
    return (*gone(state), players) if players < MOST_SEATS else gone(state)


def waiting(state: State) -> tuple[Seat, ...]:
    """Return the seats whose bids are not in yet, or whose die is still to be typed."""
    if state.tie is not None:
        return to_throw(state)
    return tuple(seat for seat in seats_in(state) if state.players[seat].bid is None)


def to_throw(state: State) -> tuple[Seat, ...]:
    """Return the seats that throw a real die for a tie now."""
    if state.tie is None:
        return ()
    fell = [seat for seat, _ in state.tie["fell"]]
    return tuple(seat for seat in state.tie["seats"] if seat not in fell)


def rounds_in_set(state: State) -> int:
    """Return how many rounds a set has: without reuse, until the hands are empty."""
    return int(state.options["rounds"] if state.options["reuse"] else state.options["numbers"])


def faults(state: State) -> tuple[str, ...]:
    """Return the invariants that `state` breaks, in words."""
    wrong = [
        f"seat {seat} bids {player.bid}, which it does not hold"
        for seat, player in enumerate(state.players)
        if player.bid is not None and player.bid not in player.hand
    ]
    won = sum(player.points for player in state.players)
    if state.set and won > state.round:
        wrong.append(f"{won} points after {state.round} rounds")
    return tuple(wrong)


def may_speak(state: State, seat: Seat | None) -> bool:
    """Tell whether words may be heard by all: while bids are sealed, of those who think alone."""
    if state.over or state.tie is not None or all(player.bid is None for player in state.players):
        return True
    if seat is None or seat >= len(state.players):
        return False
    return state.players[seat].is_in and state.players[seat].bid is None
