"""Coming and going: newcomers, those who come back, those who leave (docs/rules-chicago.md §5)."""

from __future__ import annotations

from chicago.rules import breaches, forfeits, mats, rounds
from chicago.rules.ending import end
from chicago.rules.options_game import most_players
from chicago.rules.state import COMING, DEALING, LEFT, Draft, State, contenders, gone, has_mats, seats_in, staying
from games.kernel.contract import JsonObject, Seat

FIRST_MATS = 2
"""Before so many mats are dealt, a game for mats takes newcomers in."""


def joinable(state: State) -> tuple[Seat, ...]:
    """Return the seats that may be taken: those that were left, and the next new one."""
    present = sum(player.status != LEFT for player in state.players)
    if not _takes_in(state) or present >= most_players(state.options):
        return ()
    return (*gone(state), len(state.players))


def _takes_in(state: State) -> bool:
    """Tell whether the game takes newcomers in: open-ended, or with hardly a mat dealt yet."""
    if has_mats(state.options):
        return state.phase == DEALING and sum(p.mats_taken for p in state.players) < FIRST_MATS
    return bool(state.options["rounds"] == 0)


def join(draft: Draft, house: None, args: JsonObject) -> None:
    """Take somebody in: into this round where nobody has thrown yet, else from the next one on.

    A game for mats takes them in at once; the stock grows as if they had been there from the start.
    Who has left this round is not in it twice.
    """
    seat, state = args["seat"], draft.state
    may_play_now = has_mats(state.options) or rounds.is_between_rounds(state)
    at_once = may_play_now and seat not in state.ring
    draft.add("seat_joined", seat=seat, at_once=at_once, stock=_stock_with(state, seat))


def _stock_with(state: State, seat: Seat) -> int | None:
    """Return the stock with somebody on `seat`; None without mats."""
    if state.stock is None:
        return None
    now, then = len(state.players), max(len(state.players), seat + 1)
    return state.stock + mats.stock_at_start(state.options, then) - mats.stock_at_start(state.options, now)


def vacatable(state: State) -> tuple[Seat, ...]:
    """Return the seats that cost their player something when somebody else is to take them."""
    if not forfeits.leaving_price(state):
        return ()
    return tuple(seat for seat in seats_in(state) if not state.players[seat].vacant)


def vacate(draft: Draft, house: None, args: JsonObject) -> None:
    """Let a player go whose seat stays in the game: leaving costs the same whichever way (§4.4.6)."""
    draft.add("seat_vacated", seat=args["seat"])
    forfeits.charge_leaver(draft, args["seat"])


def vacant(state: State) -> tuple[Seat, ...]:
    """Return the seats that somebody may take as they are, and whose player has paid for leaving."""
    return tuple(seat for seat in seats_in(state) if state.players[seat].vacant)


def occupy(draft: Draft, house: None, args: JsonObject) -> None:
    """Let somebody sit on a vacant seat, who will pay for leaving in their turn."""
    draft.add("seat_occupied", seat=args["seat"])


def leave(draft: Draft, house: None, args: JsonObject) -> None:
    """Let somebody leave for good, with nobody taking the seat."""
    seat, before = args["seat"], draft.state
    draft.add("player_left", seat=seat)
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
    """Let the round go on without somebody who was in it `before`."""
    alone = contenders(draft.state)
    if len(alone) == 1:
        rounds.break_off(draft, alone[0])
    elif before.on_turn == seat:
        rounds.pass_on(draft, seat)
    elif any(result.seat == seat for result in before.round.results):
        rounds.restate(draft)
