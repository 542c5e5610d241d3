"""Throwing and standing, and the ends that a throw may bring (docs/rules-chicago.md §§2–4)."""

from __future__ import annotations

from chicago.rules import forfeits, mats, rounds
from chicago.rules.ending import end_if_decided
from chicago.rules.scoring import CHICK, Valuation, score
from chicago.rules.state import (
    Draft,
    State,
    from_seat,
    has_mats,
    is_exact,
    is_starter,
    must_declare,
    seats_in,
    throws_allowed,
    valuation_json,
    valuation_of,
)
from chicago.rules.turn import Lay, after, dice_in_cup, has_chick, lays, may_stand, must_turn
from chicago.rules.turn import throw as next_turn
from games.kernel.contract import JsonObject, Seat


def ways_on(state: State) -> tuple[Lay, ...]:
    """Return every legal way to throw (again) in the turn now running."""
    return lays(state.turn, state.turn_rules, throws_allowed(state), is_exact(state))


def can_stand(state: State) -> bool:
    """Tell whether whoever is on turn may stop now."""
    return may_stand(state.turn, state.turn_rules, throws_allowed(state), is_exact(state))


def throw(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Lay out, turn and throw as a command says."""
    throw_with(draft, seat, Lay(tuple(args["lay"]), args["turn"]))


def throw_with(draft: Draft, seat: Seat, lay: Lay) -> bool:
    """Throw the dice that `lay` leaves; tell whether the turn goes on."""
    forfeits.pay_for_haste(draft, seat)
    turn, rules = draft.state.turn, draft.state.turn_rules
    if lay.turn:
        forced = must_turn(turn, rules, throws_allowed(draft.state))
        draft.add("sixes_turned", seat=seat, laid=list(after(turn, lay, rules)), forced=forced)
    thrown = next_turn(turn, lay, draft.dice.roll(dice_in_cup(turn, lay, rules)), rules)
    draft.add(
        "dice_thrown",
        seat=seat,
        throw=thrown.throws,
        dice=list(thrown.rolled),
        laid=list(thrown.laid),
        turned=lay.turn,
    )
    return not _ended_by_throw(draft, seat)


def _ended_by_throw(draft: Draft, seat: Seat) -> bool:
    state = draft.state
    if has_chick(state.turn, state.turn_rules):
        _chick(draft, seat)
        return True
    kind = forfeits.naming_throw(state, state.turn)
    if kind is not None:
        draft.add("naming_won", **_result(state, seat, None), kind=kind)
        return True
    if ways_on(state) or must_declare(state):
        return False
    stand_with(draft, seat, None)
    return True


def stand(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Stop; a declaring starter says what the dice are worth."""
    stand_with(draft, seat, valuation_of(args) if args else None)


def stand_with(draft: Draft, seat: Seat, declared: Valuation | None) -> None:
    """Stop with what lies there; a starter's throws and valuation bind the round."""
    binds = is_starter(draft.state)
    bound = valuation_json(declared or draft.state.round.valuation)
    result = _result(draft.state, seat, declared)
    draft.add("stood", **result, binds=binds, valuation=bound)
    rounds.announce(draft, binds=binds)
    rounds.pass_on(draft, seat)


def _result(state: State, seat: Seat, declared: Valuation | None) -> JsonObject:
    """Return the turn as the events state it; before a declaration it counts as 100/60 high."""
    turn = state.turn
    worth = score(
        turn.shown,
        declared or state.round.valuation or Valuation(),
        chick=has_chick(turn, state.turn_rules),
        throws=turn.throws,
        fish=state.options["fish"],
    )
    return {
        "seat": seat,
        "dice": list(turn.shown),
        "throws": turn.throws,
        "value": worth.value,
        "chick": worth.is_chick,
        "fish": worth.is_fish,
    }


def _chick(draft: Draft, seat: Seat) -> None:
    """A Chick: safe and out with mats, a forfeit for everyone else, or out of the round.

    Three ones in one throw may owe the side forfeit (§4).
    """
    draft.add("chick_thrown", **_result(draft.state, seat, None))
    if draft.state.options["chick_pays_schnapps"] and draft.state.turn.rolled == CHICK:
        draft.add("side_forfeit_owed", seat=seat)
    if draft.state.options["forfeits"]:
        _forfeits_for_all_but(draft, seat)
    elif has_mats(draft.state.options):
        _safe_with_chick(draft, seat)
    else:
        rounds.pass_on(draft, seat)


def _forfeits_for_all_but(draft: Draft, seat: Seat) -> None:
    """Everyone else takes a forfeit in turn; the thrower starts the next round (§4.4.4)."""
    for other in from_seat(draft.state, seats_in(draft.state), seat)[1:]:
        forfeits.take(draft, other, "chick")
    rounds.write_round_end(draft, "chick", high=seat)
    rounds.carry_on(draft, seat)


def _safe_with_chick(draft: Draft, seat: Seat) -> None:
    """The round goes on, unless this ends the game or leaves no mat to deal (§§4.2–4.3)."""
    mats.leave_with_chick(draft, seat)
    if end_if_decided(draft):
        return
    if mats.is_dealt(draft.state):
        rounds.begin_playing_off(draft)
    else:
        rounds.pass_on(draft, seat)


def name_loser(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Name the round's loser, who takes a forfeit and starts the next round (§4.4.3)."""
    loser = args["seat"]
    draft.add("loser_named", seat=seat, loser=loser)
    forfeits.take(draft, loser, "named")
    rounds.write_round_end(draft, "named", low=loser)
    rounds.carry_on(draft, loser)
