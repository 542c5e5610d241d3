"""Events of seats: players join, leave, and are replaced."""

from __future__ import annotations

from chicago.rules.events.fact import Fact, take_in, with_player, without
from chicago.rules.state import BEFORE_THROWING, COMING, LEFT, Player, State, turned_ring
from games.kernel.contract import Seat
from games.kernel.records import changed
from games.kernel.sentences import when
from games.kernel.text import gettext_noop as _


class SeatJoined(Fact):
    """A newcomer gets the next seat, or a returning player the old seat with its tally (§5)."""

    seat: Seat
    at_once: bool
    stock: int | None
    is_final = True
    sentence = when(
        "at_once", _("%(name)s is in, as the last of this round."), _("%(name)s plays from the next round on.")
    )

    def apply(self, state: State, seq: int) -> State:
        """Let the newcomer play in this round already, or from the next one on."""
        seat = self.seat
        if seat == len(state.players):
            state = changed(state, players=(*state.players, Player(played=False)))
        state = with_player(state, seat, status=COMING, vacant=False)
        if self.stock is not None:
            state = changed(state, stock=self.stock)
        if self.at_once:
            return _join_round(state, seat)
        return changed(state, coming=(*state.coming, seat))


def _join_round(state: State, seat: Seat) -> State:
    """Let a newcomer play in this round already, as the last in its order."""
    state = take_in(state, [seat])
    now = changed(state.round, waiting=(*state.round.waiting, seat))
    return changed(state, ring=(*turned_ring(state, now.starter), seat), round=now)


class PlayerLeft(Fact):
    """A player leaves for good: neither high nor low, and nothing waits for the seat (§5)."""

    seat: Seat
    is_end = True
    is_final = True
    sentence = _("%(name)s is out of the game.")

    def apply(self, state: State, seq: int) -> State:
        """Take the leaver out of the round."""
        seat = self.seat
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
            state = changed(state, on_turn=None, turn=BEFORE_THROWING, awaits=None)
        return state


class SeatVacated(Fact):
    """A player leaves and has paid for it; the seat stays in the game and waits for another player (§4.4.6)."""

    seat: Seat
    is_final = True

    def apply(self, state: State, seq: int) -> State:
        """Mark the seat as vacant."""
        return with_player(state, self.seat, vacant=True)


class SeatOccupied(Fact):
    """A player takes a vacant seat."""

    seat: Seat
    is_final = True

    def apply(self, state: State, seq: int) -> State:
        """Mark the seat as taken."""
        return with_player(state, self.seat, vacant=False)


class TimedOut(Fact):
    """A player's time is up: the table plays on for them."""

    seat: Seat
    sentence = _("Time is up for %(name)s: the table plays on for them.")
    is_headline = True
