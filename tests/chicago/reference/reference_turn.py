"""A second reading of docs/rules-chicago.md §§2–3: what a turn may do and what it is worth.

Written from the page alone; it shares no code with `chicago.rules`. Slow and plain.
"""

from __future__ import annotations

from itertools import combinations

FIXED_ONES = {"100": 100, "1": 1}
FIXED_SIXES = {"60": 60, "6": 6}
TABLE_DECLARES = (100, 60, True)


def fixed_valuation(options):
    """§3 `fixed`: ones, sixes and direction stand in the house rules."""
    if options["valuation"] == "starter":
        return None
    ones, sixes = FIXED_ONES[options["ones"]], FIXED_SIXES[options["sixes"]]
    return ones, sixes, options["direction"] == "high"


def without_six(dice):
    rest = list(dice)
    rest.remove(6)
    return rest


class Turn:
    """One player's three dice: `laid` before the last throw, `rolled` in it."""

    def __init__(self, options, limit):
        self.options = options
        self.limit = limit
        self.laid = []
        self.rolled = []
        self.throws = 0

    @property
    def dice(self):
        return sorted(self.laid + self.rolled)

    def has_chick(self):
        """§3 Chick: three ones, in one throw of three dice or any."""
        if self.options["chick"] == "one_throw":
            return self.rolled == [1, 1, 1]
        return self.dice == [1, 1, 1]

    def names_loser(self):
        """§4.4.3: a triple in one throw (222…666), or 1-6-5, which may be collected."""
        triple = len(self.rolled) == 3 and len(set(self.rolled)) == 1 and self.rolled[0] != 1
        return (self.options["triples_name_loser"] and triple) or (
            self.options["one_six_five_names_loser"] and self.dice == [1, 5, 6]
        )

    def may_turn(self):
        """§2: two sixes of the same throw may be turned before the next throw."""
        when = self.options["sixes_turn"]
        in_time = when == "same_throw" or (when == "first_throw" and self.throws == 1)
        return in_time and self.rolled.count(6) >= 2 and self.throws < self.limit

    def is_forced(self):
        """§2: 6-6-6 with a throw left becomes two ones, wherever two sixes could be turned."""
        forced = self.options["three_sixes"] == "forced"
        return forced and self.rolled == [6, 6, 6] and self.may_turn()

    def takes_back(self):
        """§2: `free_return = third` lets laid-out dice go back before the third throw."""
        return self.options["free_return"] == "third" and self.throws == 2

    def ways_on(self):
        """Return every way to throw again: (dice laid out, whether sixes are turned)."""
        if self.throws == 0:
            return {((), False)}
        if self.throws >= self.limit or self.has_chick():
            return set()
        if self.is_forced():
            return {((), True)}
        ways = {(lay, False) for lay in self.lays(self.rolled)}
        if self.may_turn():
            rest = sorted(self.rolled)[:-2]
            ways |= {(lay, True) for lay in self.lays(rest)}
        return ways | self.ways_with_laid_six(ways)

    def ways_with_laid_six(self, ways):
        """§2 `turn_laid_six`: a laid-out six becomes the one; what two new sixes lead to is not named twice."""
        allowed = self.options["turn_laid_six"] and self.options["sixes_turn"] == "same_throw"
        if not allowed or 6 not in self.laid or 6 not in self.rolled or self.throws >= self.limit:
            return set()
        known = {self.lying(*way) for way in ways if way[1]}
        kept = self.laid
        self.laid = without_six(kept)
        found = {(lay, "laid") for lay in self.lays(without_six(self.rolled))}
        self.laid = kept
        return {way for way in found if self.lying(*way) not in known}

    def lying(self, lay, turn):
        """Return what lies out after a way on, sorted."""
        other = Turn(self.options, self.limit)
        other.laid, other.rolled, other.throws = list(self.laid), list(self.rolled), self.throws
        other.lay_out(lay, turn)
        return tuple(other.laid)

    def lays(self, thrown):
        """§2 `keep`: any of the dice just thrown, or only ones and sixes; the rest is thrown."""
        free = [d for d in thrown if self.options["keep"] == "any" or d in (1, 6)]
        lying = len(self.laid)
        if self.takes_back():
            free, lying = free + self.laid, 0
        for count in range(len(free) + 1):
            for lay in combinations(sorted(free), count):
                if lying + count < 3:
                    yield lay

    def lay_out(self, lay, turn):
        turned = [1, 1] if self.is_forced() else [1]
        staying = [] if self.takes_back() else without_six(self.laid) if turn == "laid" else self.laid
        self.laid = sorted([*staying, *lay, *(turned if turn else [])])
        self.rolled = []

    def receive(self, dice):
        assert len(dice) == 3 - len(self.laid)
        self.rolled = sorted(dice)
        self.throws += 1


class Result:
    """A finished turn under the round's valuation (ones, sixes, whether high is best)."""

    def __init__(self, seat, turn, valuation, options):
        ones, sixes, self.high = valuation
        dice = turn.dice
        self.seat = seat
        self.throws = turn.throws
        self.value = sum({1: ones, 6: sixes}.get(d, d) for d in dice)
        self.fish = valuation == (100, 60, True) and 1 not in dice and 6 not in dice
        if self.fish and options["fish"] == "equal":
            self.value = 0
        fewer = options["ties"] == "fewer_throws"
        # §3: of equal results the one with fewer throws is better.
        self.key = (self.value if self.high else -self.value, -self.throws if fewer else 0)


def high_of(results):
    """§3: of equal highest the first is high."""
    best = max((r.key for r in results), default=None)
    return next((r for r in results if r.key == best), None)


def sharers_of(results):
    """Return those with the lowest result, in the order of play."""
    worst = min((r.key for r in results), default=None)
    return [r for r in results if r.key == worst]


def low_of(results):
    """§3: of equal lowest the last is low; there is a low once two have played."""
    return sharers_of(results)[-1] if len(results) >= 2 else None
