"""Events of a game for beer mats (docs/rules-chicago.md §§4.1–4.3)."""

from __future__ import annotations

from chicago.rules.events.fact import Fact, tally, with_player, without
from chicago.rules.state import SAFE, State
from games.kernel.contract import Seat
from games.kernel.records import changed
from games.kernel.sentences import ngettext, phrase, when
from games.kernel.text import gettext_noop as _


class MatTaken(Fact):
    """A player takes a mat from the stock (§4.2)."""

    seat: Seat
    stock: int
    is_end = True
    sentence = _("%(name)s takes a %(mat)s; %(stock)s left.")
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Move the mat from the stock to the player."""
        return changed(tally(state, self.seat, mats=1, mats_taken=1), stock=self.stock)


class MatDiscarded(Fact):
    """A player gets rid of a mat, which leaves play (§4.3)."""

    seat: Seat
    is_end = True
    sentence = _("%(name)s gets rid of a %(mat)s.")
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Take the mat out of play."""
        return changed(tally(state, self.seat, mats=-1), mats_out=state.mats_out + 1)


class MatGiven(Fact):
    """A player gives a mat to another one (§4.2)."""

    seat: Seat
    to: Seat
    is_end = True
    sentence = _("%(name)s gives a %(mat)s to %(to)s.")
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Move the mat."""
        return tally(tally(state, self.seat, mats=-1), self.to, mats=1, mats_taken=1)


class MatsRemoved(Fact):
    """A player's mats go: back to the stock with `to_stock`, otherwise out of play."""

    seat: Seat
    count: int
    to_stock: bool
    is_end = True
    sentence = when(
        "to_stock",
        ngettext(
            "%(count)s %(mats)s of %(name)s goes back to the stock.",
            "%(count)s %(mats)s of %(name)s go back to the stock.",
            "count",
            mats=phrase("of_mats"),
        ),
        ngettext(
            "%(count)s %(mats)s of %(name)s leaves play.",
            "%(count)s %(mats)s of %(name)s leave play.",
            "count",
            mats=phrase("of_mats"),
        ),
    )
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Take the mats from the player."""
        state = with_player(state, self.seat, mats=0)
        if self.to_stock:
            return changed(state, stock=(state.stock or 0) + self.count)
        return changed(state, mats_out=state.mats_out + self.count)


class StockCut(Fact):
    """A part of the stock leaves play."""

    stock: int
    removed: int
    is_end = True
    sentence = ngettext(
        "%(count)s %(mats)s of the stock leaves play.",
        "%(count)s %(mats)s of the stock leave play.",
        "removed",
        count="removed",
        mats=when(["equals", "removed", 1], phrase("mat"), phrase("mats")),
    )
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Take the mats out of play."""
        return changed(state, stock=self.stock, mats_out=state.mats_out + self.removed)


class PlayerSafe(Fact):
    """A player is out of a game for mats: `reason` is `no_mats` or `chick`."""

    seat: Seat
    reason: str
    is_end = True
    sentence = _("%(name)s is safe.")
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Mark the player as safe."""
        coming = without(state.coming, self.seat)
        return changed(with_player(state, self.seat, status=SAFE), coming=coming)


class SideForfeitOwed(Fact):
    """A player owes the side forfeit for a Chick in one throw (§4)."""

    seat: Seat
    is_end = True
    sentence = _("%(name)s owes the side forfeit.")
    is_in_view = True

    def apply(self, state: State, seq: int) -> State:
        """Count the forfeit."""
        return tally(state, self.seat, side_forfeits=1)
