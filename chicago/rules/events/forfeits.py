"""Events of forfeits, of naming the loser and of breaches (docs/rules-chicago.md §4.4)."""

from __future__ import annotations

from chicago.rules.events.fact import Fact, add_history, refill_due, tally
from chicago.rules.events.turns import Ended
from chicago.rules.state import Breach, ForfeitOffer, State
from games.kernel.contract import Seat
from games.kernel.records import changed
from games.kernel.sentences import equals, phrase, say, when
from games.kernel.text import gettext_noop as _


class ForfeitTaken(Fact):
    """A player takes forfeits; the taker of the last one must refill with `refill`.

    `with_turn`: it came of the throw that follows, and is taken back with the turn (in older logs it stays).
    """

    seat: Seat
    count: int
    reason: str
    refill: bool
    with_turn: bool | None = None
    is_end = True
    # Another player may sit there by now: the line before names the leaver.
    sentence = when(equals("reason", "leaving"), _("Leaving costs: %(forfeits)s."), _("%(name)s takes %(forfeits)s."))
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Count the forfeits."""
        state = tally(state, self.seat, forfeits=self.count)
        return refill_due(state, self.seat, seq) if self.refill else state

    @property
    def is_of_turn(self) -> bool:
        """Tell whether it came of a throw of the turn."""
        return bool(self.with_turn)


class Refilled(Fact):
    """A player has refilled."""

    seat: Seat
    sentence = _("%(name)s has refilled.")

    def apply(self, state: State, seq: int) -> State:
        """Let every seat throw again."""
        return changed(state, refill=None, opened=seq)


class NamingWon(Ended):
    """A throw by which its thrower names the round's loser (§4.4.3)."""

    kind: str
    sentence = _("%(name)s may name the loser.")

    def apply(self, state: State, seq: int) -> State:
        """Wait for the name."""
        state = add_history(state, self.result(state.round.number))
        return changed(state, naming=self.seat, opened=seq)


class LoserNamed(Fact):
    """A player names the round's loser."""

    seat: Seat
    loser: Seat
    is_end = True
    sentence = _("%(name)s names %(loser)s.")

    def apply(self, state: State, seq: int) -> State:
        """End the turn."""
        return changed(state, naming=None, on_turn=None)


class BreachCalled(Fact):
    """A player calls a breach by another one, and the others vote (§4.4.7)."""

    seat: Seat
    by: Seat
    breach: str
    voters: list[Seat]
    is_final = True
    sentence = say(_("%(by)s calls a breach by %(name)s: %(breach)s."), breach=phrase("breach_name"))

    def apply(self, state: State, seq: int) -> State:
        """Open the vote."""
        return changed(state, breach=Breach(self.seat, self.by, self.breach, tuple(self.voters), (), seq))


class BreachVoted(Fact):
    """A player votes on a breach."""

    seat: Seat
    guilty: bool

    def apply(self, state: State, seq: int) -> State:
        """Count the vote."""
        breach = state.breach
        if breach is None:
            return state
        return changed(state, breach=changed(breach, votes=(*breach.votes, (self.seat, self.guilty))))


class BreachVoterLeft(Fact):
    """A player with a vote leaves."""

    seat: Seat

    def apply(self, state: State, seq: int) -> State:
        """Vote without the leaver."""
        breach = state.breach
        if breach is None:
            return state
        voters = tuple(s for s in breach.voters if s != self.seat)
        votes = tuple(vote for vote in breach.votes if vote[0] != self.seat)
        return changed(state, breach=changed(breach, voters=voters, votes=votes))


class BreachSettled(Fact):
    """The vote on a breach is complete; `silenced` is the seat whose call was turned down."""

    seat: Seat
    by: Seat
    breach: str
    guilty: bool
    silenced: Seat | None
    is_end = True
    sentence = when("guilty", _("%(name)s is guilty."), _("%(name)s is not guilty."))

    def apply(self, state: State, seq: int) -> State:
        """Go on; the decisions that the vote held up get a new basis."""
        silenced = state.silenced if self.silenced is None else (*state.silenced, self.silenced)
        return changed(state, breach=None, silenced=silenced, opened=seq, refill_opened=seq, calls_opened=seq)


class OfferMade(Fact):
    """A leaver's forfeits may be taken over until a round ends (§4.4.6)."""

    seat: Seat
    count: int
    until_round: int

    def apply(self, state: State, seq: int) -> State:
        """Add the offer; with an earlier one of the same seat it becomes one offer of all forfeits still open."""
        old = [o for o in state.offers if o.seat == self.seat]
        others = tuple(o for o in state.offers if o.seat != self.seat)
        count = self.count + sum(o.count for o in old if o.until_round >= state.round.number)
        return changed(state, offers=(*others, ForfeitOffer(self.seat, count, self.until_round, seq)))


class ForfeitsTakenOver(Fact):
    """A player takes over a leaver's forfeits."""

    seat: Seat
    leaver: Seat
    count: int
    refill: bool
    is_final = True
    sentence = _("%(name)s takes over what %(leaver)s owed for leaving: %(forfeits)s.")

    def apply(self, state: State, seq: int) -> State:
        """Move the forfeits."""
        state = tally(tally(state, self.leaver, forfeits=-self.count), self.seat, forfeits=self.count)
        state = changed(state, offers=tuple(o for o in state.offers if o.seat != self.leaver))
        return refill_due(state, self.seat, seq) if self.refill else state
