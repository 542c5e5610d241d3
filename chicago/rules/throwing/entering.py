"""Results that are entered as they are announced, "123 in two" (docs/rules-chicago.md §2).

Real dice are thrown and laid out at the table; a player enters the number of throws and the
result, one that three dice can have under the house rules. The house's dice may be
thrown for the turn instead: by bots, by the clock, or if the real dice are not at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, cast

from chicago.rules.events.forfeits import NamingWon
from chicago.rules.events.turns import Declared, ResultEntered
from chicago.rules.game import forfeits
from chicago.rules.state import (
    Draft,
    State,
    ValuationView,
    is_exact,
    is_starter,
    must_declare,
    rule,
    throws_allowed,
    valuation_json,
    valuation_of,
)
from chicago.rules.throwing import throws
from chicago.rules.throwing.scoring import CHICK, Score, Valuation, declarations, score
from chicago.rules.throwing.turn import DICE, Dice, Turn, TurnRules, after, has_chick, lays, may_stand
from games.kernel.contract import Illegal, JsonObject, Seat
from games.kernel.dice import SIDES, typed

SUM, FISH, A_CHICK, COLLECTED = "sum", "fish", "chick", "collected"
KINDS = (A_CHICK, COLLECTED, *forfeits.NAMING, FISH, SUM)
"""Kinds of results; `collected` is a Chick over several throws, if it owes less than one in one throw."""

Entry = tuple[int, int, str]
"""Throws, value, kind."""


@dataclass(frozen=True, slots=True)
class _House:
    """Everything that the possible results depend on; hashable, for the cache."""

    turn: TurnRules
    limit: int
    exactly: bool
    valuation: Valuation
    fish: str
    naming: tuple[str, ...]
    has_collected: bool


def is_by_result(state: State) -> bool:
    """Tell whether the running turn's result is to be entered; tables older than the option type every throw."""
    options = state.options
    is_on = typed.is_on(options) and rule(options, "entry", "throws") == "result"
    return is_on and state.on_turn is not None and state.naming is None and state.turn.throws == 0


def entries(state: State) -> tuple[JsonObject, ...]:
    """Return every result that may be entered now: fewest throws first, then by kind, the largest value first."""
    found = sorted(_possible(_house(state)), key=lambda one: (one[0], KINDS.index(one[2]), -one[1]))
    return tuple({"throws": count, "value": value, "kind": kind} for count, value, kind in found)


def explain(state: State, args: Any) -> None:
    """Refuse results that three dice can't have: Illegal `result_throws`, `result_value`."""
    house = _house(state)
    counts = sorted({count for count, _, _ in _possible(house)})
    if not isinstance(args, dict) or type(args.get("throws")) is not int or args["throws"] not in counts:
        raise Illegal("result_throws", throws=house.limit)
    if not any(one == args for one in entries(state)):
        raise Illegal("result_value", throws=args["throws"])


def declare(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Declare the valuation, before the result is entered."""
    draft.add(Declared(seat=seat, valuation=cast(ValuationView, args)))


def enter(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Enter the result of a turn; a starter's throws and declaration bind the round."""
    state = draft.state
    bound, kind = _valuation(state), args["kind"]
    worth = _possible(_house(state))[args["throws"], args["value"], kind]
    result = throws.result_json(seat, (), worth)
    forfeits.pay_for_haste(draft, seat)
    draft.add(ResultEntered(seat=seat, **args))
    if worth.is_chick:
        throws.end_with_chick(draft, result, in_one_throw=kind == A_CHICK)
    elif kind in forfeits.NAMING:
        draft.add(NamingWon(**result, kind=kind))
    else:
        throws.end_standing(draft, result, bound)


def _valuation(state: State) -> Valuation:
    """Return the valuation in force: the round's, the starter's declaration, or 100/60 high before one."""
    return state.round.valuation or valuation_of(state.declared) or Valuation()


def ways_to_declare(state: State) -> tuple[Valuation, ...]:
    """Return the valuations that the starter may declare instead of the one in force."""
    if not must_declare(state):
        return ()
    return tuple(one for one in declarations() if one != _valuation(state))


def valuation_in_force(state: State) -> ValuationView | None:
    """Return the valuation in force for a result entered now, as JSON."""
    return valuation_json(_valuation(state))


def _house(state: State) -> _House:
    options = state.options
    return _House(
        turn=state.turn_rules,
        limit=throws_allowed(state),
        exactly=not is_starter(state) and is_exact(state),
        valuation=_valuation(state),
        fish=options["fish"],
        naming=forfeits.naming_rules(options),
        has_collected=options["chick_pays_schnapps"] and state.turn_rules.chick == "any",
    )


@lru_cache(maxsize=64)
def _possible(house: _House) -> dict[Entry, Score]:
    """Return the score of each possible entry. A set of rules has some 100 entries, 20 kB."""
    found = {}
    for turn, naming in _ends(house):
        is_chick = has_chick(turn, house.turn)
        worth = score(turn.dice, house.valuation, chick=is_chick, throws=turn.throws, fish=house.fish)
        found[turn.throws, worth.value, naming or _kind(turn, worth, house)] = worth
    return found


def _kind(turn: Turn, worth: Score, house: _House) -> str:
    if worth.is_chick:
        return COLLECTED if house.has_collected and turn.rolled != CHICK else A_CHICK
    return FISH if worth.is_fish else SUM


def _ends(house: _House) -> Iterator[tuple[Turn, str | None]]:
    """Yield every turn that may end, with the kind of a throw that names a loser, else None."""
    cups: set[Dice] = {()}
    for count in range(1, house.limit + 1):
        going_on: set[Dice] = set()
        for turn in _thrown(cups, count, house):
            naming = None if has_chick(turn, house.turn) else forfeits.naming_throw(house.naming, turn)
            if naming or may_stand(turn, house.turn, house.limit, house.exactly):
                yield turn, naming
            if not naming:
                ways = lays(turn, house.turn, house.limit, house.exactly)
                going_on |= {after(turn, way, house.turn) for way in ways}
        cups = going_on


def _thrown(cups: set[Dice], count: int, house: _House) -> Iterator[Turn]:
    """Yield every turn after throw `count`, for each set of dice laid out before it."""
    for laid in cups:
        for rolled in combinations_with_replacement(range(1, SIDES + 1), DICE - len(laid)):
            yield Turn(laid, rolled, count)
