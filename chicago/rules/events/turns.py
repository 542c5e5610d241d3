"""Events of a turn: throws, and its result (docs/rules-chicago.md §§2–3)."""

from __future__ import annotations

from chicago.rules.events.earlier_turns import restored
from chicago.rules.events.fact import Fact, add_history, tally, without
from chicago.rules.state import BEFORE_THROWING, State, TurnResult, ValuationView, valuation_of
from chicago.rules.throwing.turn import Turn
from games.kernel.contract import Seat
from games.kernel.data.records import changed
from games.kernel.sentences import equals, faces, phrase, say, when
from games.kernel.text import gettext_noop as _


class TurnStarted(Fact):
    """A player's turn begins, with its greatest number of throws; None until the starter has stood."""

    seat: Seat
    throws_allowed: int | None
    exactly: bool

    def apply(self, state: State, seq: int) -> State:
        """Put the player on turn."""
        waiting = without(state.round.waiting, self.seat)
        return changed(
            state,
            round=changed(state.round, waiting=waiting),
            on_turn=self.seat,
            turn=BEFORE_THROWING,
            awaits=None,
            declared=None,
            turns=state.turns + 1,
            since=seq,
            before=state.began if state.is_typed and state.began else state.before,
            is_typed=False,
            opened=seq,
        )


class Declared(Fact):
    """The starter declares the valuation of a result to be entered."""

    seat: Seat
    valuation: ValuationView
    sentence = _("%(name)s declares: %(counts)s.")

    def apply(self, state: State, seq: int) -> State:
        """Note the declaration."""
        return changed(state, declared=self.valuation, opened=seq)


class ResultEntered(Fact):
    """A player enters a result; its dice are on the real table, so the log has only the number of throws."""

    seat: Seat
    throws: int
    value: int
    kind: str

    def apply(self, state: State, seq: int) -> State:
        """Note the throws."""
        state = tally(state, self.seat, throws=self.throws)
        return changed(state, turn=Turn(throws=self.throws), is_typed=True, opened=seq)


class TurnTakenBack(Fact):
    """A turn with typed dice is taken back, by the `player` or the `host`."""

    seat: Seat
    by: str
    turn: int
    sentence = when(equals("by", "player"), _("%(name)s takes the turn back."))

    def apply(self, state: State, seq: int) -> State:
        """Restore the table at the start of the turn."""
        return restored(state, self.turn, seq)


class SixesTurned(Fact):
    """A player turns two sixes into a one; `forced`: three, into two ones (§2)."""

    seat: Seat
    laid: list[int]
    forced: bool
    sentence = when("forced", _("%(name)s turns three sixes into two ones."), _("%(name)s turns two sixes."))


class DiceAwaited(Fact):
    """A player throws real dice, which are still to be typed."""

    seat: Seat
    lay: list[int]
    turn: bool
    laid: bool = False
    sentence = _("%(name)s throws at the table.")

    def apply(self, state: State, seq: int) -> State:
        """Wait for the dice."""
        return changed(state, awaits={key: value for key, value in self.data().items() if key != "seat"}, opened=seq)


class DiceThrown(Fact):
    """A throw: the `dice` thrown beside those `laid` out.

    Where real dice may be thrown: `typed`, or `for_person`, the house threw for a person (older logs don't say).
    """

    seat: Seat
    throw: int
    dice: list[int]
    laid: list[int]
    turned: bool
    typed: bool | None = None
    for_person: bool | None = None
    sentence = when(
        "laid",
        say(_("%(name)s throws %(dice)s, with %(laid)s laid out."), dice=faces("dice"), laid=faces("laid")),
        say(_("%(name)s throws %(dice)s."), dice=faces("dice")),
    )

    def apply(self, state: State, seq: int) -> State:
        """Lay the dice on the table. A throw by the house is not repeated, so the turn can't be taken back."""
        turn = Turn(tuple(self.laid), tuple(self.dice), self.throw)
        state = changed(tally(state, self.seat, throws=1), turn=turn, awaits=None, opened=seq)
        if self.typed:
            return changed(state, is_typed=True)
        return changed(state, began=None, house_threw=state.turns if self.for_person else state.house_threw)

    @property
    def is_final_here(self) -> bool:
        """Tell whether the house threw for a person: that is not thrown again."""
        return bool(self.for_person)


class Ended(Fact, abstract=True):
    """The end of a turn with a result; `value` is as in `scoring.Score`, `dice` empty if only the result is known."""

    seat: Seat
    dice: list[int]
    throws: int
    value: int
    chick: bool
    fish: bool

    def result(self, round_number: int) -> TurnResult:
        """Return the result of the finished turn."""
        return TurnResult(
            round=round_number,
            seat=self.seat,
            dice=tuple(self.dice),
            throws=self.throws,
            value=self.value,
            is_chick=self.chick,
            is_fish=self.fish,
        )


class Stood(Ended):
    """A player stands; the throws and the valuation of a starter's turn, which `binds`, hold for the round."""

    binds: bool
    valuation: ValuationView | None
    is_headline = True
    sentence = when(
        ("binds", "valuation"),
        say(_("%(name)s stands: %(result)s (%(counts)s)."), result=phrase("called")),
        say(_("%(name)s stands: %(result)s."), result=phrase("called")),
    )

    def apply(self, state: State, seq: int) -> State:
        """End the turn."""
        result = self.result(state.round.number)
        now = changed(state.round, results=(*state.round.results, result))
        if self.binds:
            now = changed(now, throws_allowed=self.throws, valuation=valuation_of(self.valuation))
        state = tally(state, self.seat, fish=int(self.fish))
        return changed(add_history(state, result), round=now, on_turn=None, ending=None)


class ChickThrown(Ended):
    """A turn ends with a Chick (§3)."""

    is_end = True
    sentence = _("%(name)s throws a Chick!")
    is_in_view = True
    is_aloud = True

    def apply(self, state: State, seq: int) -> State:
        """End the turn; the thrower is out of the round."""
        now = changed(state.round, out=(*state.round.out, self.seat), reward_used=True)
        state = add_history(state, self.result(state.round.number))
        return changed(tally(state, self.seat, chicks=1), round=now, on_turn=None)
