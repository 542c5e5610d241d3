"""A second, naive reading of docs/rules-chicago.md §2 with three dice that can be told apart.

It shares no code with `chicago.rules`: dice are a list with a place each, ways to go on are
found by trying every subset of places, chances by trying every fall. Slow and plain.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

IN_CUP = 0


@dataclass(frozen=True)
class Reading:
    keep: str = "any"
    free_return: str = "off"
    sixes_turn: str = "off"
    three_sixes: str = "free"
    chick: str = "any"
    turn_laid_six: bool = False


def is_chick(dice: tuple[int, ...], new: frozenset[int], rules: Reading) -> bool:
    if dice != (1, 1, 1):
        return False
    return rules.chick == "any" or len(new) == 3


def ways_on(dice, new, thrown, allowed, rules):
    """Return every way to throw again: three places, 0 for a die in the cup."""
    if thrown == allowed or is_chick(dice, new, rules):
        return set()
    may_turn = rules.sixes_turn == "same_throw" or (rules.sixes_turn == "first_throw" and thrown == 1)
    three = dice == (6, 6, 6) and len(new) == 3
    if may_turn and three and rules.three_sixes == "forced":
        return {(1, 1, IN_CUP)}
    found = set(stays(dice, new, thrown, rules))
    if may_turn:
        for one, other in product(new, new):
            if one != other and dice[one] == dice[other] == 6:
                turned = tuple(1 if p == one else d for p, d in enumerate(dice))
                found |= set(stays(turned, new - {one}, thrown, rules, gone=other, put=one))
    if rules.turn_laid_six and rules.sixes_turn == "same_throw":
        for one, other in product({0, 1, 2} - new, new):
            if dice[one] == dice[other] == 6:
                turned = tuple(1 if p == one else d for p, d in enumerate(dice))
                found |= set(stays(turned, new, thrown, rules, gone=other, put=one))
    return {way for way in found if IN_CUP in way}


def stays(dice, new, thrown, rules, gone=None, put=None):
    for choice in product((True, False), repeat=3):
        if all(is_allowed(p, choice[p], dice, new, thrown, rules, gone, put) for p in range(3)):
            yield tuple(d if c else IN_CUP for d, c in zip(dice, choice, strict=True))


def is_allowed(place, out, dice, new, thrown, rules, gone, put):
    if place == gone:
        return not out
    if place == put:
        return out
    if place not in new:
        return out or (rules.free_return == "third" and thrown == 2)
    return not out or rules.keep == "any" or dice[place] in (1, 6)


def may_stop(dice, new, thrown, allowed, exactly, rules):
    ways = ways_on(dice, new, thrown, allowed, rules)
    if ways == {(1, 1, IN_CUP)} and dice == (6, 6, 6) and rules.three_sixes == "forced":
        return False
    return not exactly or not ways


def best_chance(rules: Reading, allowed: int, exactly: bool, wins) -> Fraction:
    """Return the best chance to stop on dice for which `wins(dice, is_chick)` holds."""

    @lru_cache(None)
    def before(laid: tuple[int, ...], thrown: int) -> Fraction:
        new = frozenset(p for p in range(3) if laid[p] == IN_CUP)
        falls = list(product(*(range(1, 7) if p in new else (laid[p],) for p in range(3))))
        return sum((after(dice, new, thrown + 1) for dice in falls), Fraction(0)) / len(falls)

    @lru_cache(None)
    def after(dice, new, thrown) -> Fraction:
        chances = [before(way, thrown) for way in ways_on(dice, new, thrown, allowed, rules)]
        if may_stop(dice, new, thrown, allowed, exactly, rules):
            chances.append(Fraction(int(wins(dice, is_chick(dice, new, rules)))))
        return max(chances)

    return before((IN_CUP,) * 3, 0)
