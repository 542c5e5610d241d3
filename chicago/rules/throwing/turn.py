"""One player's turn: three dice, up to three throws (docs/rules-chicago.md §2).

Functions see dice values, not single dice: a throw is a sorted tuple. The odds use these very
functions, so they can't drift from the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from chicago.rules.throwing.scoring import CHICK
from games.kernel.data.records import record

DICE = 3
MOST_THROWS = 3
THREE_SIXES = (6, 6, 6)
_TURNED_PAIR = 2

Dice = tuple[int, ...]
"""Dice values, sorted."""


@dataclass(frozen=True, slots=True)
class TurnRules:
    """The house rules that a turn depends on; hashable, for caches."""

    keep: str = "any"
    free_return: str = "off"
    sixes_turn: str = "off"
    three_sixes: str = "free"
    chick: str = "any"
    followers: str = "at_most"
    turn_laid_six: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> TurnRules:
        """Return the rules of a complete set of house rules.

        Where no sixes are turned, `three_sixes` has no meaning and is read as `free`.
        """
        turning = options["sixes_turn"] != "off"
        return cls(
            keep=options["keep"],
            free_return=options["free_return"],
            sixes_turn=options["sixes_turn"],
            three_sixes=options["three_sixes"] if turning else "free",
            chick=options["chick"],
            followers=options["followers"],
            turn_laid_six=options.get("turn_laid_six", False),
        )


@record(frozen=True, slots=True)
class Turn:
    """A turn after `throws` throws: dice `laid` out before the last throw, dice `rolled` in it.

    `Turn()` is the turn before its first throw.
    """

    laid: Dice = ()
    rolled: Dice = ()
    throws: int = 0

    @property
    def dice(self) -> Dice:
        """All dice on the table, sorted."""
        return tuple(sorted(self.laid + self.rolled))


@dataclass(frozen=True, slots=True)
class Lay:
    """The acts of a player between two throws.

    `lay` are the dice laid out of the last throw; before the third throw with
    `free_return` it is the whole set that stays, laid-out dice included. With `turn` two
    sixes of the throw are turned; they are not in `lay`, nor is the 1 that one becomes. With
    `laid` as well they are a laid-out six, which becomes the 1, and one of the throw.
    """

    lay: Dice = ()
    turn: bool = False
    laid: bool = False


def has_chick(turn: Turn, rules: TurnRules) -> bool:
    """Tell whether the turn has ended with a Chick (§3): `one_throw` or `any` three ones."""
    return (turn.rolled if rules.chick == "one_throw" else turn.dice) == CHICK


def must_turn(turn: Turn, rules: TurnRules, throws_allowed: int) -> bool:
    """Tell whether three sixes were thrown that have to be turned, with a throw left."""
    return (
        rules.three_sixes == "forced"
        and turn.rolled == THREE_SIXES
        and _may_turn(turn, rules)
        and turn.throws < throws_allowed
    )


def may_stand(turn: Turn, rules: TurnRules, throws_allowed: int, exactly: bool) -> bool:
    """Tell whether the player may stand now.

    `exactly`: only after all `throws_allowed` throws, or with a Chick.
    """
    if turn.throws == 0 or must_turn(turn, rules, throws_allowed):
        return False
    return not exactly or turn.throws >= throws_allowed or has_chick(turn, rules)


def lays(turn: Turn, rules: TurnRules, throws_allowed: int, exactly: bool) -> tuple[Lay, ...]:
    """Return every legal, distinct way to throw again; empty when the turn is over.

    At least one die goes into the cup. Before the first throw there is one way: all three.
    `exactly` changes nothing here: a further throw is of at least one die anyway.
    """
    if turn.throws >= throws_allowed or has_chick(turn, rules):
        return ()
    if must_turn(turn, rules, throws_allowed):
        return (Lay((), True),)
    return _lays(turn, rules)


@lru_cache(maxsize=2048)
def _lays(turn: Turn, rules: TurnRules) -> tuple[Lay, ...]:
    """Return the ways to lay out dice. A set of rules has some 400 turns, 0.6 kB each: five sets fit."""
    ways = [Lay(dice) for dice in _stays(turn, turn.rolled, rules)]
    if _may_turn(turn, rules):
        rest = _without_pair(turn.rolled)
        ways += [Lay(dice, True) for dice in _stays(turn, rest, rules)]
    may_turn_laid = rules.turn_laid_six and rules.sixes_turn == "same_throw"
    if may_turn_laid and 6 in turn.laid and 6 in turn.rolled:
        ways += _with_laid_six(turn, rules, {after(turn, way, rules) for way in ways if way.turn})
    return tuple(way for way in ways if dice_in_cup(turn, way, rules))


def _with_laid_six(turn: Turn, rules: TurnRules, known: set[Dice]) -> list[Lay]:
    """Return the ways to turn a laid-out six with a new one that lead to laid-out dice not yet `known`."""
    rest = replace(turn, laid=_without(turn.laid, 6), rolled=_without(turn.rolled, 6))
    ways = [Lay(dice, True, True) for dice in _stays(rest, rest.rolled, rules)]
    return [way for way in ways if after(turn, way, rules) not in known]


def _stays(turn: Turn, thrown: Dice, rules: TurnRules) -> list[Dice]:
    """Return the sets of dice that may stay, out of the thrown dice (and of laid-out dice that may return)."""
    free = [die for die in thrown if rules.keep == "any" or die in (1, 6)]
    if _has_return(turn, rules):
        free = sorted((*turn.laid, *free))
    sets = {c for n in range(len(free) + 1) for c in combinations(sorted(free), n)}
    return sorted(sets, key=lambda dice: (len(dice), dice))


def _may_turn(turn: Turn, rules: TurnRules) -> bool:
    """Tell whether two sixes of the last throw may be turned; dice laid out before don't count."""
    if rules.sixes_turn == "off" or turn.rolled.count(6) < _TURNED_PAIR:
        return False
    return rules.sixes_turn == "same_throw" or turn.throws == 1


def _has_return(turn: Turn, rules: TurnRules) -> bool:
    return rules.free_return == "third" and turn.throws == MOST_THROWS - 1


def _without_pair(dice: Dice) -> Dice:
    return _without(_without(dice, 6), 6)


def _without(dice: Dice, die: int) -> Dice:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def after(turn: Turn, lay: Lay, rules: TurnRules) -> Dice:
    """Return the dice laid out after `lay`, turned ones included, sorted."""
    laid = _without(turn.laid, 6) if lay.laid else turn.laid
    before = () if _has_return(turn, rules) else laid
    return tuple(sorted(before + lay.lay + _turned(turn, lay, rules)))


def _turned(turn: Turn, lay: Lay, rules: TurnRules) -> Dice:
    if not lay.turn:
        return ()
    forced = rules.three_sixes == "forced" and turn.rolled == THREE_SIXES
    return (1, 1) if forced else (1,)


def dice_in_cup(turn: Turn, lay: Lay, rules: TurnRules) -> int:
    """Return the number of dice that go back into the cup."""
    return DICE - len(after(turn, lay, rules))


def throw(turn: Turn, lay: Lay, values: Iterable[int], rules: TurnRules) -> Turn:
    """Return the turn after `lay` and a throw that showed `values`."""
    return Turn(after(turn, lay, rules), tuple(sorted(values)), turn.throws + 1)
