"""Joining, leaving, time-outs and closing (docs/rules-chicago.md §5)."""

from __future__ import annotations

from chicago.rules.events.coming import PlayerLeft, SeatJoined, SeatOccupied, SeatVacated, TimedOut
from chicago.rules.game import breaches, forfeits, mats, rounds
from chicago.rules.game.ending import end
from chicago.rules.game.standing import low
from chicago.rules.options.game import most_players
from chicago.rules.state import (
    COMING,
    DEALING,
    LEFT,
    Draft,
    State,
    contenders,
    gone,
    has_mats,
    must_declare,
    seats_in,
    staying,
)
from chicago.rules.throwing import throws
from chicago.rules.throwing.scoring import Valuation
from chicago.rules.throwing.turn import Lay, after
from games.kernel.contract import JsonObject, Seat


def can_close(state: State) -> bool:
    """Tell whether the host may close the table: open-ended, and between two rounds (§4.1)."""
    options = state.options
    is_open_ended = not has_mats(options) and options["rounds"] == 0
    return is_open_ended and state.breach is None and rounds.is_between_rounds(state)


def close(draft: Draft, house: None, args: JsonObject) -> None:
    """End an open-ended game."""
    end(draft, "closed")


def timeout(draft: Draft, house: None, args: JsonObject) -> None:
    """Act for a seat whose time has run out: throw once if needed, and stand.

    Everything else is answered as neutrally as possible: not guilty, refilled, and the named loser
    is the low or, without one, the naming seat.
    """
    seat, state = args["seat"], draft.state
    draft.add(TimedOut(seat=seat))
    if state.breach is not None:
        breaches.vote(draft, seat, {"guilty": False})
    elif state.refill == seat:
        forfeits.refill(draft, seat, {})
    elif state.naming == seat:
        standing_low = low(state)
        throws.name_loser(draft, seat, {"seat": standing_low.seat if standing_low else seat})
    else:
        _play_out(draft, seat)


def _play_out(draft: Draft, seat: Seat) -> None:
    """Throw the house's dice until standing is allowed; a throw may end the turn by itself."""
    while (lay := throws.awaited_lay(draft.state)) or not throws.can_stand(draft.state):
        if not throws.throw_with(draft, seat, lay or _neutral_lay(draft.state)):
            return
    throws.stand_with(draft, seat, Valuation() if must_declare(draft.state) else None)


def _neutral_lay(state: State) -> Lay:
    """Return the way to continue that lays out nothing new; three sixes may have to be turned."""
    ways = throws.ways_on(state)
    turn, rules = state.turn, state.turn_rules
    same = (way for way in ways if not way.turn and after(turn, way, rules) == turn.laid)
    return next(same, ways[0])


FIRST_MATS = 2
"""A game for mats takes newcomers in until this number of mats has been dealt."""


def joinable(state: State) -> tuple[Seat, ...]:
    """Return the seats that newcomers may take: left ones, and the next new one."""
    present = sum(player.status != LEFT for player in state.players)
    if not _is_joinable(state) or present >= most_players(state.options):
        return ()
    return (*gone(state), len(state.players))


def _is_joinable(state: State) -> bool:
    """Tell whether the game takes newcomers in: it is open-ended, or hardly a mat has been dealt yet."""
    if has_mats(state.options):
        return state.phase == DEALING and sum(p.mats_taken for p in state.players) < FIRST_MATS
    return bool(state.options["rounds"] == 0)


def join(draft: Draft, house: None, args: JsonObject) -> None:
    """Take a newcomer in: into this round if no dice have been thrown in it yet, else from the next one on.

    A game for mats takes them in at once; the stock grows as if they had been there from the start.
    A player can't join a round again after leaving it.
    """
    seat, state = args["seat"], draft.state
    may_play_now = has_mats(state.options) or rounds.is_between_rounds(state)
    at_once = may_play_now and seat not in state.ring
    draft.add(SeatJoined(seat=seat, at_once=at_once, stock=_stock_with(state, seat)))


def _stock_with(state: State, seat: Seat) -> int | None:
    """Return the stock with a player on `seat`; None without mats."""
    if state.stock is None:
        return None
    now, then = len(state.players), max(len(state.players), seat + 1)
    return state.stock + mats.stock_at_start(state.options, then) - mats.stock_at_start(state.options, now)


def vacatable(state: State) -> tuple[Seat, ...]:
    """Return the seats whose players have to pay when another player is to take the seat."""
    if not forfeits.leaving_price(state):
        return ()
    return tuple(seat for seat in seats_in(state) if not state.players[seat].vacant)


def vacate(draft: Draft, house: None, args: JsonObject) -> None:
    """Let a player go whose seat stays in the game; leaving costs the same either way (§4.4.6)."""
    draft.add(SeatVacated(seat=args["seat"]))
    forfeits.charge_leaver(draft, args["seat"])


def vacant(state: State) -> tuple[Seat, ...]:
    """Return the seats that another player may take as they are, after their player has paid for leaving."""
    return tuple(seat for seat in seats_in(state) if state.players[seat].vacant)


def occupy(draft: Draft, house: None, args: JsonObject) -> None:
    """Seat a player on a vacant seat; they will pay for leaving, too."""
    draft.add(SeatOccupied(seat=args["seat"]))


def leave(draft: Draft, house: None, args: JsonObject) -> None:
    """Let a player leave for good, without a successor on the seat."""
    seat, before = args["seat"], draft.state
    draft.add(PlayerLeft(seat=seat))
    if before.players[seat].status == COMING:
        return
    mats.give_up(draft, seat)
    if not before.players[seat].vacant:
        forfeits.charge_leaver(draft, seat)
    if _are_too_few(draft.state):
        end(draft, "abandoned", (seat,) if has_mats(draft.state.options) else ())
    elif not breaches.forget(draft, seat):
        _mend_round(draft, seat, before)


def _are_too_few(state: State) -> bool:
    return mats.is_decided(state) or len(staying(state)) < 2


def _mend_round(draft: Draft, seat: Seat, before: State) -> None:
    """Continue the round without a seat that was in it `before`."""
    alone = contenders(draft.state)
    if len(alone) == 1:
        rounds.break_off(draft, alone[0])
    elif before.on_turn == seat:
        rounds.pass_on(draft, seat)
    elif any(result.seat == seat for result in before.round.results):
        rounds.restate(draft)
