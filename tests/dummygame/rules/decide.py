"""Which commands are legal, and what they lead to."""

from __future__ import annotations

from games.kernel.contract import (
    CLOSE,
    JOIN,
    LEAVE,
    TIMEOUT,
    Choice,
    Command,
    Event,
    Illegal,
    JsonObject,
    Seat,
    match,
)
from games.kernel.dice import Dice
from games.kernel.options import Values
from tests.dummygame.rules.fold import fold
from tests.dummygame.rules.state import State, gone, joinable, rounds_in_set, seats_in, waiting


def open(options: Values, seats: int, dice: Dice) -> tuple[Event, ...]:
    """Return the first events of a table: the hands are dealt."""
    return (Event("hands_dealt"),)


def choices(state: State, seat: Seat | None) -> tuple[Choice, ...]:
    """Return what a seat may do: bid, or take a bid back while others still think.

    Thanks come before the next bid: one to each of the others, all opened by one entry.
    """
    if state.over:
        return ()
    if seat is None:
        return _of_house(state)
    # Somebody may just be taking a seat that this state does not know yet.
    player = state.players[seat] if 0 <= seat < len(state.players) else None
    if player is None or not player.is_in:
        return ()
    if player.bid is not None:
        return (Choice("take_back", seat, player.opened, required=False),)
    seconds = state.options["turn_seconds"] or None
    if player.to_thank:
        others = tuple({"to": other} for other in player.to_thank)
        return (Choice("thank", seat, player.opened, others, seconds=seconds),)
    numbers = tuple({"number": number} for number in player.hand)
    return (Choice("bid", seat, player.opened, numbers, seconds=seconds),)


def _of_house(state: State) -> tuple[Choice, ...]:
    """Return what the clock and the host may do."""
    opened = max(player.opened for player in state.players)
    late = tuple({"seat": seat} for seat in waiting(state))
    leavers = tuple({"seat": s} for s in range(len(state.players)) if s not in gone(state))
    joiners = tuple({"seat": seat} for seat in joinable(state))
    found = [
        Choice(TIMEOUT, None, opened, late, required=False),
        Choice(LEAVE, None, opened, leavers, required=False),
    ]
    if joiners:
        found.append(Choice(JOIN, None, opened, joiners, required=False))
    if _why_not_close(state) is None:
        found.append(Choice(CLOSE, None, opened, required=False))
    return tuple(found)


def _why_not_close(state: State) -> Illegal | None:
    if state.options["sets"]:
        return Illegal("not_open_ended")
    if len(waiting(state)) < len(seats_in(state)):
        return Illegal("bids_are_out")
    return None


def decide(state: State, command: Command, dice: Dice) -> tuple[Event, ...]:
    """Check a command and return its events.

    Raises Illegal with the kernel's codes, or `not_open_ended`, `bids_are_out`.
    """
    if command.seat is None and command.name == CLOSE and (why := _why_not_close(state)):
        raise why
    match(choices(state, command.seat), command)
    if command.name == CLOSE:
        return _set_ended(state, "closed"), Event("game_over")
    seat = command.args["seat"] if command.seat is None else command.seat
    if command.name == JOIN:
        return (Event("seat_joined", {"seat": seat}),)
    if command.name == LEAVE:
        return _leave(state, seat, dice)
    if command.name == TIMEOUT and (owed := state.players[seat].to_thank):
        return (Event("thanked", {"seat": seat, "to": list(owed)}),)
    if command.name == TIMEOUT:
        return _bid(state, seat, min(state.players[seat].hand), dice)
    if command.name == "thank":
        return (Event("thanked", {"seat": seat, "to": [command.args["to"]]}),)
    if command.name == "take_back":
        return (Event("bid_returned", {"seat": seat}),)
    return _bid(state, seat, command.args["number"], dice)


def _bid(state: State, seat: Seat, number: int, dice: Dice) -> tuple[Event, ...]:
    sealed = Event("bid_sealed", {"seat": seat, "number": number}, audience=(seat,))
    counted = Event("bid_counted", {"seat": seat})
    return sealed, counted, *_go_on(fold(state, sealed, 0), dice)


def _leave(state: State, seat: Seat, dice: Dice) -> tuple[Event, ...]:
    left = Event("seat_left", {"seat": seat})
    after = fold(state, left, 0)
    if len(seats_in(after)) < 2:
        return left, _set_ended(after, "left"), Event("game_over")
    return (left, *_go_on(after, dice)) if state.players[seat].is_in else (left,)


def _go_on(state: State, dice: Dice) -> tuple[Event, ...]:
    """Open the bids when all have bid; after the last round, end the set or the table."""
    bids = [(seat, state.players[seat].bid) for seat in seats_in(state)]
    if any(number is None for _, number in bids):
        return ()
    revealed = Event("bids_revealed", _reveal(state, bids, dice), v=2)
    after = fold(state, revealed, 0)
    if after.round <= rounds_in_set(after):
        return (revealed,)
    ended = _set_ended(after, "played")
    is_last = after.set == after.options["sets"]
    return revealed, ended, Event("game_over" if is_last else "hands_dealt")


def _reveal(state: State, bids: list[tuple[Seat, int]], dice: Dice) -> JsonObject:
    """Return the data of `bids_revealed`: the bids, the dice thrown and the winner, if any."""
    numbers = [number for _, number in bids]
    pick = max if state.options["wins"] == "highest" else min
    thrown: list[list[int]] = []
    if state.options["ties"] == "die":
        best = [seat for seat, number in bids if number == max(numbers)]
        winner: Seat | None = _throw_off(best, dice, thrown)
    else:
        unique = [(number, seat) for seat, number in bids if numbers.count(number) == 1]
        winner = pick(unique)[1] if unique else None
    return {"bids": [list(bid) for bid in bids], "thrown": thrown, "winner": winner}


def _throw_off(seats: list[Seat], dice: Dice, thrown: list[list[int]]) -> Seat:
    """Return which of `seats` throws highest, ties throwing again; adds to `thrown`."""
    while len(seats) > 1:
        throws = list(zip(seats, dice.roll(len(seats)), strict=True))
        thrown.extend([seat, value] for seat, value in throws)
        best = max(value for _, value in throws)
        seats = [seat for seat, value in throws if value == best]
    return seats[0]


def _set_ended(state: State, reason: str) -> Event:
    """Return the result of a set: by points, those who left behind those who stayed."""
    keys = [(player.is_in, player.points) for player in state.players]
    ranking = [[seat for seat, key in enumerate(keys) if key == wanted] for wanted in sorted(set(keys), reverse=True)]
    stats = [{"rounds_won": p.points, "bid_sum": p.bid_sum} for p in state.players]
    points = [player.points for player in state.players]
    seats = [seat for seat, player in enumerate(state.players) if player.has_part]
    data = {"reason": reason, "points": points, "ranking": ranking, "stats": stats, "seats": seats}
    return Event("set_ended", data, v=2)
