"""The aim of a turn, and the worth of each ending for it (docs/rules-chicago.md §6).

The last follower wants to beat the standing result. A follower with players still to come wants not to
be low at the end of the round: a result that fails to beat may yet be too good for one of them. The starter
chooses throws, moment and, if the house rules allow it, the valuation, against the number of players still
to come; they are assumed to play the odds. When mats are played off, the aim is to be high, not only to avoid the low.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from chicago.odds.exact import Continuation, OddsRules, against, beat_table, ranked
from chicago.odds.graph import ONE_THROW, Column, Node, Solution, graph, solve
from chicago.rules.state import ResultView
from chicago.rules.throwing.scoring import Score, Valuation, compare, declarations
from chicago.rules.throwing.turn import DICE, MOST_THROWS, Turn
from chicago.rules.view_shape import View
from games.kernel.records import keeps_answers

UNIT: int = 2 * ONE_THROW**MOST_THROWS
"""The worth of certainty: fine enough for the exact odds against one player; with more
still to come the worth of a result is rounded down to a whole unit (about 5e-8)."""

BEAT, NOT_LOW, HIGH, HIGH_NOT_LOW = "beat", "not_low", "high", "high_not_low"
ONE_SIX_FIVE = (1, 5, 6)
_TWO = 2


@dataclass(frozen=True, slots=True)
class Aim:
    """Everything that the best way to play a turn depends on; hashable, for the caches.

    `goal`: to `beat` the standing result (`low`), to be `not_low` at the end of the round, to be
    `high` at its end, or `high_not_low`, both alike. `behind` players are still to come. `throws` is
    None for the starter of the round. `triples`, `one_six_five`: these throws end the round and let
    the thrower name a loser. `chick` is the worth of a Chick, more than certainty where it costs the others something:
    the worths of an aim are chances only where it is UNIT.
    """

    house: OddsRules
    goal: str
    behind: int
    low: Score | None = None
    high: Score | None = None
    throws: int | None = None
    exactly: bool = False
    declares: bool = False
    triples: bool = False
    one_six_five: bool = False
    chick: int = UNIT

    @property
    def allowed(self) -> int:
        """The throws that this turn may have."""
        return MOST_THROWS if self.throws is None else self.throws

    @property
    def houses(self) -> tuple[OddsRules, ...]:
        """The house rules with each valuation that may hold once this turn stands."""
        if not self.declares:
            return (self.house,)
        return tuple(replace(self.house, valuation=v) for v in declarations())


def aim_of(view: View) -> Aim:
    """Return the aim of the seat on turn, from a view (`chicago.rules.view`)."""
    options = view["options"]
    valuation = Valuation(**view["valuation"]) if view["valuation"] else None
    return Aim(
        house=OddsRules.of(options, valuation),
        goal=_goal(view),
        behind=len(view["waiting"]),
        low=_score(view["beat"]),
        high=_score(view["high"]),
        throws=view["throws_allowed"],
        exactly=view["exactly"],
        declares=view["declares"],
        triples=options["forfeits"] and options["triples_name_loser"],
        one_six_five=options["forfeits"] and options["one_six_five_names_loser"],
    )


def _goal(view: View) -> str:
    if view["phase"] != "playing_off":
        return BEAT if view["beat"] and not view["waiting"] else NOT_LOW
    mats = sum(seat["mats"] for seat in view["seats"])
    is_given = view["target"] is not None and mats <= view["target"]
    return HIGH_NOT_LOW if is_given else HIGH


def _score(result: ResultView | None) -> Score | None:
    if result is None:
        return None
    return Score(result["value"], result["chick"], result["fish"], result["throws"])


def rivals_aim(view: View) -> Aim:
    """Return the aim in the game for forfeits: fewer forfeits than the others, beyond none in this round.

    A Chick costs each of the others a forfeit (docs/rules-chicago.md §4.4). Held against the mean of n players, the
    low of a round loses (n - 1) / n, a safe player gains 1 / n and the thrower of a Chick (n - 1) / n.
    """
    aim = aim_of(view)
    count = len([seat for seat in view["seats"] if seat["status"] == "in"])
    if not view["options"]["forfeits"] or count <= _TWO:
        return aim
    return replace(aim, chick=UNIT + UNIT * (count - _TWO) // count)


def turn_of(view: View) -> Turn:
    """Return the running turn."""
    cup = view["cup"]
    return Turn(tuple(sorted(cup["laid"])), tuple(sorted(cup["rolled"])), cup["throws"])


def ways(aim: Aim, turn: Turn) -> tuple[Continuation, ...]:
    """Return the ways to continue from `turn`, best first, each with the chance to reach the aim.

    If the starter declares, standing has the chance of the best declaration.
    """
    return ranked(_solution(aim), turn, UNIT)


def stand_chance(aim: Aim, turn: Turn, valuation: Valuation) -> Fraction:
    """Return the chance to reach the aim by standing, under a valuation."""
    return Fraction(_result_worth(aim, replace(aim.house, valuation=valuation), turn), UNIT)


@keeps_answers(512)
def _solution(aim: Aim) -> Solution:
    """Return the solved turn for an aim, 3 kB; bots and hints at all tables need it at each throw of a turn."""
    houses = aim.houses
    known: dict[tuple[object, ...], int] = {}

    def worth(node: Node) -> Column | None:
        if is_naming(aim, node.turn):
            return [UNIT]
        if not node.stands:
            return None
        turn = node.turn
        key = (turn.dice, turn.throws, len(turn.rolled) == DICE)
        if key not in known:
            known[key] = max(_result_worth(aim, house, turn) for house in houses)
        return [known[key]]

    return solve(graph(aim.house.turn, aim.allowed, aim.exactly), worth)


def is_naming(aim: Aim, turn: Turn) -> bool:
    """Tell whether the throw lets its thrower name the loser (docs/rules-chicago.md §4.4)."""
    if aim.one_six_five and turn.dice == ONE_SIX_FIVE:
        return True
    is_triple = len(turn.rolled) == DICE and len(set(turn.rolled)) == 1
    return aim.triples and is_triple and turn.rolled[0] != 1


def _result_worth(aim: Aim, house: OddsRules, turn: Turn) -> int:
    mine = house.score(turn)
    return aim.chick if mine.is_chick else _GOALS[aim.goal](aim, house, mine)


def _beat(aim: Aim, house: OddsRules, mine: Score) -> int:
    """Return the worth against the low: all of UNIT if better, half for a tie that is rolled off, else 0."""
    return UNIT if aim.low is None else against(mine, aim.low, house) * UNIT // 2


def _not_low(aim: Aim, house: OddsRules, mine: Score) -> int:
    """Return the chance not to be low: the low is beaten already, or a later player fails to beat this result."""
    beaten = _beat(aim, house, mine) if aim.low else 0
    all_beat_me = _share(_follower(aim, house, mine), aim.behind)
    return UNIT - (UNIT - beaten) * all_beat_me // UNIT


def _high(aim: Aim, house: OddsRules, mine: Score) -> int:
    """Return the chance to be high: of equals the first is high, even where the low is rolled off."""
    strict = replace(house, ties="later_loses") if house.ties == "roll_off" else house
    if aim.high and compare(mine, aim.high, house.valuation, strict.ties) <= 0:
        return 0
    return _share(1 - _follower(aim, strict, mine), aim.behind)


def _high_not_low(aim: Aim, house: OddsRules, mine: Score) -> int:
    return (_high(aim, house, mine) + _not_low(aim, house, mine)) // 2


_GOALS: dict[str, Callable[[Aim, OddsRules, Score], int]] = {
    BEAT: _beat,
    NOT_LOW: _not_low,
    HIGH: _high,
    HIGH_NOT_LOW: _high_not_low,
}


def _follower(aim: Aim, house: OddsRules, mine: Score) -> Fraction:
    """Return the best chance of one player still to come to beat `mine`."""
    throws = mine.throws if aim.throws is None else aim.throws
    return beat_table(house, throws)[mine.value]


def _share(chance: Fraction, times: int) -> int:
    """Return the chance that something happens `times` times in a row, in units."""
    return int(UNIT * chance.numerator**times // chance.denominator**times)
