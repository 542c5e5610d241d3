"""Throwing and standing, and the ends that a throw may bring (docs/rules-chicago.md §§2–4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chicago.rules.events.forfeits import LoserNamed, NamingWon
from chicago.rules.events.mats import SideForfeitOwed
from chicago.rules.events.turns import ChickThrown, DiceAwaited, DiceThrown, SixesTurned, Stood
from chicago.rules.game import forfeits, mats, rounds
from chicago.rules.game.ending import end_if_decided
from chicago.rules.state import (
    Draft,
    State,
    from_seat,
    has_mats,
    is_exact,
    is_starter,
    must_declare,
    rule,
    seats_in,
    throws_allowed,
    turned_ring,
    valuation_json,
    valuation_of,
)
from chicago.rules.throwing.scoring import CHICK, Score, Valuation, score
from chicago.rules.throwing.turn import Lay, after, dice_in_cup, has_chick, lays, may_stand, must_turn
from chicago.rules.throwing.turn import throw as next_turn
from games.kernel.contract import JsonObject, Seat
from games.kernel.dice import Dice, typed


def ways_on(state: State) -> tuple[Lay, ...]:
    """Return every legal way to throw (again) in the running turn."""
    return lays(state.turn, state.turn_rules, throws_allowed(state), is_exact(state))


def throwing(state: State, seat: Seat | None) -> tuple[Seat | None, tuple[Seat, ...]]:
    """Return the seat that throws, and the other seats backwards from it, the previous thrower first."""
    first = seat if state.on_turn is None else state.on_turn
    active = seats_in(state)
    if first is None or first not in state.ring:
        return first, tuple(other for other in reversed(active) if other != first)
    return first, tuple(other for other in reversed(turned_ring(state, first)) if other in active and other != first)


def can_stand(state: State) -> bool:
    """Tell whether the seat on turn may stand now."""
    return may_stand(state.turn, state.turn_rules, throws_allowed(state), is_exact(state))


def throw(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Lay out, turn and throw; if every throw is typed, wait for its dice."""
    if is_typed_by_throw(draft.state):
        draft.add(DiceAwaited(seat=seat, **lay_json(lay_of(args))))
    else:
        throw_with(draft, seat, lay_of(args))


def is_typed_by_throw(state: State) -> bool:
    """Tell whether every throw of real dice is typed, as always at tables older than the option."""
    return typed.is_on(state.options) and rule(state.options, "entry", "throws") == "throws"


def awaited_lay(state: State) -> Lay | None:
    """Return the dice laid out beside the dice to be typed now, None if none are to be typed.

    In the first throw of a turn there is nothing to lay out: it is typed at once.
    """
    if not is_typed_by_throw(state) or state.on_turn is None or state.naming is not None:
        return None
    if state.awaits is not None:
        return lay_of(state.awaits)
    return Lay() if state.turn.throws == 0 else None


def dice_to_type(state: State) -> int:
    """Return the number of dice to be typed now."""
    lay = awaited_lay(state)
    return 0 if lay is None else dice_in_cup(state.turn, lay, state.turn_rules)


def type_dice(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Throw the dice of an awaited throw, as typed or from the house."""
    source, mark = typed.dice_of(args, draft.dice)
    throw_with(draft, seat, awaited_lay(draft.state) or Lay(), source, mark)


def lay_of(args: JsonObject) -> Lay:
    """Return the dice laid out and the turning in the arguments of a `throw`."""
    return Lay(tuple(args["lay"]), args["turn"], args.get("laid", False))


def lay_json(lay: Lay) -> JsonObject:
    """Return the arguments of a `throw`: `{"lay", "turn"}`, and `"laid"` if a laid-out six is turned."""
    return {"lay": list(lay.lay), "turn": lay.turn, **({"laid": True} if lay.laid else {})}


def throw_with(
    draft: Draft, seat: Seat, lay: Lay, source: Dice | None = None, mark: Mapping[str, bool] = MappingProxyType({})
) -> bool:
    """Throw the dice that `lay` leaves, the house's by default; tell whether the turn goes on."""
    source = source or draft.dice
    if source is draft.dice and typed.is_on(draft.state.options) and not draft.by_bot:
        mark = {"for_person": True}
    forfeits.pay_for_haste(draft, seat)
    turn, rules = draft.state.turn, draft.state.turn_rules
    if lay.turn:
        forced = must_turn(turn, rules, throws_allowed(draft.state))
        draft.add(SixesTurned(seat=seat, laid=list(after(turn, lay, rules)), forced=forced))
    thrown = next_turn(turn, lay, source.roll(dice_in_cup(turn, lay, rules)), rules)
    draft.add(
        DiceThrown(
            seat=seat,
            throw=thrown.throws,
            dice=list(thrown.rolled),
            laid=list(thrown.laid),
            turned=lay.turn,
            **mark,
        )
    )
    return not _ended_by_throw(draft, seat)


def _ended_by_throw(draft: Draft, seat: Seat) -> bool:
    state = draft.state
    if has_chick(state.turn, state.turn_rules):
        end_with_chick(draft, _result(state, seat, None), in_one_throw=state.turn.rolled == CHICK)
        return True
    kind = forfeits.naming_throw(forfeits.naming_rules(state.options), state.turn)
    if kind is not None:
        draft.add(NamingWon(**_result(state, seat, None), kind=kind))
        return True
    if ways_on(state) or must_declare(state):
        return False
    stand_with(draft, seat, None)
    return True


def stand(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Stand; a declaring starter gives the valuation."""
    stand_with(draft, seat, valuation_of(args) if args else None)


def stand_with(draft: Draft, seat: Seat, declared: Valuation | None) -> None:
    """Stand with the dice as they lie."""
    end_standing(draft, _result(draft.state, seat, declared), declared or draft.state.round.valuation)


def end_standing(draft: Draft, result: JsonObject, valuation: Valuation | None) -> None:
    """End a turn with its result; a starter's throws and valuation bind the round."""
    binds = is_starter(draft.state)
    draft.add(Stood(**result, binds=binds, valuation=valuation_json(valuation)))
    rounds.announce(draft, binds=binds)
    rounds.pass_on(draft, result["seat"])


def _result(state: State, seat: Seat, declared: Valuation | None) -> JsonObject:
    """Return the running turn in the form of the events; before a declaration it counts as 100/60 high."""
    turn = state.turn
    worth = score(
        turn.dice,
        declared or state.round.valuation or Valuation(),
        chick=has_chick(turn, state.turn_rules),
        throws=turn.throws,
        fish=state.options["fish"],
    )
    return result_json(seat, turn.dice, worth)


def result_json(seat: Seat, dice: Sequence[int], worth: Score) -> JsonObject:
    """Return a finished turn in the form of the events; `dice` is empty if only the result is known."""
    return {
        "seat": seat,
        "dice": list(dice),
        "throws": worth.throws,
        "value": worth.value,
        "chick": worth.is_chick,
        "fish": worth.is_fish,
    }


def end_with_chick(draft: Draft, result: JsonObject, *, in_one_throw: bool) -> None:
    """End a turn with a Chick: safe and out with mats, a forfeit for everyone else, or out of the round.

    Three ones in one throw may owe the side forfeit (§4).
    """
    seat: Seat = result["seat"]
    draft.add(ChickThrown(**result))
    if draft.state.options["chick_pays_schnapps"] and in_one_throw:
        draft.add(SideForfeitOwed(seat=seat))
    if draft.state.options["forfeits"]:
        _forfeits_for_all_but(draft, seat)
    elif has_mats(draft.state.options):
        _safe_with_chick(draft, seat)
    else:
        rounds.pass_on(draft, seat)


def _forfeits_for_all_but(draft: Draft, seat: Seat) -> None:
    """Give everyone else a forfeit in turn; the thrower starts the next round (§4.4.4)."""
    for other in from_seat(draft.state, seats_in(draft.state), seat)[1:]:
        forfeits.take(draft, other, "chick")
    rounds.write_round_end(draft, "chick", high=seat)
    rounds.carry_on(draft, seat)


def _safe_with_chick(draft: Draft, seat: Seat) -> None:
    """Let a Chick's thrower be safe, which may end the game or the dealing; else the round goes on (§§4.2–4.3).

    Under `chick_stays` the thrower is only out of the round (§4).
    """
    if rule(draft.state.options, "chick_stays"):
        rounds.pass_on(draft, seat)
        return
    mats.leave_with_chick(draft, seat)
    if end_if_decided(draft):
        return
    if mats.is_dealt(draft.state):
        rounds.begin_playing_off(draft)
    else:
        rounds.pass_on(draft, seat)


def name_loser(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Name the round's loser: that seat takes a forfeit and starts the next round (§4.4.3)."""
    loser = args["seat"]
    draft.add(LoserNamed(seat=seat, loser=loser))
    forfeits.take(draft, loser, "named")
    rounds.write_round_end(draft, "named", low=loser)
    rounds.carry_on(draft, loser)
