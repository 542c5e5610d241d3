"""Data of the words of Chicago's choices beside the view (chicago.rules.events.words)."""

from __future__ import annotations

from chicago.rules.state import COMING, LEFT, State
from chicago.rules.throwing import throws
from chicago.rules.throwing.scoring import Valuation, score
from chicago.rules.throwing.turn import dice_in_cup
from games.kernel.contract import Choice, JsonObject, Seat
from games.kernel.words import EACH


def about(state: State, choice: Choice) -> JsonObject:
    """Return the data of a choice's words: the dice's worth, the number of dice thrown, a leaver's debt."""
    if choice.name == "throw":
        return _of_throw(state, choice)
    if choice.name == "stand" and state.turn.throws:
        return {EACH: [_worth(state, args) for args in choice.options]}
    if choice.name == "take_for":
        return {EACH: [_owed(state, args["seat"]) for args in choice.options]}
    return {}


def _of_throw(state: State, choice: Choice) -> JsonObject:
    if not state.turn.throws:
        return {}
    counts = [dice_in_cup(state.turn, throws.lay_of(args), state.turn_rules) for args in choice.options]
    found = {**_worth(state, {}), EACH: [{"throws": count} for count in counts]}
    is_forced = choice.required and len(counts) == 1 and not throws.can_stand(state)
    return {**found, "forced": True} if is_forced else found


def _worth(state: State, declared: JsonObject) -> JsonObject:
    """Return the value of the dice on the table, as `short` says it; as they are usually declared until they are."""
    valuation = Valuation(**declared) if declared else state.round.valuation or Valuation()
    turn = state.turn
    worth = score(turn.dice, valuation, chick=False, throws=turn.throws, fish=state.options["fish"])
    return {"value": worth.value, "fish": worth.is_fish}


def _owed(state: State, seat: Seat) -> JsonObject:
    """Return the forfeits of a leaver that may be taken over, and whether it is still their seat."""
    player = state.players[seat]
    count = sum(offer.count for offer in state.offers if offer.seat == seat)
    return {"count": count, "has_left": player.status in (LEFT, COMING) or player.vacant}
