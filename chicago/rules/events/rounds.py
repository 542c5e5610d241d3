"""Events of rounds, phases and the game's end (docs/rules-chicago.md §§3–4)."""

from __future__ import annotations

from chicago.rules.events.fact import Fact, take_in, tally
from chicago.rules.state import BEFORE_THROWING, OVER, ResultView, Round, State, ValuationView, valuation_of
from games.kernel.contract import JsonObject, Seat
from games.kernel.data.records import changed
from games.kernel.sentences import equals, name_of, names_of, ngettext, phrase, say, when
from games.kernel.standings import Rolls
from games.kernel.text import gettext_noop as _


class PhaseStarted(Fact):
    """A phase starts: `rounds`, `dealing` or `playing_off`, with the mats in the stock."""

    phase: str
    stock: int | None
    is_end = True
    sentence = when(equals("phase", "playing_off"), _("All %(mats)s are dealt: now they are played off."))
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Start the phase."""
        return changed(state, phase=self.phase, stock=self.stock)


class StarterDrawn(Fact):
    """One die each has drawn the starter (§4.1)."""

    seat: Seat
    reason: str
    rolls: Rolls
    is_end = True
    is_headline = True
    sentence = _("%(name)s starts, by lot.")


class RolledOff(Fact):
    """A tie for the low is broken: one die each for the seats that shared it (§3)."""

    seat: Seat
    rolls: Rolls
    is_end = True
    sentence = _("One die each: %(name)s is low.")
    is_in_view = True


class RoundStarted(Fact):
    """A round starts, or the same one again without the players with a Chick (§4.2)."""

    round: int
    starter: Seat
    order: list[Seat]
    restart: bool
    valuation: ValuationView | None
    sentence = say(_("Round %(round)s: %(name)s starts."), name=name_of("starter"))

    def apply(self, state: State, seq: int) -> State:
        """Start the round; a restart keeps its number, the players out by a Chick and the used reward."""
        old = state.round
        began = Round(
            number=self.round,
            starter=self.starter,
            waiting=tuple(self.order),
            valuation=valuation_of(self.valuation),
            out=old.out if self.restart else (),
            reward_used=old.reward_used if self.restart else False,
        )
        if self.restart:
            return changed(state, round=began, announcement=None)
        state = changed(take_in(state, state.coming), ring=tuple(self.order), coming=())
        return changed(state, round=began, announcement=None, silenced=(), calls_opened=seq)


class RoundRestated(Fact):
    """The round's requirements are set again after a leaver's result has gone with them (§3)."""

    starter: Seat | None
    throws_allowed: int | None
    valuation: ValuationView | None

    def apply(self, state: State, seq: int) -> State:
        """Set the requirements."""
        now = changed(
            state.round,
            starter=self.starter,
            throws_allowed=self.throws_allowed,
            valuation=valuation_of(self.valuation),
        )
        return changed(state, round=now, announcement=None, opened=seq)


class Announced(Fact):
    """The standing result is announced: the `high`, later the `low` that must be beaten (§3)."""

    kind: str
    seat: Seat
    value: int
    throws: int
    fish: bool
    valuation: ValuationView | None
    low_counts: bool | None = None
    spoken = say(_("%(name)s: %(result)s"), result=phrase("announcement"))
    spoken_for = ("stood",)
    is_aloud = True

    def apply(self, state: State, seq: int) -> State:
        """Keep the announcement for the screen."""
        return changed(state, announcement=self.data())


class RoundEnded(Fact):
    """A round is over: `full`, `one_left`, or another reason that cut it short."""

    round: int
    reason: str
    high: Seat | None
    low: Seat | None
    results: list[ResultView]
    is_end = True
    sentence = when(equals("reason", "breach"), say(_("%(name)s has lost the round by it."), name=name_of("low")))

    def apply(self, state: State, seq: int) -> State:
        """Keep the round's results for the screen."""
        valuation = state.round.valuation
        ended = {**self.data(), "low_counts": valuation is not None and not valuation.high}
        return changed(state, last_round=ended, on_turn=None, naming=None, awaits=None)


class RoundTold(Fact):
    """The round that ran, or was to begin, was played without the house: only its end is told."""

    round: int
    is_final = True
    sentence = _("Round %(round)s was played without the house.")

    def apply(self, state: State, seq: int) -> State:
        """Put aside what ran; keep the table as it was before the first of the rounds that are handed over."""
        handed = state if state.handed is None or state.handed_seq != seq else state.handed
        return changed(
            state,
            round=changed(state.round, waiting=(), results=()),
            on_turn=None,
            turn=BEFORE_THROWING,
            awaits=None,
            declared=None,
            is_typed=False,
            naming=None,
            refill=None,
            without_house=True,
            handed=changed(handed, options={}, handed=None),
            handed_seq=seq,
        )


class ChickTold(Fact):
    """A Chick in a round that was played without the house (§3)."""

    seat: Seat
    is_end = True
    is_in_view = True
    sentence = _("%(name)s threw a Chick.")

    def apply(self, state: State, seq: int) -> State:
        """Count it; the thrower is out of the round."""
        now = changed(state.round, out=(*state.round.out, self.seat), reward_used=True)
        return changed(tally(state, self.seat, chicks=1), round=now)


class RoundsTakenBack(Fact):
    """The rounds that were handed over last are taken back: the table is as it was before them."""

    is_headline = True
    sentence = _("The rounds that were handed over last are taken back.")

    def apply(self, state: State, seq: int) -> State:
        """Restore the table; all open decisions get a new basis."""
        if state.handed is None:
            return state
        return changed(state.handed, options=state.options, opened=seq, refill_opened=seq, calls_opened=seq)


class RoundLost(Fact):
    """A player pays the round."""

    round: int
    seat: Seat
    is_end = True
    sentence = _("%(name)s pays the round.")
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Count the round."""
        return tally(state, self.seat, rounds_paid=1)


class GameEnded(Fact):
    """The game is over; the losers of a mats game pay the round.

    `without_house`: some of its rounds were played while the house was out of reach.
    """

    reason: str
    points: list[int]
    unit: str
    ranking: list[list[Seat]]
    stats: list[JsonObject]
    losers: list[Seat]
    without_house: bool = False
    is_end = True
    is_aloud = True
    sentence = when(
        "losers",
        ngettext(
            "The game is over: %(names)s has lost.",
            "The game is over: %(names)s have lost.",
            "losers.length",
            names=names_of("losers"),
        ),
        _("The game is over."),
    )

    def apply(self, state: State, seq: int) -> State:
        """End everything that is open."""
        return changed(
            state,
            phase=OVER,
            on_turn=None,
            turn=BEFORE_THROWING,
            awaits=None,
            naming=None,
            refill=None,
            breach=None,
            offers=(),
            outcome=self.data(),
        )
