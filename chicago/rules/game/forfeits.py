"""Forfeits: taking them, refilling, naming the loser (docs/rules-chicago.md §4.4)."""

from __future__ import annotations

from chicago.rules.events.forfeits import ForfeitsTakenOver, ForfeitTaken, OfferMade, Refilled
from chicago.rules.state import Draft, State
from chicago.rules.throwing.turn import DICE, Turn
from games.kernel.contract import JsonObject, Seat
from games.kernel.options import Values

ONE_SIX_FIVE = (1, 5, 6)
NAMING = ("triple", "one_six_five")
"""Throws that let their thrower name the round's loser."""

_NAMING_OPTIONS = {"triple": "triples_name_loser", "one_six_five": "one_six_five_names_loser"}


def take(draft: Draft, seat: Seat, reason: str, *, with_turn: bool | None = None) -> None:
    """Let a player take a forfeit, `with_turn` as in the event; the taker of the last one must refill.

    In a round that was played without the house they have refilled already.
    """
    refill = draft.state.options["refill"] and draft.state.handed_seq != draft.seq
    draft.add(ForfeitTaken(seat=seat, count=1, reason=reason, refill=refill, with_turn=with_turn))


def leaving_price(state: State) -> int:
    """Return the number of forfeits that leaving costs; 0 in a game without them (§4.4.6)."""
    return int(state.options["leaving_forfeits"]) if state.options["forfeits"] else 0


def charge_leaver(draft: Draft, seat: Seat) -> None:
    """Charge a leaver's forfeits at once; until the next round ends others may take them over."""
    count = leaving_price(draft.state)
    if not count:
        return
    draft.add(ForfeitTaken(seat=seat, count=count, reason="leaving", refill=False))
    draft.add(OfferMade(seat=seat, count=count, until_round=draft.state.round.number + 1))


def take_for(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Let `seat` take over the forfeits of a leaver."""
    offer = next(o for o in draft.state.offers if o.seat == args["seat"])
    draft.add(
        ForfeitsTakenOver(
            seat=seat,
            leaver=offer.seat,
            count=offer.count,
            refill=draft.state.options["refill"],
        )
    )


def refill(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Refill; from then on every seat may throw."""
    draft.add(Refilled(seat=seat))


def pay_for_haste(draft: Draft, seat: Seat) -> None:
    """Write a forfeit for a throw before the refill; the thrower has to refill as well."""
    if draft.state.refill is not None:
        take(draft, seat, "not_refilled", with_turn=True)


def naming_rules(options: Values) -> tuple[str, ...]:
    """Return the kinds of `NAMING` that the house rules have."""
    return tuple(kind for kind in NAMING if options["forfeits"] and options[_NAMING_OPTIONS[kind]])


def naming_throw(known: tuple[str, ...], turn: Turn) -> str | None:
    """Return the kind of the `known` rules by which the thrower names the loser, or None.

    A triple is thrown in one throw (three ones never come here: they are a Chick); 1-6-5
    may be collected.
    """
    is_triple = len(turn.rolled) == DICE and len(set(turn.rolled)) == 1
    conditions = {"triple": is_triple, "one_six_five": turn.dice == ONE_SIX_FIVE}
    return next((kind for kind in known if conditions[kind]), None)
