"""Play-offs that may follow: how many rounds of them, from the results so far and some ways how the others may end.

Chance has a fixed seed: the forecast follows from the input alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import NamedTuple

from games.kernel.tournaments.uncertain import Uncertain

WAYS, FEWEST_WAYS, WAYS_OF_SWISS = 20, 4, 120
"""The ways that are tried with 24 people, with very many, and where the numbers of people by score are enough."""
USUAL_PEOPLE = 24


class DecidedPair(NamedTuple):
    """A decided match of two people, by numbers."""

    winner: int
    loser: int


@dataclass(frozen=True, slots=True)
class Race:
    """The standing of a phase whose end play-offs may decide: so many people go on, or have places of their own.

    `more` are wins without a match. What is left are `pairs`, then so many `rounds` by score. `uses_meetings`: equal
    ones are parted by their matches, and there are no rounds.
    """

    people: int
    cut: int
    decided: Sequence[DecidedPair]
    more: Sequence[int]
    pairs: Sequence[tuple[int, int]] = ()
    rounds: int = 0
    uses_meetings: bool = True

    def play_offs(self) -> Uncertain:
        """Return the rounds of play-offs that will follow."""
        if not 0 < self.cut < self.people:
            return Uncertain(0.0)
        ways = max(FEWEST_WAYS, WAYS * USUAL_PEOPLE // max(USUAL_PEOPLE, self.people))
        if not self.uses_meetings:
            ways = WAYS_OF_SWISS
        if not self.pairs and not self.rounds:
            ways = 1
        chance = random.Random(0)
        found = [self._by_meetings(chance) if self.uses_meetings else self._by_score(chance) for _ in range(ways)]
        return Uncertain(fmean(found), pvariance(found))

    def _ended(self, chance: random.Random) -> list[DecidedPair]:
        """Return one way how the pairs may end."""
        return [DecidedPair(*pair) if chance.random() < 0.5 else DecidedPair(*pair[::-1]) for pair in self.pairs]

    def _by_score(self, chance: random.Random) -> int:
        """Return the play-offs after one way how it may end, by the numbers of people with each score."""
        scores = Counter(each.winner for each in (*self.decided, *self._ended(chance)))
        scores.update(dict(enumerate(self.more)))
        counts = Counter(scores[each] for each in range(self.people))
        for _ in range(self.rounds):
            counts = _next_round(counts, chance)
        before = 0
        for score in sorted(counts, reverse=True):
            if before < self.cut < before + counts[score]:
                return rounds_for([counts[score]], self.cut - before)
            before += counts[score]
        return 0

    def _nets(self, decided: Sequence[DecidedPair]) -> Counter[int]:
        nets = Counter(each.winner for each in decided)
        nets.subtract(each.loser for each in decided)
        nets.update(dict(enumerate(self.more)))
        return nets

    def _by_meetings(self, chance: random.Random) -> int:
        """Return the play-offs after one way how it may end, where equal ones are parted by their matches."""
        decided = [*self.decided, *self._ended(chance)]
        nets = self._nets(decided)
        cut, group = _divided([nets[each] for each in range(self.people)], range(self.people), self.cut)
        if group:
            inside = set(group)
            among = self._nets([each for each in decided if inside.issuperset(each)])
            cut, group = _divided([among[each] - self.more[each] for each in group], group, cut)
        return rounds_for([len(group)], cut)


def _next_round(counts: Counter[int], chance: random.Random) -> Counter[int]:
    """Return the numbers of people with each score after a round in which equal scores meet."""
    after: Counter[int] = Counter()
    left: int | None = None
    for score in sorted(counts, reverse=True):
        count = counts[score]
        if left is not None and count:
            winner, loser = (left, score) if chance.random() < 0.5 else (score, left)
            after[winner + 1] += 1
            after[loser] += 1
            count, left = count - 1, None
        after[score + 1] += count // 2
        after[score] += count // 2
        left = score if count % 2 else left
    if left is not None:
        after[left + 1] += 1
    return after


def _divided(values: Sequence[int], people: Sequence[int], cut: int) -> tuple[int, list[int]]:
    """Return the group of equal values that a cut divides, with its share of the places; an empty one without it."""
    value = sorted(values, reverse=True)[cut - 1]
    above = sum(each > value for each in values)
    group = [one for one, each in zip(people, values, strict=True) if each == value]
    return (cut - above, group) if cut - above < len(group) else (0, [])


def rounds_for(losses: Sequence[int], places: int) -> int:
    """Return the rounds of play-offs until so many of a group have places.

    `losses` are the people with no, one, two … losses in play-offs; those whom the cut divides play the next round.
    """
    counts, rounds = [*losses, 0], 0
    while (at := _divided_level(counts, places)) is not None:
        lost = counts[at] // 2
        counts[at] -= lost
        counts[at + 1] += lost
        counts += [0] if counts[-1] else []
        rounds += 1
    return rounds


def _divided_level(counts: Sequence[int], places: int) -> int | None:
    before = 0
    for at, count in enumerate(counts):
        if before < places < before + count:
            return at
        before += count
    return None
