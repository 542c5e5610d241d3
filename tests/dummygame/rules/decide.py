"""Which commands are legal, and what they lead to."""

from __future__ import annotations

from games.kernel.contract import (
    CLOSE,
    JOIN,
    LEAVE,
    OVER,
    TIMEOUT,
    Choice,
    Command,
    Decision,
    Illegal,
    JsonObject,
    Seat,
    match,
)
from games.kernel.dice import Dice, typed
from games.kernel.draft import Draft
from games.kernel.house_choices import house_choices
from games.kernel.options import Values
from games.kernel.standings import ranking, throw_off
from tests.dummygame.rules.events import (
    EVENTS,
    BidCounted,
    BidReturned,
    BidSealed,
    BidsRevealed,
    DiceShown,
    DieDealt,
    DieTyped,
    GameOver,
    HandsDealt,
    SeatJoined,
    SeatLeft,
    SetEnded,
    Thanked,
    Tied,
    TieRolled,
)
from tests.dummygame.rules.state import State, gone, initial, joinable, rounds_in_set, seats_in, to_throw, waiting


def open(options: Values, seats: int, dice: Dice) -> Decision[State]:
    """Return the first entry of a table: the hands are dealt."""
    draft = Draft(EVENTS, initial(options, seats), dice, seq=1)
    _deal(draft)
    return draft.decision()


def _deal(draft: Draft[State]) -> None:
    """Deal the hands of a set, and where the house says so a die to each seat that it alone sees."""
    draft.add(HandsDealt())
    if draft.state.options.get("own_die"):
        for seat in seats_in(draft.state):
            (die,) = draft.dice.roll(1)
            draft.tell((seat,), DieDealt(seat=seat, die=die), until=OVER)


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
    if state.tie is not None:
        return _to_type(state, seat)
    if player.bid is not None:
        return (Choice("take_back", seat, player.opened, required=False),)
    seconds = state.options["turn_seconds"] or None
    if player.to_thank:
        others = tuple({"to": other} for other in player.to_thank)
        return (Choice("thank", seat, player.opened, others, seconds=seconds),)
    numbers = tuple({"number": number} for number in player.hand)
    return (Choice("bid", seat, player.opened, numbers, seconds=seconds),)


def _to_type(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return the die that a seat has to throw for a tie, where real ones are thrown."""
    if state.tie is None or seat not in to_throw(state):
        return ()
    seconds = state.options["turn_seconds"] or None
    return (Choice("type_die", seat, state.tie["opened"], typed.listed(1), seconds=seconds),)


ALOUD = ("type_die", "thank")
"""What everybody hears and sees at once: bids are sealed."""


def to_enter(state: State, found: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices of a seat that another player may enter where real dice are thrown."""
    return tuple(choice for choice in found if choice.name in ALOUD) if typed.is_on(state.options) else ()


def _of_house(state: State) -> tuple[Choice, ...]:
    """Return what the clock and the host may do."""
    opened = max(player.opened for player in state.players)
    leavers = [seat for seat in range(len(state.players)) if seat not in gone(state)]
    seats = {TIMEOUT: waiting(state), LEAVE: leavers, JOIN: joinable(state)}
    return house_choices(opened, seats, can_close=_why_not_close(state) is None)


def _why_not_close(state: State) -> Illegal | None:
    if state.options["sets"]:
        return Illegal("not_open_ended")
    if state.tie is not None or len(waiting(state)) < len(seats_in(state)):
        return Illegal("bids_are_out")
    return None


def decide(state: State, command: Command, dice: Dice, seq: int) -> Decision[State]:
    """Return what a command leads to in log entry `seq`.

    Raises Illegal with the kernel's codes, or `not_open_ended`, `bids_are_out`.
    """
    if command.seat is None and command.name == CLOSE and (why := _why_not_close(state)):
        raise why
    if command.name == "type_die":
        typed.explain(command.args, 1)
    match(choices(state, command.seat), command)
    draft = Draft(EVENTS, state, dice, seq)
    _write(draft, command)
    return draft.decision()


def _write(draft: Draft[State], command: Command) -> None:
    """Write what a legal command leads to."""
    seat = command.args.get("seat") if command.seat is None else command.seat
    match command.name:
        case "close":
            _end_set(draft, "closed")
            draft.add(GameOver())
        case "join":
            draft.add(SeatJoined(seat=seat))
        case "leave":
            _leave(draft, seat)
        case "timeout" if draft.state.tie is not None:
            _throw(draft, seat, typed.BY_HOUSE)
        case "type_die":
            _throw(draft, seat, command.args)
        case "timeout" if owed := draft.state.players[seat].to_thank:
            draft.add(Thanked(seat=seat, to=list(owed)))
        case "timeout":
            _bid(draft, seat, min(draft.state.players[seat].hand))
        case "thank":
            draft.add(Thanked(seat=seat, to=[command.args["to"]]))
        case "take_back":
            draft.add(BidReturned(seat=seat))
        case _:
            _bid(draft, seat, command.args["number"])


def _bid(draft: Draft[State], seat: Seat, number: int) -> None:
    draft.tell((seat,), BidSealed(seat=seat, number=number))
    draft.add(BidCounted(seat=seat))
    _go_on(draft)


def _leave(draft: Draft[State], seat: Seat) -> None:
    was_in = draft.state.players[seat].is_in
    draft.add(SeatLeft(seat=seat))
    if len(seats_in(draft.state)) < 2:
        _end_set(draft, "left")
        draft.add(GameOver())
    elif was_in and draft.state.tie is not None:
        _throw_off(draft)
    elif was_in:
        _go_on(draft)


def _go_on(draft: Draft[State]) -> None:
    """Open the bids when all have bid, or let real dice be thrown for a tie."""
    state = draft.state
    bids = [(seat, number) for seat in seats_in(state) if (number := state.players[seat].bid) is not None]
    if len(bids) < len(seats_in(state)):
        return
    best = [seat for seat, number in bids if number == max(number for _, number in bids)]
    if typed.is_on(state.options) and state.options["ties"] == "die" and len(best) > 1:
        draft.add(Tied(bids=[list(bid) for bid in bids], seats=best, thrown=[]))
    else:
        found, rolls = _reveal(state, bids, draft.dice)
        if rolls:
            draft.add(TieRolled(rolls=rolls))
        _open_bids(draft, found)


def _throw(draft: Draft[State], seat: Seat, args: JsonObject) -> None:
    """Let a seat's die fall, as typed or from the house."""
    source, mark = typed.dice_of(args, draft.dice)
    (die,) = source.roll(1)
    draft.add(DieTyped(seat=seat, die=die, **mark))
    _throw_off(draft)


def _throw_off(draft: Draft[State]) -> None:
    """Open the bids once one die is highest; throw again among those who tie."""
    tie = draft.state.tie
    if tie is None or to_throw(draft.state):
        return
    best = [seat for seat, die in tie["fell"] if die == max(die for _, die in tie["fell"])]
    thrown = [*tie["thrown"], *tie["fell"]]
    if len(best) > 1:
        draft.add(Tied(bids=tie["bids"], seats=best, thrown=thrown))
    else:
        _open_bids(draft, {"bids": tie["bids"], "thrown": thrown, "winner": best[0] if best else None})


def _open_bids(draft: Draft[State], data: JsonObject) -> None:
    """Write what a round came to; after the last one, the end of the set or the table."""
    draft.add(BidsRevealed(**data))
    state = draft.state
    if state.round > rounds_in_set(state):
        _end_set(draft, "played")
        if state.set == state.options["sets"]:
            draft.add(GameOver())
        else:
            _deal(draft)


def _reveal(state: State, bids: list[tuple[Seat, int]], dice: Dice) -> tuple[JsonObject, list[list[JsonObject]]]:
    """Return the data of `bids_revealed`: the bids, the dice thrown and the winner, if any; and the rolls of a tie."""
    numbers = [number for _, number in bids]
    pick = max if state.options["wins"] == "highest" else min
    rolls: list[list[JsonObject]] = []
    if state.options["ties"] == "die":
        best = [seat for seat, number in bids if number == max(numbers)]
        winner: Seat | None
        winner, rolls = throw_off(tuple(best), dice)
    else:
        unique = [(number, seat) for seat, number in bids if numbers.count(number) == 1]
        winner = pick(unique)[1] if unique else None
    thrown = [[one["seat"], one["die"]] for roll in rolls for one in roll]
    return {"bids": [list(bid) for bid in bids], "thrown": thrown, "winner": winner}, rolls


def _end_set(draft: Draft[State], reason: str) -> None:
    """Write the result of a set: by points, those who left behind those who stayed."""
    state = draft.state
    points = [player.points for player in state.players]
    if state.options.get("own_die"):
        dice = {seat: player.die for seat, player in enumerate(state.players) if player.has_part and player.die}
        draft.add(DiceShown(shown=[list(one) for one in dice.items()]))
        for seat, die in dice.items():
            points[seat] += die == max(dice.values())
    ranked = ranking({seat: (not player.is_in, -points[seat]) for seat, player in enumerate(state.players)})
    stats = [{"rounds_won": p.points, "bid_sum": p.bid_sum} for p in state.players]
    seats = [seat for seat, player in enumerate(state.players) if player.has_part]
    draft.add(SetEnded(reason=reason, points=points, ranking=ranked, stats=stats, seats=seats))
