"""Forfeits: taking them, refilling, naming the loser (docs/rules-chicago.md §4.4)."""

from __future__ import annotations

from chicago.rules.state import Draft, State
from chicago.rules.turn import DICE, Turn
from games.kernel.contract import JsonObject, Seat

ONE_SIX_FIVE = (1, 5, 6)


def take(draft: Draft, seat: Seat, reason: str) -> None:
    """Let a player take a forfeit; whoever took the last one must refill."""
    refill = draft.state.options["refill"]
    draft.add("forfeit_taken", seat=seat, count=1, reason=reason, refill=refill)


def leaving_price(state: State) -> int:
    """Return how many forfeits leaving costs: 0 where the game is played without (§4.4.6)."""
    return int(state.options["leaving_forfeits"]) if state.options["forfeits"] else 0


def charge_leaver(draft: Draft, seat: Seat) -> None:
    """Leaving costs forfeits at once; until the next round ends others may take them."""
    count = leaving_price(draft.state)
    if not count:
        return
    draft.add("forfeit_taken", seat=seat, count=count, reason="leaving", refill=False)
    draft.add("offer_made", seat=seat, count=count, until_round=draft.state.round.number + 1)


def take_for(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Let `seat` take the forfeits of somebody who left."""
    offer = next(o for o in draft.state.offers if o.seat == args["seat"])
    draft.add(
        "forfeits_taken_over",
        seat=seat,
        leaver=offer.seat,
        count=offer.count,
        refill=draft.state.options["refill"],
    )


def refill(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Refill: from now on anybody may throw."""
    draft.add("refilled", seat=seat)


def pay_for_haste(draft: Draft, seat: Seat) -> None:
    """Who throws before it is refilled takes a forfeit and has to refill."""
    if draft.state.refill is not None:
        take(draft, seat, "not_refilled")


def naming_throw(state: State, turn: Turn) -> str | None:
    """Return what lets the thrower name the loser, `triple` or `one_six_five`, or None.

    A triple is thrown in one throw (three ones never come here: they are a Chick); 1-6-5
    may be collected.
    """
    options = state.options
    if not options["forfeits"]:
        return None
    is_triple = len(turn.rolled) == DICE and len(set(turn.rolled)) == 1
    if options["triples_name_loser"] and is_triple:
        return "triple"
    if options["one_six_five_names_loser"] and turn.shown == ONE_SIX_FIVE:
        return "one_six_five"
    return None
