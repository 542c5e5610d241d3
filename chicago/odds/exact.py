"""Exact odds of Chicago (docs/rules-chicago.md §6), for any set of house rules.

A dynamic programme over the real rules of a turn. Every chance is a `Fraction`; tables are
cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from chicago.odds.graph import ONE_THROW, Column, Node, Solution, falls, graph, solve
from chicago.rules.throwing.scoring import CHICK, Score, Valuation, compare, is_fish, score
from chicago.rules.throwing.turn import DICE, MOST_THROWS, Dice, Lay, Turn, TurnRules, has_chick
from games.kernel.records import keeps_answers

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OddsRules:
    """Everything in the house rules that the odds depend on; hashable, for the caches."""

    turn: TurnRules
    valuation: Valuation
    fish: str = "equal"
    ties: str = "later_loses"

    @classmethod
    def of(cls, options: Options, valuation: Valuation | None = None) -> OddsRules:
        """Return the part of complete house rules for the odds.

        Without `valuation` it is the fixed one, or 100/60 high if the starter declares.
        """
        if valuation is None:
            valuation = Valuation.of(options) if options["valuation"] == "fixed" else Valuation()
        return cls(TurnRules.of(options), valuation, options["fish"], options["ties"])

    @property
    def exactly(self) -> bool:
        """Tell whether followers throw exactly as often as the starter."""
        return self.turn.followers == "exactly"

    def score(self, turn: Turn) -> Score:
        """Return the score of a turn as it lies."""
        chick = has_chick(turn, self.turn)
        return score(turn.dice, self.valuation, chick=chick, throws=turn.throws, fish=self.fish)


@dataclass(frozen=True, slots=True)
class Continuation:
    """A way to continue (`lay` None: stand) and the chance that it leads to."""

    lay: Lay | None
    chance: Fraction


@dataclass(frozen=True, slots=True)
class ExactChance:
    """A chance for the rules page: fraction and decimal."""

    throws: int
    num: int
    den: int
    decimal: float


@dataclass(frozen=True, slots=True)
class OddsRow:
    """The best chances to end above a result, one for each number of throws (1 to 3)."""

    above: int
    is_fish: bool
    chances: tuple[ExactChance, ...]


def targets(options: Options, valuation: Valuation | None = None) -> tuple[int, ...]:
    """Return every value that three dice can have, worst first; all equal Fish are one: 0.

    Three ones are listed with their sum even where they are a Chick, which only another
    Chick equals.
    """
    return _targets(OddsRules.of(options, valuation))


@lru_cache(maxsize=256)
def _targets(house: OddsRules) -> tuple[int, ...]:
    values = {_value(dice, house) for dice, _ in falls(DICE)}
    return tuple(sorted(values, reverse=not house.valuation.high))


def _value(dice: Dice, house: OddsRules) -> int:
    return score(dice, house.valuation, chick=False, throws=1, fish=house.fish).value


def beat_chance(options: Options, throws: int, above: int, valuation: Valuation | None = None) -> Fraction:
    """Return a follower's best chance to end strictly better than the value `above`.

    `throws` (1 to 3) is the starter's number of throws; followers throw exactly or at most as
    often, by the house rules. "Better" follows the direction; a Chick is better than any value.
    `above` may be a value that dice can't show. Raises ValueError for other `throws`.
    """
    house = OddsRules.of(options, valuation)
    table = beat_table(replace(house, ties="later_loses"), throws)
    sign = 1 if house.valuation.high else -1
    reached = [value for value in table if sign * value <= sign * above]
    return table[reached[-1]] if reached else Fraction(1)


@lru_cache(maxsize=256)
def beat_table(house: OddsRules, throws: int) -> dict[int, Fraction]:
    """Return a follower's best chance against each value of a starter with `throws` throws.

    Worst value first. If ties are rolled off, a tie counts one half; if fewer throws win, a follower that may throw
    less often can win a tie. Raises ValueError for other `throws` than 1 to 3.
    """
    if throws not in range(1, MOST_THROWS + 1):
        raise ValueError("throws must be 1, 2 or 3")
    marks = [Score(value, throws=throws) for value in _targets(house)]
    best = solve(graph(house.turn, throws, house.exactly), _beats(house, marks)).cups[0][0]
    den = 2 * ONE_THROW**throws
    return {mark.value: Fraction(num, den) for mark, num in zip(marks, best, strict=True)}


def _beats(house: OddsRules, marks: Iterable[Score]) -> Callable[[Node], Column | None]:
    """Return a function from a node to its worth against each mark: 2 better, 1 a tie to roll off, 0 beaten."""
    wanted = tuple(marks)

    @lru_cache(maxsize=256)
    def column(mine: Score) -> Column:
        return [against(mine, mark, house) for mark in wanted]

    return lambda node: column(house.score(node.turn)) if node.stands else None


def against(mine: Score, mark: Score, house: OddsRules) -> int:
    """Return the worth of `mine` against `mark`: 2 better, 1 a tie to roll off, 0 beaten."""
    better = compare(mine, mark, house.valuation, house.ties)
    return 1 + (better > 0) - (better < 0) if house.ties == "roll_off" else 2 * (better > 0)


def moves(
    options: Options,
    turn: Turn,
    throws_allowed: int,
    exactly: bool,
    target: Score,
    *,
    valuation: Valuation | None = None,
) -> tuple[Continuation, ...]:
    """Return every legal way to continue, best first, with its chance to beat `target`.

    Of equal chances standing comes first, then laying out more. Only standing is left if a Chick
    has ended the turn or its throws are used up. Raises KeyError for a turn that can't occur under
    these rules.
    """
    house = OddsRules.of(options, valuation)
    return ranked(_against_one(house, throws_allowed, exactly, target), turn, 2)


@keeps_answers(512)
def _against_one(house: OddsRules, throws: int, exactly: bool, target: Score) -> Solution:
    """Return the solved turn against one target, 3 kB: a set of rules has some 60 targets for each number of throws."""
    return solve(graph(house.turn, throws, exactly), _beats(house, (target,)))


def best_move(
    options: Options,
    turn: Turn,
    throws_allowed: int,
    exactly: bool,
    target: Score,
    *,
    valuation: Valuation | None = None,
) -> Continuation:
    """Return the first of `moves`: the way with the best chance to beat `target`."""
    return moves(options, turn, throws_allowed, exactly, target, valuation=valuation)[0]


def ranked(solution: Solution, turn: Turn, unit: int) -> tuple[Continuation, ...]:
    """Return the ways to continue from `turn`, best first, by the first question of a solution.

    `unit` is the worth of certainty there. Raises KeyError for a turn that can't occur.
    """
    throws = solution.graph.throws
    den = unit * ONE_THROW ** (len(throws) - turn.throws)
    if turn.throws == 0:
        return (Continuation(Lay(), Fraction(solution.cups[0][0][0], den)),)
    node = solution.graph.nodes[turn]
    found = [
        Continuation(way, Fraction(solution.cups[turn.throws][cup][0], den))
        for way, cup in zip(node.ways, node.cups, strict=True)
    ]
    ending = solution.worth(node)
    if ending is not None:
        found.append(Continuation(None, Fraction(ending[0], unit)))
    return tuple(sorted(found, key=_order))


def _order(move: Continuation) -> tuple[Fraction, bool, int, bool]:
    lay = move.lay
    if lay is None:
        return -move.chance, False, 0, False
    return -move.chance, True, -len(lay.lay), not lay.turn


def three_ones(options: Options, throws: int) -> Fraction:
    """Return the chance of three ones within `throws` throws when playing only for them."""
    rules = replace(TurnRules.of(options), chick="any")
    return _three_ones(rules, throws)


@lru_cache(maxsize=256)
def _three_ones(rules: TurnRules, throws: int) -> Fraction:
    best = solve(graph(rules, throws, False), _worth_of_three_ones).cups[0][0][0]
    return Fraction(best, ONE_THROW**throws)


def _worth_of_three_ones(node: Node) -> Column | None:
    return [int(node.turn.dice == CHICK)] if node.stands else None


def chick_first() -> Fraction:
    """Return the chance of a Chick in the first throw."""
    return _first(lambda dice: dice == CHICK)


def one_first() -> Fraction:
    """Return the chance of at least one 1 in the first throw."""
    return _first(lambda dice: 1 in dice)


def fish_one_throw() -> Fraction:
    """Return the chance of a Fish in one throw."""
    return _first(lambda dice: is_fish(dice, Valuation()))


def _first(wanted: Callable[[Dice], bool]) -> Fraction:
    return Fraction(sum(weight for dice, weight in falls(DICE) if wanted(dice)), ONE_THROW)


def odds_table(options: Options, valuation: Valuation | None = None) -> list[OddsRow]:
    """Return the table of the rules page: a row for each target, worst first."""
    house = replace(OddsRules.of(options, valuation), ties="later_loses")
    fish = {_value(d, house) for d, _ in falls(DICE) if is_fish(d, house.valuation)}
    return [
        OddsRow(value, value in fish, tuple(_chance(house, k, value) for k in (1, 2, 3))) for value in _targets(house)
    ]


def _chance(house: OddsRules, throws: int, above: int) -> ExactChance:
    chance = beat_table(house, throws)[above]
    return ExactChance(throws, chance.numerator, chance.denominator, float(chance))
