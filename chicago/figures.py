"""Figures of a finished game that need its whole log: luck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from chicago.odds import exact
from chicago.odds.exact import OddsRules
from chicago.rules.events.turns import ChickThrown, Stood, TurnTakenBack
from chicago.rules.fold import EVENTS, fold
from chicago.rules.game.standing import is_for_high, to_beat
from chicago.rules.state import State, initial, throws_allowed
from chicago.rules.throwing.scoring import Valuation
from games.kernel.contract import Seat
from games.kernel.replay import Entry, is_house


def figures(options: Mapping[str, Any], seats: int, entries: Sequence[Entry]) -> dict[Seat, dict[str, int]]:
    """Return `luck` by seat in percent points, and `luck_typed` for turns with typed dice.

    For each turn with a result to beat: 100 if it was beaten, less the chance to beat it with the
    best play before the first throw. `entries` are the whole game's, begun with `seats`
    players; newcomers have figures too.
    """
    luck: defaultdict[Seat, Fraction] = defaultdict(Fraction, dict.fromkeys(range(seats), Fraction(0)))
    by_hand: defaultdict[Seat, Fraction] = defaultdict(Fraction)
    for turn in _turns(options, seats, entries):
        (by_hand if turn.is_typed else luck)[turn.seat] += turn.luck
    found = {seat: luck[seat] for seat in {*luck, *by_hand}}
    return {seat: {"luck": round(100 * one), "luck_typed": round(100 * by_hand[seat])} for seat, one in found.items()}


@dataclass(frozen=True, slots=True)
class _Turn:
    """A finished turn and its luck; `number` counts the turns of the table."""

    number: int
    seat: Seat
    is_typed: bool
    luck: Fraction


def _turns(options: Mapping[str, Any], seats: int, entries: Sequence[Entry]) -> list[_Turn]:
    """Return the finished turns that were not taken back."""
    turns: list[_Turn] = []
    state = initial(dict(options), seats)
    for entry in entries:
        for event in entry.events:
            if is_house(event):
                continue
            before, state = state, fold(state, event, entry.seq)
            match EVENTS.read(event):
                case TurnTakenBack():
                    turns = [turn for turn in turns if turn.number < state.turns]
                case Stood(seat=seat) | ChickThrown(seat=seat):
                    turns.append(_Turn(before.turns, seat, before.is_typed, _luck(before, state)))
    return turns


def _luck(before: State, after: State) -> Fraction:
    """Return the difference between a turn's success and its chance before it, from -1 to 1."""
    target = to_beat(before)
    valuation = before.round.valuation
    if target is None or valuation is None:
        return Fraction(0)
    house, throws = _house(before, valuation), throws_allowed(before)
    won = Fraction(exact.against(after.history[-1].score, target.score, house), 2)
    promised = exact.beat_table(house, throws).get(target.value)
    if promised is None:
        promised = exact.beat_chance(before.options, throws, target.value, valuation)
    return won - promised


def _house(before: State, valuation: Valuation) -> OddsRules:
    """Return the house rules for the odds; where the high must be beaten, an equal result is no better (§3)."""
    house = OddsRules.of(before.options, valuation)
    is_strict = is_for_high(before) and house.ties == "roll_off"
    return replace(house, ties="later_loses") if is_strict else house
